# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""node_csr_approval and the proof of node_ready_info, with requests that the real API took from identities."""

from __future__ import annotations

import base64
import typing as t
from collections.abc import Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.cluster_update.doubts import (
    certificates,
    controller_config,
)
from ansible_collections.fieldops.openshift.tests.integration.plays import run_play
from ansible_collections.fieldops.openshift.tests.integration.shipped_rights import grant
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.rest import RestClient
from ansible_collections.fieldops.openshift.tests.lab.seed.healthy import healthy_cluster, plant
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._rollout.plan import certificate_requests

CSRS = "/apis/certificates.k8s.io/v1/certificatesigningrequests"
TECHNICIAN, BOOTSTRAPPER = "technician", "bootstrapper"
NODE, KUBELET = "worker-0", "system:node:worker-0"
SERVING, CLIENT = "kubernetes.io/kubelet-serving", "kubernetes.io/kube-apiserver-client-kubelet"
ADDRESSES = [
    {"type": "InternalIP", "address": "10.0.0.7"},
    {"type": "InternalIP", "address": "fd00::7"},
    {"type": "Hostname", "address": NODE},
]
Result = dict[str, t.Any]


def binding(role: str, kind: str, name: str) -> dict[str, t.Any]:
    return {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "ClusterRoleBinding",
        "metadata": {"name": f"{role}-{name.replace(':', '-')}"},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": role},
        "subjects": [{"kind": kind, "apiGroup": "rbac.authorization.k8s.io", "name": name}],
    }


@pytest.fixture(scope="module")
def server() -> Iterator[ApiServer]:
    """A cluster in which kubelets may ask for certificates, and the technician has the rights that are shipped."""
    users = {TECHNICIAN: [], KUBELET: ["system:nodes"], BOOTSTRAPPER: ["system:bootstrappers"]}
    with ApiServer.start_openshift(users=users) as started:
        plant(started.rest, healthy_cluster("4.21.3", control_plane=1, workers=2))
        grant(started.rest, TECHNICIAN, "rollout.yml")
        started.rest.apply(binding("system:node-bootstrapper", "Group", "system:nodes"))
        started.rest.apply(binding("system:node-bootstrapper", "Group", "system:bootstrappers"))
        lease_rights = {
            "apiVersion": "rbac.authorization.k8s.io/v1",
            "kind": "ClusterRole",
            "metadata": {"name": "read-leases"},
            "rules": [{"apiGroups": ["coordination.k8s.io"], "resources": ["leases"], "verbs": ["get"]}],
        }
        started.rest.apply(lease_rights)
        started.rest.apply(binding("read-leases", "User", TECHNICIAN))
        yield started


@pytest.fixture
def site(server: ApiServer) -> ApiServer:
    """No request waits, and the node has its addresses."""
    server.rest.delete(CSRS)
    server.rest.merge(f"/api/v1/nodes/{NODE}/status", {"status": {"addresses": ADDRESSES}})
    return server


def ask(site: ApiServer, name: str, pem: bytes, signer: str, user: str = KUBELET) -> None:
    """Ask for a certificate as ``user``; the API writes down who that was."""
    usages = ["digital signature", "server auth" if signer == SERVING else "client auth"]
    body = {
        "apiVersion": "certificates.k8s.io/v1",
        "kind": "CertificateSigningRequest",
        "metadata": {"name": name},
        "spec": {"request": base64.b64encode(pem).decode(), "signerName": signer, "usages": usages},
    }
    with RestClient(site.url, site.ca_file, site.token_of(user)) as kubelet:
        kubelet.create(CSRS, body)


def run(site: ApiServer, tmp_path: Path, module: str, *words: str, **options: t.Any) -> Result:
    task = {f"fieldops.openshift.{module}": {**access(site), "name": NODE, **options}}
    return run_play(tmp_path, task, *words).result


def access(site: ApiServer) -> dict[str, str]:
    """Return how the technician calls the API."""
    return {"host": site.url, "ca_cert": str(site.ca_file), "api_key": site.token_of(TECHNICIAN)}


def answers(site: ApiServer) -> dict[str, list[str]]:
    found = site.rest.get(CSRS)["items"]
    return {
        one["metadata"]["name"]: [said["type"] for said in (one.get("status") or {}).get("conditions", [])]
        for one in found
    }


