# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""node_drain as a user runs it, against the real Eviction API with real budgets."""

from __future__ import annotations

import re
import typing as t
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.modules.drain_site import IMAGE, DrainSite
from ansible_collections.fieldops.openshift.tests.integration.plays import finish_play, run_play, start_play
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.seed import workloads

NODE, OTHER = "worker-0", "worker-1"
Result = dict[str, t.Any]


@pytest.fixture(scope="module")
def whole_site() -> Iterator[DrainSite]:
    with ApiServer.start_openshift(users={"technician": []}) as server:
        yield DrainSite(server, workers=2)


@pytest.fixture
def site(whole_site: DrainSite) -> Iterator[DrainSite]:
    """The cluster with nothing on its nodes; what a test leaves behind is removed."""
    yield whole_site
    for name in (NODE, OTHER):
        whole_site.cordon(name, False)


@pytest.fixture
def shop(site: DrainSite) -> Iterator[str]:
    """A fresh namespace that the controllers know; removed with all that is in it."""
    name = f"shop-{uuid.uuid4().hex[:6]}"
    site.rest.apply(workloads.namespace(name))
    site.wait_for(lambda: site.rest.exists(f"/api/v1/namespaces/{name}/serviceaccounts/default"))
    yield name
    site.remove(name)


def drain(site: DrainSite, tmp_path: Path, *words: str, **options: t.Any) -> Result:
    return run_play(tmp_path, task(site, **options), *words).result


def task(site: DrainSite, **options: t.Any) -> dict[str, t.Any]:
    known = {"kubeconfig": str(site.server.kubeconfig), "name": NODE, "wait": True, "wait_timeout": 200}
    return {"fieldops.openshift.node_drain": {**known, **options}}


def fates(result: Result) -> dict[str, str]:
    return {pod["name"]: pod["fate"] for pod in result["pods"]}


def one_node_only(site: DrainSite) -> None:
    """Keep pods off the other node, so that they are placed on the one that is drained."""
    site.cordon(OTHER, True)


def test_from_full_to_empty_and_back(site: DrainSite, shop: str, tmp_path: Path) -> None:
    one_node_only(site)
    site.deploy("web", shop, 3)
    trial = drain(site, tmp_path, "--check")
    assert (trial["changed"], len(trial["pods"])) == (True, 3)
    assert {pod["fate"] for pod in trial["pods"]} == {"terminating"}
    assert len(site.pods(shop, NODE)) == 3, "check mode evicted a pod"
    assert site.record(NODE) == {}, "check mode wrote on the node"
    mark = site.server.audit.mark()
    done = drain(site, tmp_path, "--diff")
    assert (done["changed"], done["drained"], done["schedulable"]) == (True, True, False)
    assert {pod["fate"] for pod in done["pods"]} == {"removed"}
    assert all(pod["seconds"] is not None and pod["tries"] == 1 for pod in done["pods"])
    assert done["diff"][0]["before"]["unschedulable"] is False
    assert site.pods(shop, NODE) == []
    assert site.record(NODE)["phase"] == "drained"
    assert site.server.audit.count(mark, verb="create", resource="pods/eviction") == 3
    again = drain(site, tmp_path)
    assert (again["changed"], again["drained"], again["pods"]) == (False, True, [])
    assert drain(site, tmp_path, "--check", state="schedulable")["changed"] is True
    back = drain(site, tmp_path, state="schedulable")
    assert (back["changed"], back["schedulable"], site.record(NODE)) == (True, True, {})
    assert drain(site, tmp_path, state="schedulable")["changed"] is False


def test_a_cordon_and_its_record_are_one_request(site: DrainSite, tmp_path: Path) -> None:
    mark = site.server.audit.mark()
    result = drain(site, tmp_path, state="cordoned")
    assert (result["changed"], result["schedulable"], result["drained"]) == (True, False, False)
    assert site.server.audit.count(mark, verb="patch", resource="nodes", user="system:admin") == 1
    assert drain(site, tmp_path, state="cordoned")["changed"] is False


