# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import typing as t
from datetime import datetime, timedelta, timezone

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.check_certificates import (
    certificate_findings,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.check_clocks import clock_findings
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.check_etcd import etcd_findings
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.check_signing_requests import (
    signing_request_findings,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.check_space import space_findings
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.finding import Finding

NOW = datetime(2026, 11, 21, 22, 0, tzinfo=timezone.utc)
Told = list[tuple[str, str]]


def told(findings: t.Iterable[Finding]) -> Told:
    return [(one.severity, one.code) for one in findings]


def at(**distance: float) -> str:
    return (NOW + timedelta(**distance)).strftime("%Y-%m-%dT%H:%M:%SZ")


def etcd(*members: int, latest: int = 7, **conditions: str) -> dict[str, t.Any]:
    said = [{"type": name, "status": status, "message": "member-1"} for name, status in conditions.items()]
    nodes = [{"nodeName": f"master-{number}", "currentRevision": at} for number, at in enumerate(members)]
    return {"status": {"conditions": said, "nodeStatuses": nodes, "latestAvailableRevision": latest}}


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        pytest.param(None, [], id="no object of etcd"),
        pytest.param(etcd(7, 7, 7, EtcdMembersAvailable="True", EtcdMembersDegraded="False"), [], id="well"),
        pytest.param(etcd(7, 7, 7, EtcdMembersAvailable="False"), [("fault", "etcd_unavailable")], id="a member away"),
        pytest.param(etcd(7, 7, 7, NodeControllerDegraded="True"), [("fault", "etcd_degraded")], id="degraded"),
        pytest.param(etcd(7, 6, 7), [("unsettled", "etcd_progressing")], id="a revision is rolled out"),
        pytest.param(etcd(7, 7, 7, EtcdMembersProgressing="True"), [("unsettled", "etcd_progressing")], id="a change"),
        pytest.param(etcd(7, 7, 7, 7), [("notice", "etcd_even")], id="four members"),
        pytest.param(etcd(7), [], id="a single node"),
    ],
)
def test_etcd(found: dict[str, t.Any] | None, expected: Told) -> None:
    assert told(etcd_findings(found)) == expected


def config(*certificates: tuple[str, float, float]) -> dict[str, t.Any]:
    """Return a ControllerConfig with certificates of a subject, from so many days to so many days from now."""
    listed = [
        {"bundleFile": "KubeAPIServerServingCAData", "subject": f"CN={subject}", "notBefore": at(days=since)}
        | {"notAfter": at(days=until), "signer": "CN=signer"}
        for subject, since, until in certificates
    ]
    return {"status": {"controllerCertificates": listed}}


@pytest.mark.parametrize(
    ("found", "seen"),
    [
        pytest.param(None, "", id="no machine-config operator"),
        pytest.param(config(("root", -100, 3550)), "", id="far from its end"),
        pytest.param(config(("signer@1", -340, 25)), "has not been renewed", id="late and near its end"),
        pytest.param(config(("signer@1", -20, 10)), "", id="of thirty days, not late yet"),
        pytest.param(config(("signer@1", -26, 4)), "has not been renewed", id="of thirty days, late"),
        pytest.param(config(("signer@1", -340, 35)), "", id="late but not near its end"),
        pytest.param(config(("signer@1", -400, -35)), "expired on", id="expires on"),
        pytest.param(config(("signer@1", -400, -35), ("signer@2", -40, 320)), "", id="followed by another"),
    ],
)
def test_certificates(found: dict[str, t.Any] | None, seen: str) -> None:
    findings = list(certificate_findings(found, NOW, 30))
    assert [one.code for one in findings] == (["certificate_expiring"] if seen else [])
    assert all(seen in one.seen for one in findings)


def lease(node: str, seconds: float) -> dict[str, t.Any]:
    stamp = (NOW + timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    return {"metadata": {"name": node}, "spec": {"renewTime": stamp}}


@pytest.mark.parametrize(
    ("seconds", "seen"),
    [
        (0, ""),
        (5, ""),
        (5.5, "6 s ahead"),
        (-24, ""),
        (-26, "up to 26 s behind"),
        (3600, "3600 s ahead"),
    ],
)
def test_clocks(seconds: float, seen: str) -> None:
    findings = list(clock_findings([lease("worker-0", seconds)], {"worker-0"}, NOW, 5))
    assert [(one.name, seen in one.seen) for one in findings] == ([("worker-0", True)] if seen else [])


def test_the_clock_of_a_node_that_is_away_says_nothing() -> None:
    assert not list(
        clock_findings([lease("worker-0", -4000), {"metadata": {"name": "worker-1"}}], {"worker-1"}, NOW, 5)
    )


def request(age: float, signer: str = "kubernetes.io/kubelet-serving", answer: str = "") -> dict[str, t.Any]:
    conditions = [{"type": answer, "status": "True"}] if answer else []
    metadata = {"name": "csr-1", "creationTimestamp": at(minutes=-age)}
    spec = {"signerName": signer, "username": "system:node:worker-0"}
    return {"metadata": metadata, "spec": spec, "status": {"conditions": conditions}}


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        pytest.param(request(1), [("unsettled", "csr_pending")], id="just made"),
        pytest.param(request(6), [("fault", "csr_pending")], id="nobody answers"),
        pytest.param(request(60, answer="Approved"), [], id="approved"),
        pytest.param(request(60, answer="Denied"), [], id="denied"),
        pytest.param(request(60, "example.com/own"), [], id="of somebody else's signer"),
    ],
)
def test_signing_requests(found: dict[str, t.Any], expected: Told) -> None:
    assert told(signing_request_findings([found], NOW)) == expected


def summary(root: int, images: int) -> dict[str, t.Any]:
    """Return what a kubelet says of two file systems of a hundred bytes."""
    fs = {"availableBytes": root, "capacityBytes": 100}
    return {"node": {"fs": fs, "runtime": {"imageFs": {"availableBytes": images, "capacityBytes": 100}}}}


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        pytest.param(summary(15, 80), [], id="just enough"),
        pytest.param(summary(14, 80), [("fault", "node_space")], id="root"),
        pytest.param(summary(80, 14), [("fault", "node_space")], id="images"),
        pytest.param(summary(9, 9), [("fault", "node_space")], id="both on one file system"),
        pytest.param({}, [], id="a kubelet that does not measure"),
        pytest.param(None, [("notice", "space_unread")], id="no answer"),
    ],
)
def test_space(found: dict[str, t.Any] | None, expected: Told) -> None:
    assert told(space_findings("worker-0", found, 15)) == expected
