# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import time
import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.journal_entries import Journal
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.order import (
    OrderRules,
    RolloutPlan,
    away_limit,
    plan_rollout,
    quorum_limit,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.standing import (
    RolloutNode,
    StandingRules,
    pool_of,
    standing_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_record import (
    ABORTED,
    DONE,
    DRAINED,
    DRAINING,
    FAILED,
    REBOOTING,
    ROLLOUT_ANNOTATION,
    SKIPPED,
    WAITING,
    NodeRecord,
)

CONFIG = "machineconfiguration.openshift.io/currentConfig"
Node = dict[str, t.Any]
EARLY, LATER = "2026-11-21T22:00:00.000000Z", "2026-11-21T22:05:00.000000Z"


def record(phase: str, rollout: str = "r1", since: str = EARLY, **changes: t.Any) -> NodeRecord:
    return NodeRecord(**{"rollout": rollout, "target": "t1", "phase": phase, "since": since, **changes})


def node(
    name: str,
    *,
    zone: str = "",
    created: str = "2026-01-01T00:00:00Z",
    config: str = "",
    ready: bool = True,
    cordoned: bool = False,
    noted: NodeRecord | None = None,
    role: str = "",
) -> Node:
    roles = role or ("master" if name.startswith("m") else "arbiter" if name.startswith("a") else "worker")
    labels = {f"node-role.kubernetes.io/{roles}": ""}
    notes = {CONFIG: config} if config else {}
    if noted:
        notes[ROLLOUT_ANNOTATION] = noted.as_text()
    if zone:
        labels["topology.kubernetes.io/zone"] = zone
    return {
        "metadata": {"name": name, "labels": labels, "annotations": notes, "creationTimestamp": created},
        "spec": {"unschedulable": cordoned},
        "status": {"conditions": [{"type": "Ready", "status": str(ready), "message": "as it is"}]},
    }


def standings(nodes: list[Node], **entries: NodeRecord) -> list[RolloutNode]:
    journal = Journal("r1", "t1", entries=entries)
    return [standing_of(one, pool_of(one, []), journal, StandingRules("t1")) for one in nodes]


def plan(nodes: list[Node], rules: OrderRules | None = None, **entries: NodeRecord) -> RolloutPlan:
    known = standings(nodes, **entries)
    return plan_rollout(known[::-1], known, rules or OrderRules())


def names(planned: RolloutPlan) -> list[str]:
    return [one.name for one in planned.nodes]


def following(planned: RolloutPlan) -> str:
    return planned.next.name if planned.next else planned.blocked


@pytest.mark.parametrize(
    ("nodes", "expected"),
    [
        pytest.param([node("w2"), node("w10"), node("w1")], ["w1", "w10", "w2"], id="by name at last"),
        pytest.param(
            [node("w1", created="2026-02-01T00:00:00Z"), node("w2", created="2026-01-01T00:00:00Z")],
            ["w2", "w1"],
            id="the oldest first",
        ),
        pytest.param(
            [node("w1"), node("w2", zone="b"), node("w3", zone="a", created="2026-09-01T00:00:00Z")],
            ["w3", "w2", "w1"],
            id="zone by zone, unzoned last",
        ),
        pytest.param(
            [node("w1", zone="a", config="new"), node("w2", zone="b", config="old")],
            ["w2", "w1"],
            id="the oldest configuration before the zone",
        ),
        pytest.param([node("w1"), node("m1"), node("m0")], ["m0", "m1", "w1"], id="the control plane first"),
        pytest.param(
            [node("w1", config="unknown"), node("w2", config="new")], ["w2", "w1"], id="an unknown configuration last"
        ),
        pytest.param(
            [node("w1", noted=record(ABORTED)), node("w2")], ["w1", "w2"], id="an ended record changes nothing"
        ),
    ],
)
def test_the_order_of_nodes(nodes: list[Node], expected: list[str]) -> None:
    ages = {"old": "2026-01-01T00:00:00Z", "new": "2026-05-01T00:00:00Z"}
    assert names(plan(nodes, OrderRules(config_ages=ages))) == expected


def test_the_control_plane_comes_last_if_asked() -> None:
    nodes = [node("w1"), node("m0"), node("m1")]
    assert names(plan(nodes, OrderRules(control_plane="last"))) == ["w1", "m0", "m1"]


def test_a_deferred_node_comes_last_in_its_group() -> None:
    nodes = [node("m0"), node("m1"), node("w1")]
    assert names(plan(nodes, OrderRules(deferred=["m0"]))) == ["m1", "m0", "w1"]


def test_what_we_have_begun_comes_first_the_furthest_before_all_then_the_earliest() -> None:
    nodes = [
        node("m0"),
        node("w1", noted=record(FAILED), cordoned=True),
        node("w2", noted=record(REBOOTING, since=LATER), cordoned=True, ready=False),
        node("w3", noted=record(DRAINED), cordoned=True),
        node("w4", noted=record(DRAINING, since=LATER), cordoned=True),
    ]
    assert names(plan(nodes)) == ["w2", "w3", "w1", "w4", "m0"]
    assert following(plan(nodes)) == "w2"


def test_a_failed_node_that_is_set_aside_counts_as_away() -> None:
    nodes = [node("w1", noted=record(FAILED), cordoned=True), node("w2"), node("w3")]
    assert "w1 is unavailable" in following(plan(nodes, OrderRules(set_aside=["w1"])))
    assert following(plan(nodes, OrderRules(set_aside=["w1"], default_unavailable="2"))) == "w2"


def test_what_forbids_every_beginning_lets_the_begun_finish() -> None:
    rules = OrderRules(obstacle="kured is rebooting w9")
    assert following(plan([node("w1"), node("w2")], rules)) == rules.obstacle
    assert following(plan([node("w1"), node("w2", noted=record(REBOOTING), cordoned=True)], rules)) == "w2"
    assert plan([node("w1", noted=record(DONE))], rules).blocked == ""


@pytest.mark.parametrize(
    ("found", "entries", "standing"),
    [
        pytest.param(node("w1"), {}, "pending", id="untouched"),
        pytest.param(node("w1", noted=record(DONE)), {}, "done", id="done in this rollout"),
        pytest.param(node("w1", noted=record(DONE, rollout="r0")), {}, "done", id="done for the same target"),
        pytest.param(node("w1", noted=record(DONE, rollout="r0", target="t0")), {}, "pending", id="for another"),
        pytest.param(node("w1"), {"w1": record(DONE)}, "done", id="done, says the journal alone"),
        pytest.param(node("w1"), {"w1": record(DRAINING)}, "in_progress", id="begun in the journal, not on the node"),
        pytest.param(
            node("w1", noted=record(DONE, since=LATER)),
            {"w1": record(REBOOTING)},
            "done",
            id="killed before the journal",
        ),
        pytest.param(
            node("w1", noted=record(DRAINING), cordoned=True),
            {"w1": record(REBOOTING, since=LATER)},
            "in_progress",
            id="killed before the node",
        ),
        pytest.param(
            node("w1", noted=record(DRAINED), cordoned=True),
            {"w1": record(WAITING, since=LATER)},
            "in_progress",
            id="the journal was lost and begun again",
        ),
        pytest.param(node("w1", cordoned=True), {}, "held_back", id="a foreign cordon"),
        pytest.param(
            node("w1", noted=record(DONE, target="t0", rollout="r0"), cordoned=True), {}, "held_back", id="again"
        ),
        pytest.param(node("w1", ready=False), {}, "held_back", id="not ready"),
        pytest.param(node("w1", noted=record(DRAINING, rollout="r9")), {}, "held_back", id="of another rollout"),
        pytest.param(node("w1", noted=record(ABORTED)), {}, "pending", id="given back"),
        pytest.param(node("w1"), {"w1": record(SKIPPED, reason="ticket 4711")}, "skipped", id="left out"),
    ],
)
def test_where_a_node_stands(found: Node, entries: dict[str, NodeRecord], standing: str) -> None:
    assert standings([found], **entries)[0].standing == standing


def test_a_rollout_without_a_target_does_only_what_it_has_not_done_itself() -> None:
    found = node("w1", noted=record(DONE, rollout="r0", target=""))
    assert standing_of(found, "worker", Journal("r1"), StandingRules()).standing == "pending"


def test_a_damaged_record_holds_its_node_back_and_no_other() -> None:
    damaged = node("w1")
    damaged["metadata"]["annotations"][ROLLOUT_ANNOTATION] = "{"
    planned = plan([damaged, node("m0")])
    assert [(one.name, one.standing) for one in planned.nodes] == [("m0", "pending"), ("w1", "held_back")]


def test_the_later_of_node_and_journal_says_where_it_goes_on() -> None:
    (found,) = standings([node("w1", noted=record(DRAINING), cordoned=True)], w1=record(REBOOTING, since=LATER))
    assert found.record
    assert found.record.resumes_in == REBOOTING


AWAY = pytest.mark.parametrize(
    "away",
    [
        pytest.param({"cordoned": True}, id="cordoned by somebody"),
        pytest.param({"ready": False}, id="not ready"),
        pytest.param({"noted": record(DRAINING, rollout="r9")}, id="in another rollout"),
    ],
)


@AWAY
def test_a_node_that_is_away_counts(away: dict[str, t.Any]) -> None:
    planned = plan([node("w1"), node("w2", **away), node("w3")])
    assert planned.next is None
    assert planned.blocked.startswith("1 of 3 nodes of pool worker may be unavailable, and w2 is unavailable (")
    assert planned.remaining == ["w1", "w3"]


@AWAY
def test_a_larger_limit_lets_the_others_go_on(away: dict[str, t.Any]) -> None:
    nodes = [node("w1"), node("w2", **away), node("w3")]
    assert following(plan(nodes, OrderRules(max_unavailable={"worker": "2"}))) == "w1"


def test_pools_are_counted_apart() -> None:
    assert following(plan([node("m0"), node("m1"), node("m2"), node("w1", ready=False)])) == "m0"


def test_a_blocked_pool_does_not_hold_up_another() -> None:
    nodes = [node("m0", ready=False), node("m1"), node("m2"), node("w1")]
    planned = plan(nodes)
    assert (following(planned), list(planned.blocked_pools)) == ("w1", ["master"])


def test_a_node_that_was_left_out_and_is_away_blocks_the_rest_of_its_pool() -> None:
    nodes = [node("m0"), node("w1", cordoned=True), node("w2")]
    planned = plan(nodes, w1=record(SKIPPED))
    assert following(planned) == "m0"
    assert planned.blocked_pools == {
        "worker": "1 of 2 nodes of pool worker may be unavailable, and w1 is unavailable (not schedulable)"
    }


def test_a_pool_with_a_node_that_may_be_taken_is_not_blocked() -> None:
    nodes = [node("m0"), node("m1"), node("w1"), node("w2")]
    assert plan(nodes, OrderRules(silent_members=["m1"])).blocked_pools == {
        "master": "etcd could lose its quorum of 2 members: m1 is unavailable (its etcd member is not serving)"
    }
    assert plan(nodes).blocked_pools == {}


def test_nodes_that_were_not_asked_for_count_as_well() -> None:
    everybody = standings([node("w1"), node("w2", cordoned=True)])
    planned = plan_rollout([one for one in everybody if one.name == "w1"], everybody, OrderRules())
    assert "w2 is unavailable" in planned.blocked


def test_a_member_of_etcd_that_does_not_serve_counts_although_its_node_is_ready() -> None:
    planned = plan([node("m0"), node("m1"), node("m2")], OrderRules(silent_members=["m1"]))
    assert planned.next is None
    assert (
        planned.blocked == "etcd could lose its quorum of 3 members: m1 is unavailable (its etcd member is not serving)"
    )


def test_a_begun_node_goes_on_whose_own_etcd_does_not_serve() -> None:
    nodes = [node("m0", cordoned=True, noted=record(DRAINING)), node("m1"), node("m2")]
    assert following(plan(nodes, OrderRules(silent_members=["m0"]))) == "m0"


@pytest.mark.parametrize(
    ("phase", "expected"),
    [
        pytest.param(DRAINING, "1 of 3 nodes of pool master may be unavailable, and m1", id="not yet empty"),
        pytest.param(DRAINED, "etcd could lose its quorum of 3 members: m1 is unavailable", id="not yet down"),
        pytest.param(REBOOTING, "m0", id="perhaps down already"),
    ],
)
def test_a_begun_node_does_not_go_down_when_another_member_was_lost_meanwhile(phase: str, expected: str) -> None:
    nodes = [node("m0", cordoned=True, noted=record(phase)), node("m1", ready=False), node("m2")]
    assert following(plan(nodes)).startswith(expected)


@pytest.mark.parametrize(
    ("phase", "expected"),
    [
        pytest.param(DRAINING, "1 of 3 nodes of pool worker may be unavailable, and w2", id="its pods are still there"),
        pytest.param(FAILED, "1 of 3 nodes of pool worker may be unavailable, and w2", id="it could not be drained"),
        pytest.param(DRAINED, "w1", id="it is out of service already"),
    ],
)
def test_a_begun_node_is_not_emptied_when_another_was_lost_meanwhile(phase: str, expected: str) -> None:
    nodes = [node("w1", cordoned=True, noted=record(phase)), node("w2", ready=False), node("w3")]
    assert following(plan(nodes)).startswith(expected)
    assert following(plan(nodes, OrderRules(default_unavailable="2"))) == "w1"


@pytest.mark.parametrize("role", ["m", "w"])
def test_nodes_that_two_jobs_have_begun_do_not_wait_for_each_other(role: str) -> None:
    both = [node(f"{role}{number}", cordoned=True, noted=record(DRAINING)) for number in (0, 1)]
    assert following(plan([*both, node(f"{role}2")])) == f"{role}0"
    both[1] = node(f"{role}1", cordoned=True, noted=record(DRAINING), ready=False)
    assert f"{role}1 is unavailable" in following(plan([*both, node(f"{role}2")]))


def test_a_begun_node_whose_etcd_was_lost_is_away_for_the_others() -> None:
    both = [node(f"m{number}", cordoned=True, noted=record(DRAINING)) for number in (0, 1)]
    assert "m1 is unavailable" in following(plan([*both, node("m2")], OrderRules(silent_members=["m1"])))


def test_a_record_of_an_unknown_phase_is_taken_for_the_earliest() -> None:
    odd = node("w1", cordoned=True, noted=record(FAILED, failed_in="elsewhere"))
    others = [
        node("w0", cordoned=True, noted=record(DRAINING, since=LATER)),
        node("w2", cordoned=True, noted=record(DRAINED)),
    ]
    assert names(plan([odd, *others])) == ["w2", "w1", "w0"]


def test_etcd_keeps_its_quorum_whatever_the_limit_says() -> None:
    nodes = [node("m0"), node("m1", ready=False), node("m2")]
    assert "quorum of 3 members" in plan(nodes, OrderRules(default_unavailable="3")).blocked


def test_an_arbiter_is_a_member_too() -> None:
    nodes = [node("m0"), node("m1"), node("a0", ready=False)]
    assert "quorum of 3 members: a0" in plan(nodes, OrderRules(default_unavailable="3")).blocked


def test_five_members_can_spare_two() -> None:
    nodes = [node("m0"), node("m1", ready=False), *(node(f"m{number}") for number in (2, 3, 4))]
    assert following(plan(nodes, OrderRules(default_unavailable="2"))) == "m0"


@pytest.mark.parametrize("count", [1, 2])
def test_a_cluster_with_no_member_to_spare_can_be_rolled_all_the_same(count: int) -> None:
    assert following(plan([node(f"m{number}") for number in range(count)])) == "m0"


@pytest.mark.parametrize(("members", "limit"), [(1, 1), (2, 1), (3, 1), (4, 1), (5, 2), (7, 3)])
def test_how_many_members_of_etcd_may_be_away(members: int, limit: int) -> None:
    assert quorum_limit(members) == limit


@pytest.mark.parametrize(
    ("text", "size", "limit"),
    [
        *(("1", 3, 1), ("2", 3, 2), ("25%", 6, 1), ("50%", 5, 2), ("10%", 3, 1), ("0", 3, 1), ("0%", 3, 1)),
        *((" 3 ", 9, 3), ("100%", 100, 100), ("99%", 100, 99), ("99999", 3, 99999)),
    ],
)
def test_limits_are_those_of_the_machine_config_operator(text: str, size: int, limit: int) -> None:
    assert away_limit(text, size) == limit


@pytest.mark.parametrize("text", ["", "one", "-1", "1.5", "%", "10 %", "٣", "100000", "9" * 60])
def test_what_is_no_limit_is_refused(text: str) -> None:
    with pytest.raises(InvalidInputError, match="percentage") as told:
        away_limit(text, 3)
    assert told.value.on == repr(text[:40])


@pytest.mark.parametrize(("count", "expected"), [(3, "1 of 3 nodes"), (4, "w1")])
def test_a_percentage_is_of_all_nodes_of_the_pool(count: int, expected: str) -> None:
    nodes = [node("w0", ready=False), *(node(f"w{number}") for number in range(1, count))]
    assert following(plan(nodes, OrderRules(default_unavailable="50%"))).startswith(expected)


def custom_pool(name: str, **labels: str) -> Node:
    return {"metadata": {"name": name}, "spec": {"nodeSelector": {"matchLabels": labels}}}


@pytest.mark.parametrize(
    ("found", "pool"),
    [
        (node("w1"), "worker"),
        (node("w1", role="infra"), "infra"),
        (node("m1"), "master"),
        (node("x1", role="control-plane"), "master"),
        (node("a1"), "arbiter"),
    ],
)
def test_which_pool_a_node_belongs_to(found: Node, pool: str) -> None:
    pools = [
        custom_pool("worker"),
        custom_pool("master"),
        custom_pool("infra", **{"node-role.kubernetes.io/infra": ""}),
        custom_pool("empty"),
        {"metadata": {"name": "bare"}, "spec": {}},
    ]
    assert pool_of(found, pools) == pool


def test_two_thousand_nodes_are_planned_quickly() -> None:
    nodes = [node(f"w{number}", zone=f"z{number % 7}") for number in range(2000)]
    started = time.process_time()
    assert plan(nodes).next
    assert time.process_time() - started < 2.0
