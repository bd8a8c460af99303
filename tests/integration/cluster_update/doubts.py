# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What may be wrong with a cluster before an update, as objects of the API."""

from __future__ import annotations

import base64
import subprocess
from datetime import datetime, timedelta, timezone

from ansible_collections.fieldops.openshift.tests.lab.rest import Json, RestClient
from ansible_collections.fieldops.openshift.tests.lab.seed import workloads

CONTROLLER_CONFIGS = "/apis/machineconfiguration.openshift.io/v1/controllerconfigs"
LEASES = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases"
REQUESTS = "/apis/certificates.k8s.io/v1/certificatesigningrequests"
COUNTS = "/apis/apiserver.openshift.io/v1/apirequestcounts"
ETCDS = "/apis/operator.openshift.io/v1/etcds"
BUDGETS = "/apis/policy/v1/namespaces/shop/poddisruptionbudgets"
PODS = "/api/v1/namespaces/shop/pods"


def plant_doubts(client: RestClient) -> None:
    """Make the cluster unfit in each way that the API can show without kubelets."""
    client.apply(etcd(degraded="member master-1 is unhealthy"))
    client.request("POST", CONTROLLER_CONFIGS, controller_config(), "application/json")
    client.merge(f"{CONTROLLER_CONFIGS}/machine-config-controller/status", {"status": certificates()})
    client.apply(lease("worker-0", ahead=3600))
    client.apply(signing_request("csr-worker-0"))
    client.apply(
        request_count("flowschemas.v1beta3.flowcontrol.apiserver.k8s.io", "1.35", "system:serviceaccount:shop:bot")
    )
    # No controller makes it here, and the API takes no pod without it.
    client.apply({"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "default", "namespace": "shop"}})
    client.apply(pulled_always("web-1"))
    client.apply(budget_for("web", pods=1))


def clear_doubts(client: RestClient) -> None:
    """Take all of it away again."""
    for path in (CONTROLLER_CONFIGS, LEASES, REQUESTS, COUNTS, ETCDS, BUDGETS, PODS):
        client.delete(path)


def etcd(degraded: str = "") -> Json:
    """Return the operator's object of etcd, with three members that were never rolled out anew."""
    since = {"lastTransitionTime": "2026-11-21T08:00:00Z", "reason": "AsExpected"}
    conditions = [
        {"type": "EtcdMembersAvailable", "status": "True", "message": "3 members are available", **since},
        {"type": "EtcdMembersDegraded", "status": str(bool(degraded)), "message": degraded, **since},
    ]
    members = [{"nodeName": f"master-{number}"} for number in range(3)]
    status = {"conditions": conditions, "nodeStatuses": members, "readyReplicas": 0}
    spec = {"managementState": "Managed"}
    metadata = {"name": "cluster"}
    return {
        "apiVersion": "operator.openshift.io/v1",
        "kind": "Etcd",
        "metadata": metadata,
        "spec": spec,
        "status": status,
    }


def controller_config() -> Json:
    """Return the least that the machine-config operator's ControllerConfig may be."""
    texts = ("baseOSContainerImage", "cloudProviderConfig", "clusterDNSIP", "releaseImage")
    nothing = ("additionalTrustBundle", "cloudProviderCAData", "dns", "infra", "network", "proxy")
    certificate = base64.b64encode(b"certificate").decode()
    spec: Json = {**dict.fromkeys(texts, ""), **dict.fromkeys(nothing), "images": {}, "ipFamilies": "IPv4"}
    return {
        "apiVersion": "machineconfiguration.openshift.io/v1",
        "kind": "ControllerConfig",
        "metadata": {"name": "machine-config-controller"},
        "spec": {**spec, "kubeAPIServerServingCAData": certificate, "rootCAData": certificate},
    }


def certificates() -> Json:
    """Return its status with a certificate of a year that ends in a week."""
    now = datetime.now(timezone.utc)
    one = {
        "bundleFile": "KubeAPIServerServingCAData",
        "subject": "CN=kube-apiserver-to-kubelet-signer@1700000000",
        "signer": "CN=kube-apiserver-to-kubelet-signer",
        "notBefore": _written(now - timedelta(days=358)),
        "notAfter": _written(now + timedelta(days=7)),
    }
    return {"controllerCertificates": [one], "conditions": [], "observedGeneration": 1}


def lease(node: str, ahead: float) -> Json:
    """Return a node's Lease, stamped by a clock that is so many seconds ahead."""
    stamp = datetime.now(timezone.utc) + timedelta(seconds=ahead)
    return {
        "apiVersion": "coordination.k8s.io/v1",
        "kind": "Lease",
        "metadata": {"name": node, "namespace": "kube-node-lease"},
        "spec": {"holderIdentity": node, "renewTime": stamp.strftime("%Y-%m-%dT%H:%M:%S.%fZ")},
    }


def signing_request(name: str) -> Json:
    """Return a kubelet's request for a serving certificate that nobody has answered."""
    command = ["openssl", "req", "-new", "-newkey", "rsa:2048", "-nodes", "-keyout", "/dev/null"]
    subject = ["-subj", "/O=system:nodes/CN=system:node:worker-0", "-addext", "subjectAltName=DNS:worker-0"]
    made = subprocess.run([*command, *subject], capture_output=True, check=True)
    return {
        "apiVersion": "certificates.k8s.io/v1",
        "kind": "CertificateSigningRequest",
        "metadata": {"name": name},
        "spec": {
            "request": base64.b64encode(made.stdout).decode(),
            "signerName": "kubernetes.io/kubelet-serving",
            "usages": ["digital signature", "key encipherment", "server auth"],
        },
    }


def request_count(name: str, removed: str, user: str) -> Json:
    """Return what the cluster counts of requests to a version of the API that goes away."""
    by_user = [{"username": user, "userAgent": "bot/1", "requestCount": 3, "byVerb": []}]
    hour = {"requestCount": 3, "byNode": [{"nodeName": "master-0", "requestCount": 3, "byUser": by_user}]}
    return {
        "apiVersion": "apiserver.openshift.io/v1",
        "kind": "APIRequestCount",
        "metadata": {"name": name},
        "spec": {"numberOfUsersToReport": 10},
        "status": {"removedInRelease": removed, "requestCount": 3, "last24h": [hour]},
    }


def pulled_always(name: str) -> Json:
    """Return a pod that asks a registry each time it starts."""
    made = workloads.pod(name, "registry.site.example/shop/web:1", namespace="shop", app="web")
    containers = [{**one, "imagePullPolicy": "Always"} for one in made["spec"]["containers"]]
    return {**made, "spec": {**made["spec"], "containers": containers}}


def budget_for(app: str, pods: int) -> Json:
    """Return a budget that lets none of so many healthy pods go, as its controller would report it."""
    status = {"disruptionsAllowed": 0, "currentHealthy": pods, "desiredHealthy": pods, "expectedPods": pods}
    made = workloads.disruption_budget(app, namespace="shop", minAvailable=pods)
    return {**made, "status": {**status, "observedGeneration": 1}}


def _written(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
