# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.admin_gates import AdminGate
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.preconditions import (
    Precondition,
    Situation,
    preconditions,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.release_request import (
    ReleaseRequest,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.update_pool import UpdatePool
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.version_state import VersionState
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.operator_state import OperatorState

NOT_UPGRADEABLE = {"type": "Upgradeable", "status": "False", "reason": "DegradedPool"}


def image(version: str) -> str:
    """Return an image that is made up from its version."""
    return "quay.io/release@sha256:" + version.encode().hex().ljust(64, "0")


def entry(version: str, state: str = "Completed") -> dict[str, str]:
    return {"state": state, "version": version, "image": image(version), "startedTime": "2026-11-20T22:00:00Z"}


def cluster(*history: dict[str, str], upgradeable: str = "", **status: t.Any) -> VersionState:
    entries = history or (entry("4.21.3"), entry("4.21.1"), entry("4.20.12"))
    desired = {name: entries[0][name] for name in ("version", "image")}
    said = {"type": "Upgradeable", "status": "False", "reason": "Overrides", "message": upgradeable}
    conditions = [said] if upgradeable else []
    return VersionState.of({"status": {"history": entries, "desired": desired, "conditions": conditions, **status}})


def pool(name: str = "worker", *, paused: bool = False, degraded: str = "") -> UpdatePool:
    said = [{"type": "NodeDegraded", "status": "True", "message": degraded}] if degraded else []
    said += [{"type": "Degraded", "status": "True"}] if degraded else []
    return UpdatePool.of({"metadata": {"name": name}, "spec": {"paused": paused}, "status": {"conditions": said}})


def found(version: str = "4.21.5", seen: VersionState | None = None, **known: t.Any) -> tuple[Precondition, ...]:
    situation = {"cluster": seen or cluster(), "pools": (pool("master"), pool()), "gates": (), "signed": True, **known}
    return preconditions(ReleaseRequest.of(image(version), version), Situation(**situation))


def codes(found: tuple[Precondition, ...]) -> list[tuple[str, bool]]:
    return [(one.code, one.blocking) for one in found]


def test_nothing_stands_in_the_way_of_the_next_patch() -> None:
    assert found() == ()


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        pytest.param("4.22.0", [], id="the next minor version"),
        pytest.param("4.23.0", [("too_far", True)], id="two minor versions"),
        pytest.param("5.1.0", [("too_far", True)], id="not the first of the next major version"),
        pytest.param("4.21.1", [("rollback", False)], id="back to the release just before"),
        pytest.param("4.21.2", [("rollback", True)], id="back to one that never was"),
        pytest.param("4.20.12", [("rollback", True)], id="back to another minor version"),
    ],
)
def test_versions(version: str, expected: list[tuple[str, bool]]) -> None:
    assert codes(found(version)) == expected


def test_the_first_of_the_next_major_version_follows_4_22() -> None:
    assert found("5.0.1", cluster(entry("4.22.9"))) == (), "cluster-version-operator lets 4.y go to 5.0"


def test_without_a_version_and_with_an_unknown_image_the_operator_is_left_to_judge() -> None:
    situation = Situation(cluster=cluster(), pools=(), gates=(), signed=True)
    seen = preconditions(ReleaseRequest.of(image("4.29.0"), ""), situation)
    assert codes(seen) == [("version_unknown", False)]


def test_an_image_that_the_cluster_knows_needs_no_version() -> None:
    known = cluster(availableUpdates=[{"version": "4.23.1", "image": image("x")}])
    situation = Situation(cluster=known, pools=(), gates=(), signed=True)
    assert codes(preconditions(ReleaseRequest.of(image("x"), ""), situation)) == [("too_far", True)]