def test_a_budget_is_named_and_waited_for(site: DrainSite, shop: str, tmp_path: Path) -> None:
    one_node_only(site)
    site.deploy("web", shop, 2, minAvailable=1)
    play = start_play(tmp_path, task(site, wait_timeout=200))
    assert play.stdout
    # Right after the first eviction the budget's status is that of before it, and says no numbers.
    told = next(line for line in play.stdout if "which needs" in line)
    # The second pod may go once the first is ready elsewhere, where there is room only now.
    site.cordon(OTHER, False)
    run = finish_play(tmp_path, play)
    assert f"by budget {shop}/web, which needs 1 healthy pods and has 1 currently" in told
    assert (run.result["drained"], set(fates(run.result).values())) == (True, {"removed"})


def test_the_deadline_names_what_still_holds(site: DrainSite, shop: str, tmp_path: Path) -> None:
    one_node_only(site)
    site.deploy("web", shop, 2, maxUnavailable=0)
    mark = site.server.audit.mark()
    result = drain(site, tmp_path, wait_timeout=12)
    assert result["failed"] is True
    assert result["error"]["kind"] == "deadline_exceeded"
    assert f"2 held back: {shop}/web" in result["msg"]
    waited = re.search(r"after (\d+) s the last state was", result["msg"])
    assert waited is not None
    assert 12 <= int(waited[1]) <= 15, "no step of 15 s goes on beyond the deadline"
    assert {(pod["fate"], pod["budget"]) for pod in result["pods"]} == {("blocked", "web")}
    assert result["changed"] is True, "the node was cordoned"
    assert site.server.audit.count(mark, verb="create", resource="pods/eviction") >= 4, "it did not try again"
    assert site.record(NODE)["phase"] == "draining"


def test_check_mode_asks_the_budgets(site: DrainSite, shop: str, tmp_path: Path) -> None:
    one_node_only(site)
    site.deploy("web", shop, 2, maxUnavailable=0)
    result = drain(site, tmp_path, "--check")
    assert {(pod["fate"], pod["budget"]) for pod in result["pods"]} == {("blocked", "web")}
    assert len(site.pods(shop, NODE)) == 2


@pytest.mark.parametrize(
    ("strategy", "fate"),
    [pytest.param("fail", "blocked", id="fail at once"), pytest.param("delete", "removed", id="delete them")],
)
def test_a_budget_has_its_time_and_no_more(
    site: DrainSite, shop: str, tmp_path: Path, strategy: str, fate: str
) -> None:
    one_node_only(site)
    site.deploy("web", shop, 2, minAvailable=2)
    result = drain(site, tmp_path, budget_timeout=3, budget_strategy=strategy)
    assert result.get("failed", False) is (strategy == "fail")
    assert {pod["fate"] for pod in result["pods"]} == {fate}
    if strategy == "fail":
        assert result["error"]["kind"] == "drain_blocked"
        assert f"3 s after its cordon: 0 of 2 pods are removed; 2 held back: {shop}/web" in result["msg"]
    else:
        deleted = [action for action in result["actions"] if action["verb"] == "delete"]
        assert len(deleted) == 2


def test_the_quorum_of_etcd_is_never_passed_over(site: DrainSite, tmp_path: Path) -> None:
    etcd = "openshift-etcd"
    one_node_only(site)
    site.rest.apply(workloads.namespace(etcd))
    site.wait_for(lambda: site.rest.exists(f"/api/v1/namespaces/{etcd}/serviceaccounts/default"))
    site.deploy("guard", etcd, 1, minAvailable=1)
    result = drain(site, tmp_path, budget_timeout=1, budget_strategy="delete", wait_timeout=8)
    assert (result["failed"], {pod["fate"] for pod in result["pods"]}) == (True, {"blocked"})
    assert [action for action in result["actions"] if action["verb"] == "delete"] == []
    site.remove(etcd)


