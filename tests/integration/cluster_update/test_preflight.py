# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The checks of cluster_health_info and role check_site on the real API, with the shipped rights and no others."""

from __future__ import annotations

import typing as t
from collections.abc import Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.do.machine_automation import (
    set_automation,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.do.read_checks import CHECKS
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.do.read_health import (
    HEALTH_OPTIONS,
    read_health,
)
from ansible_collections.fieldops.openshift.tests.integration.cluster_update.autoscaling import (
    HEALTH_CHECKS,
    health_check,
)
from ansible_collections.fieldops.openshift.tests.integration.cluster_update.conftest import Connect
from ansible_collections.fieldops.openshift.tests.integration.cluster_update.doubts import (
    clear_doubts,
    etcd,
    lease,
    plant_doubts,
)
from ansible_collections.fieldops.openshift.tests.integration.cluster_update.role_runs import RolePlay, run_playbook
from ansible_collections.fieldops.openshift.tests.integration.shipped_rights import grant
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.seed import boot_images
from ansible_collections.fieldops.openshift.tests.lab.seed.machine_configs import pinned_image_set

FAULTS = {
    "etcd_degraded:cluster",
    "certificate_expiring:KubeAPIServerServingCAData",
    "clock_skew:worker-0",
    "budget_impossible:shop/web",
    "pull_always:shop/web-1",
    "api_removed:flowschemas.v1beta3.flowcontrol.apiserver.k8s.io",
}
SETS = "/apis/machineconfiguration.openshift.io/v1/pinnedimagesets"
WITHOUT_KUBELETS = [name for name in CHECKS if name != "space"]


@pytest.fixture(scope="module", autouse=True)
def _rights(own_server: ApiServer) -> None:
    grant(own_server.rest, "inspector", "cluster-health-reader.yml", "cluster-health-checks.yml")
    own_server.rest.apply_all(boot_images.namespaces())
    readers = ("cluster-update-reader.yml", "change-management-reader.yml", "boot-image-reader.yml")
    grant(own_server.rest, "inspector", *readers)


@pytest.fixture
def unfit(site: ApiServer) -> Iterator[ApiServer]:
    clear_doubts(site.rest)
    plant_doubts(site.rest)
    yield site
    clear_doubts(site.rest)


def look(connect: Connect, **options: t.Any) -> dict[str, t.Any]:
    defaults = {name: option["default"] for name, option in HEALTH_OPTIONS.items()}
    with connect(user="inspector") as door:
        health = read_health(door, {**defaults, **options})
    return {**health.objects, "sentence": health.sentence}


def addresses(report: dict[str, t.Any], severity: str) -> set[str]:
    return {
        f"{one['code']}:{one['namespace']}/{one['name']}" if one["namespace"] else f"{one['code']}:{one['name']}"
        for one in report["findings"]
        if one["severity"] == severity
    }


@pytest.mark.usefixtures("unfit")
def test_each_check_finds_what_is_wrong(connect: Connect) -> None:
    report = look(connect, checks=WITHOUT_KUBELETS, target_version="4.22.1")
    assert addresses(report, "fault") == FAULTS
    assert addresses(report, "unsettled") == {"csr_pending:csr-worker-0"}
    assert addresses(report, "notice") == {"alerts_unread:all"}
    assert (report["healthy"], report["settled"]) == (False, False)


@pytest.mark.usefixtures("unfit")
def test_what_is_not_asked_for_is_not_looked_at(connect: Connect) -> None:
    assert look(connect)["findings"] == []


def test_a_fit_cluster_has_no_findings(site: ApiServer, connect: Connect) -> None:
    clear_doubts(site.rest)
    site.rest.apply(etcd())
    site.rest.apply(lease("worker-0", ahead=0))
    report = look(connect, checks=[name for name in WITHOUT_KUBELETS if name != "alerts"], target_version="4.22.1")
    assert (report["findings"], report["settled"]) == ([], True)


@pytest.mark.parametrize(
    ("method", "target", "faults"),
    [
        pytest.param("node", "4.22.1", set(), id="no concern of pins on nodes"),
        pytest.param("pinned_image_set", "4.22.1", {"pinned_image_sets_beyond_limit:master"}, id="beyond the limit"),
        pytest.param("pinned_image_set", "4.18.9", {"pinned_image_sets_unused:version"}, id="of no use"),
    ],
)
def test_pinned_image_sets_are_judged_where_they_are_the_method(
    site: ApiServer, connect: Connect, method: str, target: str, faults: set[str]
) -> None:
    images = [f"quay.io/site/app@sha256:{number:064x}" for number in range(300)]
    site.rest.apply(pinned_image_set("site", "master", images))
    report = look(connect, checks=["pinned_image_sets"], pin_method=method, target_version=target)
    site.rest.delete(f"{SETS}/site")
    assert addresses(report, "fault") == faults


@pytest.mark.usefixtures("unfit")
def test_removed_apis_are_faults_only_for_an_update_that_removes_them(connect: Connect) -> None:
    report = look(connect, checks=["removed_apis"], target_version="4.21.5")
    assert (addresses(report, "fault"), len(addresses(report, "notice"))) == (set(), 1)


@pytest.mark.usefixtures("unfit")
def test_requests_do_not_grow_with_pods(site: ApiServer, connect: Connect) -> None:
    look(connect, checks=["budgets", "pull_policy"])
    mark = site.audit.mark()
    look(connect, checks=["budgets", "pull_policy"])
    listed = [one.resource for one in site.audit.requests(mark) if one.verb == "list"]
    assert sorted(listed) == [
        "config.openshift.io/clusteroperators",
        "config.openshift.io/clusterversions",
        "machineconfiguration.openshift.io/machineconfigpools",
        "nodes",
        "pods",
        "policy/poddisruptionbudgets",
    ]


def role(site: ApiServer, folder: Path) -> RolePlay:
    return RolePlay(folder, site.kubeconfig_for("inspector"), "check_site", ["check_site_summary"])


def test_the_gate_is_closed_and_says_what_to_do(unfit: ApiServer, tmp_path: Path) -> None:
    run = role(unfit, tmp_path).run(check_site_checks=WITHOUT_KUBELETS, check_site_target_version="4.22.1")
    summary = run.facts["check_site_summary"]
    assert (run.status, summary["passed"], len(summary["faults"])) == (2, False, len(FAULTS)), run.output
    assert "The cluster is not ready: 6 faults" in run.output
    assert "has the pull policy Always for" in run.output
    assert "changed=0" in run.output


def test_what_the_site_lives_with_opens_the_gate(unfit: ApiServer, tmp_path: Path) -> None:
    allowed = [*FAULTS, "node_cordoned:worker-9"]
    run = role(unfit, tmp_path).run(
        check_site_checks=WITHOUT_KUBELETS, check_site_target_version="4.22.1", check_site_allowed=allowed
    )
    summary = run.facts["check_site_summary"]
    assert (run.status, summary["passed"], summary["faults"]) == (0, True, []), run.output
    assert {one["code"] for one in summary["allowed"]} == {one.partition(":")[0] for one in FAULTS}
    assert "These allowed findings matched nothing: node_cordoned:worker-9" in run.output


def test_check_site_tells_a_technician_how_the_site_is(unfit: ApiServer, tmp_path: Path) -> None:
    kubeconfig = str(unfit.kubeconfig_for("inspector"))
    run = run_playbook(tmp_path, "check_site", site_kubeconfig=kubeconfig, site_checks=["etcd"])
    assert run.status == 2
    assert "fault etcd_degraded: Etcd cluster reports EtcdMembersDegraded: member master-1 is unhealthy." in run.output


def test_show_site_status_says_where_the_update_stands_and_what_is_held(
    site: ApiServer, connect: Connect, tmp_path: Path
) -> None:
    site.rest.delete(HEALTH_CHECKS)
    site.rest.apply(health_check("worker"))
    with connect() as door:
        set_automation(door, {"state": "paused", "reason": "change 4711"})
    run = run_playbook(
        tmp_path,
        "show_site_status",
        site_kubeconfig=str(site.kubeconfig_for("inspector")),
        site_change_stanza={"strategy": "RestrictiveUntil", "restrictiveUntil": "2099-07-01T20:00:00Z"},
        site_time_zone="Europe/Berlin",
    )
    with connect() as door:
        set_automation(door, {"state": "restored", "reason": ""})
    assert run.status == 0, run.output
    assert "healthy and settled: 5 of 5 nodes ready" in run.output
    assert "the cluster has been at 4.21.3 since" in run.output
    assert "MachineConfigPool worker: change is restricted: restrictiveUntil is 2099-07-01T20:00:00Z" in run.output
    assert "until 2099-07-01T20:00:00Z (Wed 2099-07-01 22:00 CEST)" in run.output
    assert "MachineHealthCheck worker is paused by" in run.output
    assert "change 4711" in run.output