@pytest.mark.parametrize(("version", "blocking"), [("4.21.5", False), ("4.22.1", True)])
def test_a_cluster_that_is_not_upgradeable_takes_patches_only(version: str, blocking: bool) -> None:
    (one,) = found(version, cluster(upgradeable="Disabling ownership via overrides prevents upgrades."))
    assert (one.code, one.blocking) == ("not_upgradeable", blocking)
    assert "via overrides prevents upgrades" in one.seen


def test_what_the_version_operator_has_not_evaluated_since_it_was_resolved_blocks_nothing() -> None:
    seen = cluster(upgradeable="Cluster operator machine-config should not be upgraded: pools are degraded")
    assert codes(found("4.22.1", seen)) == [("not_evaluated", False)]
    operator = {"metadata": {"name": "machine-config"}, "status": {"conditions": [NOT_UPGRADEABLE]}}
    assert codes(found("4.22.1", seen, operators=(OperatorState.of(operator),))) == [("not_upgradeable", True)]


@pytest.mark.parametrize(("version", "expected"), [("4.21.5", []), ("4.22.1", [("admin_ack", True)])])
def test_gates_bar_new_minor_versions_only(version: str, expected: list[tuple[str, bool]]) -> None:
    gates = (AdminGate("ack-4.21-x", "APIs go away"),)
    assert codes(found(version, gates=gates)) == expected


def test_an_update_that_runs_is_not_left_by_chance() -> None:
    running = cluster(entry("4.21.4", "Partial"), entry("4.21.3"))
    assert codes(found(seen=running)) == [("another_update", True)]
    assert codes(found(seen=running, replace_running_update=True)) == [("another_update", False)]
    assert codes(found("4.21.4", seen=running)) == []


def test_a_cluster_that_was_never_installed_is_not_updated() -> None:
    (first, *_rest) = found(seen=VersionState.of({}))
    assert (first.code, first.blocking) == ("not_installed", True)


@pytest.mark.parametrize(("accepted", "blocking"), [((), True), (("SomeRisk",), False)])
def test_risks_are_taken_by_name(accepted: tuple[str, ...], blocking: bool) -> None:
    risk = {"name": "SomeRisk", "message": "Some pods crash.", "url": "https://issues.example/1"}
    update = {"release": {"version": "4.21.5", "image": image("4.21.5")}, "risks": [risk]}
    (one,) = found(seen=cluster(conditionalUpdates=[update]), accepted_risks=frozenset(accepted))
    assert (one.code, one.blocking) == ("risk", blocking)
    assert "https://issues.example/1" in one.advice


def test_a_risk_of_another_release_is_none_of_this() -> None:
    update = {"release": {"version": "4.21.6", "image": image("4.21.6")}, "risks": [{"name": "SomeRisk"}]}
    assert found(seen=cluster(conditionalUpdates=[update])) == ()


def test_nodes_without_images_are_named_up_to_five() -> None:
    (one,) = found(nodes_without_images=tuple(f"worker-{number}" for number in range(7)))
    assert (one.code, one.blocking) == ("missing_images", True)
    assert one.seen.endswith("worker-0, worker-1, worker-2, worker-3, worker-4 and 2 more")


def test_a_signature_that_is_nowhere_is_worth_knowing() -> None:
    assert codes(found(signed=False)) == [("signature", False)]


@pytest.mark.parametrize(
    ("seen", "expected"),
    [
        (pool("master", paused=True), [("required_pool_paused", False)]),
        (pool("arbiter", paused=True), [("required_pool_paused", False)]),
        (pool("worker", paused=True), [("pool_paused", False)]),
        (pool("worker", degraded="node worker-1: disk full"), [("pool_degraded", False)]),
    ],
)
def test_pools(seen: UpdatePool, expected: list[tuple[str, bool]]) -> None:
    assert codes(found(pools=(seen,))) == expected


def test_what_blocks_comes_first() -> None:
    seen = found(signed=False, pools=(pool(paused=True),), nodes_without_images=("w",))
    assert [one.blocking for one in seen] == [True, False, False]