def test_two_budgets_never_let_go_and_the_others_go_all_the_same(site: DrainSite, shop: str, tmp_path: Path) -> None:
    one_node_only(site)
    site.deploy("web", shop, 1, maxUnavailable=1)
    twin = workloads.disruption_budget("web", namespace=shop, maxUnavailable=1)
    site.rest.apply({**twin, "metadata": {"name": "twin", "namespace": shop}})
    site.place(workloads.pod("free", IMAGE, namespace=shop), NODE)
    result = drain(site, tmp_path, force=True)
    assert result["error"]["kind"] == "drain_blocked"
    assert "more than one PodDisruptionBudget" in result["msg"]
    assert sorted(fates(result).values()) == ["refused", "removed"]


def test_nothing_happens_when_any_pod_may_not_go(site: DrainSite, shop: str, tmp_path: Path) -> None:
    one_node_only(site)
    site.deploy("web", shop, 1)
    site.place(workloads.with_local_data(workloads.pod("alone", IMAGE, namespace=shop)), NODE)
    result = drain(site, tmp_path)
    assert result["error"]["kind"] == "drain_refused"
    assert "force permits that" in result["msg"]
    assert "delete_emptydir_data permits that" in result["msg"]
    assert (len(site.pods(shop, NODE)), site.record(NODE), result["changed"]) == (2, {}, False)
    permitted = drain(site, tmp_path, force=True, delete_emptydir_data=True)
    assert (permitted["drained"], len(site.pods(shop, NODE))) == (True, 0)


def test_daemons_stay(site: DrainSite, shop: str, tmp_path: Path) -> None:
    site.rest.apply(workloads.daemon_set("dns", IMAGE, namespace=shop))
    site.wait_for(lambda: len(site.pods(shop, NODE)) == 1)
    result = drain(site, tmp_path)
    assert (result["drained"], set(fates(result).values())) == (True, {"left"})
    assert "DaemonSet" in result["pods"][0]["reason"]


def test_a_foreign_cordon_is_kept_to_the_end(site: DrainSite, tmp_path: Path) -> None:
    site.cordon(NODE, True)
    assert drain(site, tmp_path)["error"]["kind"] == "foreign_cordon"
    assert site.record(NODE) == {}
    assert drain(site, tmp_path, foreign_cordon="keep")["drained"] is True
    back = drain(site, tmp_path, state="schedulable")
    assert (back["changed"], back["schedulable"], site.record(NODE)) == (True, False, {})
    refused = drain(site, tmp_path, state="schedulable")
    assert refused["error"]["kind"] == "foreign_cordon"
    assert "fieldops-lab" in refused["msg"], "who cordoned the node is known to the server"


def test_a_finalizer_is_told_and_then_the_deadline(site: DrainSite, shop: str, tmp_path: Path) -> None:
    site.place(workloads.with_finalizer(workloads.pod("held", IMAGE, namespace=shop)), NODE)
    result = drain(site, tmp_path, force=True, wait_timeout=4)
    assert f"{shop}/held held by finalizers lab.fieldops.example/hold" in result["msg"]
    assert fates(result) == {"held": "terminating"}


def test_it_outlasts_an_outage_of_the_api(site: DrainSite, shop: str, tmp_path: Path) -> None:
    one_node_only(site)
    site.deploy("web", shop, 2, maxUnavailable=0)
    mark = site.server.audit.mark()
    play = start_play(tmp_path, task(site, wait_timeout=200))
    site.server.audit.wait_for(mark, verb="create", resource="pods/eviction")
    site.server.stop()
    site.server.start()
    site.rest.delete(f"/apis/policy/v1/namespaces/{shop}/poddisruptionbudgets/web")
    result = finish_play(tmp_path, play).result
    assert (result["drained"], set(fates(result).values())) == (True, {"removed"})


def test_a_wrong_name_is_said(site: DrainSite, tmp_path: Path) -> None:
    assert drain(site, tmp_path, name="nobody")["error"]["kind"] == "no_such_node"
