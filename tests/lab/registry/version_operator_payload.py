# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What makes a generated release one that the real cluster-version-operator can be part of and carry out.

Shapes: cluster-version-operator, ``install/`` (its own manifests, which are templates) and pkg/payload/payload.go (the
folders ``manifests`` and ``release-manifests`` of a release image); openshift/cluster-update-keys, ``manifests.rhel``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from ansible_collections.fieldops.openshift.tests.lab.go import program
from ansible_collections.fieldops.openshift.tests.lab.registry.images import Json
from ansible_collections.fieldops.openshift.tests.lab.registry.layers import Member

NAME = "cluster-version-operator"
NAMESPACE = "openshift-cluster-version"
PROFILE = "self-managed-high-availability"
INCLUDED = {f"include.release.openshift.io/{PROFILE}": "true"}
DOWNLOADS = "/etc/cvo/updatepayloads"
MASTER = "node-role.kubernetes.io/master"
RESYNC_SECONDS = 20
"""Upstream: 120. Retries after errors are this, divided by 16 and then doubled each time."""


@dataclass(frozen=True)
class VersionOperatorSpec:
    """What the version operator of a release is told.

    ``operators`` are the ClusterOperators that it waits for, by their run levels; of ``waited`` it believes that they
    have been waited for longer than it is patient. ``verification`` is the ConfigMap of keys, as JSON. It reconciles
    every ``resync`` seconds, twice that at the most.
    """

    verification: str = ""
    operators: tuple[tuple[int, str], ...] = ((50, "etcd"), (80, "machine-config"))
    waited: tuple[str, ...] = ()
    resync: int = RESYNC_SECONDS


@cache
def program_layer() -> tuple[Member, ...]:
    """Return the layer with the real program, the same in all releases."""
    folders = ("etc/cvo", DOWNLOADS.lstrip("/"), "etc/ssl", "etc/ssl/certs")
    content = program(NAME).read_bytes()
    return (*map(Member.directory, folders), Member(f"usr/bin/{NAME}", content, mode=0o755))


def own_manifests(spec: VersionOperatorSpec) -> dict[str, bytes]:
    """Return the manifests of the operator's image, whose placeholders the operator itself fills in."""
    subject = {"kind": "ServiceAccount", "namespace": NAMESPACE, "name": "default"}
    group = "rbac.authorization.k8s.io"
    binding = {"roleRef": {"apiGroup": group, "kind": "ClusterRole", "name": "cluster-admin"}, "subjects": [subject]}
    documents = {
        "00_namespace": _document("v1", "Namespace", NAMESPACE, {}),
        "02_roles": _document(f"{group}/v1", "ClusterRoleBinding", NAME, binding),
        "03_deployment": deployment(spec),
    }
    return {f"manifests/0000_00_{NAME}_{name}.yaml": _written(one) for name, one in documents.items()}


def installed_objects(spec: VersionOperatorSpec, version: str, image: str) -> list[Json]:
    """Return what an installation from release ``image`` has made of the operator's own manifests."""
    files = [*release_manifests(spec, version).items()]
    priorities = [content for name, content in files if name.endswith("user-critical.yaml")]
    texts = [*priorities, *own_manifests(spec).values()]
    filled = (
        one.replace(b"{{.ReleaseImage}}", image.encode()).replace(b"{{ .ClusterProfile }}", PROFILE.encode())
        for one in texts
    )
    return [json.loads(one) for one in filled]


