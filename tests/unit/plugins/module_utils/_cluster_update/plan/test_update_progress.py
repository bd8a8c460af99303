# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.release_request import (
    ReleaseRequest,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.update_pool import UpdatePool
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.update_progress import (
    COMPLETED,
    FAILING,
    NONE,
    PARTIAL,
    REFUSED,
    REQUESTED,
    SUPERSEDED,
    UpdateProgress,
    progress_of,
    waits_for_last_operator,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.version_state import VersionState
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.operator_state import OperatorState

DIGEST = "a" * 64
IMAGE = f"quay.io/release@sha256:{DIGEST}"
REQUEST = ReleaseRequest.of(IMAGE, "4.21.5")
BEFORE = {"state": "Completed", "version": "4.21.3", "image": "quay.io/release@sha256:" + "b" * 64}
BEGUN = {"state": "Partial", "version": "4.21.5", "image": IMAGE, "startedTime": "2026-11-21T22:00:00Z"}
ENDED = {**BEGUN, "state": "Completed", "completionTime": "2026-11-21T23:00:00Z"}
DESIRED = {"image": IMAGE, "version": "4.21.5"}


def cluster(
    *history: dict[str, str],
    request: dict[str, t.Any] | None = None,
    said: tuple[str, str, str] | None = None,
    seen: bool = True,
) -> VersionState:
    entries = history or (BEFORE,)
    conditions = [{"type": said[0], "status": said[1], "message": said[2], "lastTransitionTime": "t"}] if said else []
    return VersionState.of(
        {
            "metadata": {"generation": 2},
            "spec": {"desiredUpdate": DESIRED if request is None else request},
            "status": {
                "history": entries,
                "desired": {"image": entries[0]["image"], "version": entries[0]["version"]},
                "conditions": conditions,
                "observedGeneration": 2 if seen else 1,
            },
        }
    )


def operators(**versions: str) -> list[OperatorState]:
    wanted = versions or {"etcd": "4.21.5", "machine_config": "4.21.5"}
    return [
        OperatorState.of(
            {
                "metadata": {"name": name.replace("_", "-")},
                "status": {"versions": [{"name": "operator", "version": version}]},
            }
        )
        for name, version in wanted.items()
    ]


def pool(name: str, done: int, *, paused: bool = False, at: str = "", rendered_for: str = "4.21.5") -> UpdatePool:
    updated = [{"type": "Updated", "status": "True" if done == 3 else "False", "lastTransitionTime": at}]
    counts = {"machineCount": 3, "updatedMachineCount": done}
    return UpdatePool.of(
        {"metadata": {"name": name}, "spec": {"paused": paused}, "status": {**counts, "conditions": updated}},
        rendered_for,
    )


def progress(
    seen: VersionState, pools: tuple[UpdatePool, ...] = (), found: list[OperatorState] | None = None
) -> UpdateProgress:
    return progress_of(REQUEST, seen, operators() if found is None else found, pools)


@pytest.mark.parametrize(
    ("seen", "state"),
    [
        pytest.param(cluster(request={}), NONE, id="nobody asked"),
        pytest.param(cluster(request={**DESIRED, "force": True}), NONE, id="forced, to be asked for without"),
        pytest.param(cluster(seen=False), REQUESTED, id="the operator has yet to look"),
        pytest.param(cluster(said=("Invalid", "True", "no such version")), REFUSED, id="not a valid request"),
        pytest.param(
            cluster(said=("ReleaseAccepted", "False", f"image sha256:{DIGEST} cannot be verified")),
            REFUSED,
            id="refused",
        ),
        pytest.param(
            cluster(said=("ReleaseAccepted", "False", "image sha256:cccc cannot be verified")),
            REQUESTED,
            id="the answer to an earlier request is none to this",
        ),
        pytest.param(
            cluster(said=("ReleaseAccepted", "False", f"image sha256:{DIGEST}"), seen=False),
            REQUESTED,
            id="the answer to an earlier look is none to this",
        ),
        pytest.param(cluster(BEGUN, BEFORE), PARTIAL, id="begun"),
        pytest.param(cluster(BEGUN, BEFORE, said=("Failing", "True", "etcd")), FAILING, id="in trouble"),
        pytest.param(cluster(ENDED, BEFORE), COMPLETED, id="ended"),
        pytest.param(cluster(ENDED, BEFORE, request={}), COMPLETED, id="ended, and the request was cleared since"),
        pytest.param(
            cluster(BEFORE, BEGUN, request={"image": BEFORE["image"], "version": "4.21.3"}),
            SUPERSEDED,
            id="left for another",
        ),
        pytest.param(
            cluster(BEFORE, ENDED, request={"image": BEFORE["image"], "version": "4.21.3"}),
            NONE,
            id="it was there, once",
        ),
    ],
)
def test_states(seen: VersionState, state: str) -> None:
    assert progress(seen).state == state


def test_a_refusal_quotes_the_operator_and_says_since_when() -> None:
    found = progress(cluster(said=("ReleaseAccepted", "False", f"sha256:{DIGEST} cannot be verified")))
    assert found.sentence == f"the cluster version operator rejects 4.21.5: sha256:{DIGEST} cannot be verified"
    assert (found.trouble_since, found.trouble) == ("t", f"sha256:{DIGEST} cannot be verified")


def test_what_the_operator_does_before_its_answer_is_told() -> None:
    found = progress(cluster(said=("ReleaseAccepted", "Unknown", "Retrieving and verifying payload")))
    assert found.sentence.endswith("has not accepted 4.21.5 yet: Retrieving and verifying payload")


def test_operators_that_are_next_are_named_up_to_three() -> None:
    behind = operators(etcd="4.21.3", dns="4.21.3", ingress="4.21.3", network="4.21.3", storage="4.21.5")
    found = progress(cluster(BEGUN), found=behind)
    assert found.sentence == "updating to 4.21.5: 1 of 5 operators are updated; next etcd, dns, ingress and 1 more"
    assert found.operators_behind == ("etcd", "dns", "ingress", "network")
    assert not found.waits_for_nodes


def test_the_last_operator_waits_for_the_nodes_of_required_pools() -> None:
    found = progress(
        cluster(BEGUN),
        (pool("master", 1, paused=True), pool("worker", 0, paused=True)),
        operators(etcd="4.21.5", machine_config="4.21.3"),
    )
    assert found.waits_for_nodes
    assert found.sentence == (
        "updating to 4.21.5: 1 of 2 operators are updated; "
        "machine-config is waiting for its nodes: pool master has 1 of 3 nodes updated, it is paused"
    )


def test_it_does_not_wait_for_nodes_before_required_pools_have_their_new_configuration() -> None:
    pools = (pool("master", 3), pool("worker", 0, paused=True))
    found = progress(cluster(BEGUN), pools, operators(etcd="4.21.5", machine_config="4.21.3"))
    assert not found.reaches("operators"), "whoever rolls the nodes now finds nothing to do"
    assert found.sentence.endswith("machine-config is in progress, and no node has a new configuration yet")


YET_TO_RENDER = "machine-config has not rendered the configuration of 4.21.5 yet for "


@pytest.mark.parametrize(
    ("pools", "reached", "said"),
    [
        pytest.param(
            (pool("master", 1, rendered_for="4.21.3"),),
            False,
            f"{YET_TO_RENDER}pool master",
            id="its nodes wait for an older one",
        ),
        pytest.param(
            (pool("master", 3, rendered_for="4.21.3"),), False, f"{YET_TO_RENDER}pool master", id="no node waits"
        ),
        pytest.param(
            (pool("master", 3, at="2026-11-21T22:30:00Z", rendered_for="4.21.3"),),
            False,
            f"{YET_TO_RENDER}pool master",
            id="its nodes got an older one since the release was begun",
        ),
        pytest.param((pool("master", 1, rendered_for=""),), False, f"{YET_TO_RENDER}pool master", id="for no release"),
        pytest.param(
            (pool("master", 1), pool("arbiter", 3, rendered_for="4.21.3")),
            False,
            f"{YET_TO_RENDER}pool arbiter",
            id="one of two",
        ),
        pytest.param(
            (pool("master", 1), pool("worker", 1, rendered_for="")),
            True,
            "is waiting for its nodes: pool master has 1 of 3 nodes updated",
            id="workers are not required",
        ),
    ],
)
def test_nodes_are_what_is_left_once_the_release_is_rendered_for_required_pools(
    pools: tuple[UpdatePool, ...], reached: bool, said: str
) -> None:
    found = progress(cluster(BEGUN), pools, operators(etcd="4.21.5", machine_config="4.21.3"))
    assert (found.reaches("operators"), found.waits_for_nodes) == (reached, reached)
    assert found.sentence.endswith(said)
    assert found.nodes_updated == ""


@pytest.mark.parametrize(
    ("seen", "found", "left"),
    [
        pytest.param(cluster(BEGUN), {"etcd": "4.21.5", "machine_config": "4.21.3"}, True, id="machine-config is left"),
        pytest.param(cluster(BEGUN), {"etcd": "4.21.3", "machine_config": "4.21.3"}, False, id="another is behind"),
        pytest.param(cluster(BEGUN), {"etcd": "4.21.5", "machine_config": "4.21.5"}, True, id="none is behind"),
        pytest.param(cluster(ENDED), {"etcd": "4.21.5", "machine_config": "4.21.3"}, False, id="it has ended"),
    ],
)
def test_what_is_rendered_matters_once_no_operator_but_the_last_is_behind(
    seen: VersionState, found: dict[str, str], left: bool
) -> None:
    assert waits_for_last_operator(seen, operators(**found)) is left


def test_once_required_pools_are_updated_the_last_operator_has_yet_to_see_it() -> None:
    pools = (pool("master", 3, at="2026-11-21T22:30:00Z"), pool("worker", 0, paused=True))
    found = progress(cluster(BEGUN), pools, operators(etcd="4.21.5", machine_config="4.21.3"))
    assert found.sentence.endswith("machine-config has not detected yet that its nodes are updated")
    assert (found.reaches("operators"), found.waits_for_nodes) == (True, False)


@pytest.mark.parametrize(
    ("pools", "behind", "updated"),
    [
        pytest.param((pool("master", 3, at="9"), pool("arbiter", 3, at="8")), "4.21.3", "9", id="the last of them"),
        pytest.param((pool("master", 3, at="7"), pool("worker", 3, at="9")), "4.21.3", "7", id="workers do not count"),
        pytest.param((pool("master", 3, at="7"), pool("arbiter", 1, at="6")), "4.21.3", "", id="one still waits"),
        pytest.param((pool("master", 3, at="7"),), "4.21.5", "7", id="the operator has seen it"),
    ],
)
def test_when_the_nodes_were_updated_that_the_last_operator_waited_for(
    pools: tuple[UpdatePool, ...], behind: str, updated: str
) -> None:
    found = progress(cluster(BEGUN), pools, operators(etcd="4.21.5", machine_config=behind))
    assert found.nodes_updated == updated


def test_nodes_are_no_reason_to_be_patient_with_another_operator() -> None:
    found = progress(cluster(BEGUN), (pool("master", 3, at="7"),), operators(etcd="4.21.3", machine_config="4.21.5"))
    assert found.nodes_updated == ""


def test_half_updated_workers_after_the_end_are_told_as_what_they_are() -> None:
    found = progress(cluster(ENDED), (pool("master", 3), pool("worker", 1, paused=True)))
    assert found.sentence == (
        "the cluster has been at 4.21.5 since 2026-11-21T23:00:00Z; pool worker has 1 of 3 nodes updated, it is paused"
    )


def test_the_end_says_that_the_nodes_are_there_too() -> None:
    assert progress(cluster(ENDED), (pool("worker", 3),)).sentence.endswith(", and so have all nodes")


@pytest.mark.parametrize(("workers", "reached"), [(3, True), (1, False)])
def test_nodes_of_workers_are_waited_for_too_where_that_is_asked(workers: int, reached: bool) -> None:
    found = progress(cluster(ENDED), (pool("master", 3), pool("worker", workers)))
    assert (found.reaches("completed"), found.reaches("nodes")) == (True, reached)


def test_an_operator_that_left_with_the_release_is_not_waited_for() -> None:
    assert progress(cluster(BEGUN), found=[]).waits_for_nodes is False


@pytest.mark.parametrize(
    ("state", "waits_for_nodes", "reached"),
    [
        (REQUESTED, False, []),
        (REFUSED, False, []),
        (PARTIAL, False, ["accepted"]),
        (FAILING, False, ["accepted"]),
        (PARTIAL, True, ["accepted", "operators"]),
        (COMPLETED, False, ["accepted", "operators", "completed", "nodes"]),
    ],
)
def test_goals(state: str, waits_for_nodes: bool, reached: list[str]) -> None:
    found = UpdateProgress(state, "", waits_for_nodes=waits_for_nodes)
    assert [goal for goal in ("accepted", "operators", "completed", "nodes") if found.reaches(goal)] == reached


@pytest.mark.parametrize(
    ("state", "begun"),
    [
        (NONE, False),
        (REQUESTED, False),
        (REFUSED, False),
        (SUPERSEDED, False),
        (PARTIAL, True),
        (FAILING, True),
        (COMPLETED, True),
    ],
)
def test_what_may_begin_at_any_moment_has_not_begun(state: str, begun: bool) -> None:
    assert UpdateProgress(state, "").begun is begun