def test_what_proves_itself_is_granted_and_the_rest_waits_for_a_person(site: ApiServer, tmp_path: Path) -> None:
    ask(site, "serving", certificate_requests.SERVING, SERVING)
    ask(site, "client", certificate_requests.CLIENT, CLIENT)
    ask(site, "strange", certificate_requests.FOREIGN_NAME, SERVING)
    ask(site, "bootstrap", certificate_requests.CLIENT, CLIENT, BOOTSTRAPPER)
    result = run(site, tmp_path, "node_csr_approval")
    assert sorted(one["name"] for one in result["approved"]) == ["client", "serving"]
    assert {one["name"]: one["obstacle"] for one in result["pending"]} == {
        "strange": "it is for api.example.com, which the Node object does not have",
        "bootstrap": f"it was not requested by the node itself but by {BOOTSTRAPPER}",
    }
    assert result["changed"] is True
    assert result["progress"]["done"] is False
    assert answers(site) == {"serving": ["Approved"], "client": ["Approved"], "strange": [], "bootstrap": []}
    again = run(site, tmp_path, "node_csr_approval")
    assert (again["changed"], again["approved"]) == (False, [])


def test_check_mode_only_says_what_it_would_grant(site: ApiServer, tmp_path: Path) -> None:
    ask(site, "serving", certificate_requests.SERVING, SERVING)
    result = run(site, tmp_path, "node_csr_approval", "--check")
    assert (result["changed"], [one["name"] for one in result["approved"]]) == (True, ["serving"])
    assert all(action["dry_run"] for action in result["actions"])
    assert answers(site) == {"serving": []}


@pytest.mark.parametrize(
    ("policy", "missing"), [("ignore", 0), ("report", 0), ("wait", 1)], ids=["ignored", "reported", "waited for"]
)
def test_the_proof_of_a_node_tells_of_its_requests(site: ApiServer, tmp_path: Path, policy: str, missing: int) -> None:
    ask(site, "serving", certificate_requests.SERVING, SERVING)
    result = run(site, tmp_path, "node_ready_info", csrs=policy)
    assert (result["ready"], len(result["missing"])) == (missing == 0, missing)
    assert [one["name"] for one in result["csrs"]] == ([] if policy == "ignore" else ["serving"])


def gate(expected: t.Any, **options: t.Any) -> dict[str, t.Any]:
    return {"kind": "Node", "name": NODE, "expression": "metadata.labels.storage", "expected": expected, **options}


def test_gates_of_the_site_are_part_of_the_proof(site: ApiServer, tmp_path: Path) -> None:
    closed = run(site, tmp_path, "node_ready_info", gates=[gate("whole", title="storage is whole")])
    assert closed["missing"] == ['gate storage is whole: expected "whole", got null']
    site.rest.merge(f"/api/v1/nodes/{NODE}", {"metadata": {"labels": {"storage": "whole"}}})
    several = gate(1, name="", label_selector="storage=whole", expression="length(items)")
    opened = run(site, tmp_path, "node_ready_info", gates=[gate("whole"), several])
    assert (opened["ready"], opened["missing"]) == (True, [])


def test_a_gate_that_cannot_be_asked_is_an_error_and_no_closed_gate(site: ApiServer, tmp_path: Path) -> None:
    broken = run(site, tmp_path, "node_ready_info", gates=[gate("x", expression="metadata.[")])
    assert broken["error"]["kind"] == "unusable_gate"
    unknown = run(site, tmp_path, "node_ready_info", gates=[gate("x", api_version="example.com/v1", kind="Nothing")])
    assert unknown["failed"] is True


@pytest.mark.parametrize(("days", "named"), [(30, True), (1, False)])
def test_certificates_that_end_soon_are_named_with_the_pools(
    site: ApiServer, tmp_path: Path, days: int, named: bool
) -> None:
    config = controller_config()
    path = "/apis/machineconfiguration.openshift.io/v1/controllerconfigs/machine-config-controller"
    site.rest.apply(config)
    site.rest.merge(f"{path}/status", {"status": certificates()})
    options = {**access(site), "certificate_days": days}
    found = run_play(tmp_path, {"fieldops.openshift.machine_config_pool_info": options}).result
    told = [(one["bundle"], round(one["days"])) for one in found["certificates_at_risk"]]
    assert told == ([("KubeAPIServerServingCAData", 7)] if named else [])