def release_manifests(
    spec: VersionOperatorSpec, version: str, carried: Mapping[str, Json] | None = None
) -> dict[str, bytes]:
    """Return the manifests of a release that has no other operators than those that are waited for.

    ``carried`` are further manifests by their file names, without the annotation that includes them.
    """
    priority = {"value": 1_000_000_000, "globalDefault": False, "description": "Critical pods of users."}
    found = {
        "0000_10_config-operator_00_config": _document("v1", "Namespace", "openshift-config", {}),
        "0000_10_config-operator_00_managed": _document("v1", "Namespace", "openshift-config-managed", {}),
        "0000_50_cluster-config-api_user-critical": _document(
            "scheduling.k8s.io/v1", "PriorityClass", "openshift-user-critical", priority
        ),
    }
    for level, name in spec.operators:
        versions = {"versions": [{"name": "operator", "version": version}]}
        operator = _document("config.openshift.io/v1", "ClusterOperator", name, {"spec": {}, "status": versions})
        found[f"0000_{level}_{name}_90_clusteroperator"] = operator
    for name, one in (carried or {}).items():
        metadata = {**one["metadata"], "annotations": {**one["metadata"].get("annotations", {}), **INCLUDED}}
        found[name] = {**one, "metadata": metadata}
    files = {f"release-manifests/{name}.yaml": _written(one) for name, one in found.items()}
    if spec.verification:
        keys = json.loads(spec.verification)
        keys["metadata"]["annotations"] |= INCLUDED
        files["release-manifests/0000_90_cluster-update-keys_configmap.yaml"] = _written(keys)
    return files


def deployment(spec: VersionOperatorSpec) -> Json:
    """Return the operator's Deployment as its image has it."""
    labels = {"k8s-app": NAME}
    pod = {
        "containers": [_container(spec)],
        "dnsPolicy": "Default",
        "hostNetwork": True,
        "nodeSelector": {MASTER: ""},
        "priorityClassName": "system-cluster-critical",
        "terminationGracePeriodSeconds": 130,
        "tolerations": _tolerations(),
        "volumes": [{"name": "downloads", "hostPath": {"path": DOWNLOADS, "type": "DirectoryOrCreate"}}],
    }
    body = {
        "replicas": 1,
        "strategy": {"type": "Recreate"},
        "selector": {"matchLabels": labels},
        "template": {"metadata": {"labels": labels}, "spec": pod},
    }
    return _document("apps/v1", "Deployment", NAME, {"spec": body}, namespace=NAMESPACE)


def _tolerations() -> list[Json]:
    """Return upstream's, among which there is none of a node that is cordoned."""
    nodes = "node.kubernetes.io"
    placed = (MASTER, f"{nodes}/network-unavailable", f"{nodes}/not-ready")
    kept = (f"{nodes}/unreachable", f"{nodes}/not-ready")
    return [
        *({"key": key, "operator": "Exists", "effect": "NoSchedule"} for key in placed),
        *({"key": key, "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 120} for key in kept),
    ]


def _container(spec: VersionOperatorSpec) -> Json:
    arguments = ["--release-image={{.ReleaseImage}}", f"--resync={spec.resync}s", "--v=2"]
    arguments += [f"--waited={','.join(spec.waited)}"] if spec.waited else []
    # The operator itself sets the API's address to that of the Infrastructure when it applies this.
    environment: list[Json] = [
        {"name": "KUBERNETES_SERVICE_HOST", "value": "api-int.lab.example"},
        {"name": "KUBERNETES_SERVICE_PORT", "value": "6443"},
        {"name": "NODE_NAME", "valueFrom": {"fieldRef": {"fieldPath": "spec.nodeName"}}},
        {"name": "CLUSTER_PROFILE", "value": "{{ .ClusterProfile }}"},
    ]
    return {
        "name": NAME,
        "image": "{{.ReleaseImage}}",
        "imagePullPolicy": "IfNotPresent",
        "command": [f"/usr/bin/{NAME}"],
        "args": arguments,
        "env": environment,
        "securityContext": {"readOnlyRootFilesystem": True},
        "terminationMessagePolicy": "FallbackToLogsOnError",
        "volumeMounts": [{"mountPath": DOWNLOADS, "name": "downloads", "readOnly": True}],
    }


def _document(api_version: str, kind: str, name: str, body: Json, namespace: str = "") -> Json:
    metadata: Json = {"name": name, "annotations": INCLUDED}
    if namespace:
        metadata["namespace"] = namespace
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata, **body}


def _written(document: Json) -> bytes:
    return json.dumps(document, indent=1).encode()
