# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which releases a cluster has left behind."""

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.left_behind import left_behind
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.version_state import VersionState
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.pool_state import PoolState

A, B, C = (f"quay.io/openshift-release-dev/ocp-release@sha256:{character * 64}" for character in "abc")
MIRRORED = A.replace("quay.io", "registry.site")


def version(*history: tuple[str, str], desired: str = "") -> VersionState:
    entries = [{"image": image, "state": state, "version": "4.21"} for image, state in history]
    image = desired or (history[0][0] if history else "")
    return VersionState.of({"status": {"history": entries, "desired": {"image": image}}})


def pool(*conditions: str) -> PoolState:
    found = [{"type": one, "status": "True"} for one in conditions]
    return PoolState.of({"metadata": {"name": "worker"}, "status": {"conditions": found}})


UPDATED = pool("Updated")


@pytest.mark.parametrize(
    ("history", "left"),
    [
        pytest.param([(B, "Completed"), (A, "Completed")], (A,), id="the one before"),
        pytest.param([(C, "Completed"), (B, "Partial"), (A, "Completed")], (B, A), id="one that was never reached too"),
        pytest.param([(A, "Completed"), (B, "Completed"), (A, "Completed")], (B,), id="not the one it came back to"),
        pytest.param([(A, "Completed"), (MIRRORED, "Completed")], (), id="not the same one from elsewhere"),
        pytest.param([(A, "Completed")], (), id="none of a new cluster"),
        pytest.param([(B, "Completed"), ("quay.io/a/b:4.20", "Completed")], (), id="none that a tag names"),
        pytest.param(
            [("quay.io/a/b:4.21", "Completed"), (A, "Completed")], (), id="none where a tag names the present one"
        ),
        pytest.param([(B, "Partial"), (A, "Completed")], (), id="none during an update"),
        pytest.param([], (), id="none without a history"),
    ],
)
def test_releases_in_the_history(history: list[tuple[str, str]], left: tuple[str, ...]) -> None:
    assert left_behind(version(*history), [UPDATED]) == left


@pytest.mark.parametrize(
    "pools",
    [[], [UPDATED, pool()], [UPDATED, pool("Updated", "Degraded")], [pool("Updating")]],
    ids=["no pools", "one that is not updated, such as a paused one", "a degraded one", "one under way"],
)
def test_while_nodes_may_need_them_there_are_none(pools: list[PoolState]) -> None:
    assert left_behind(version((B, "Completed"), (A, "Completed")), pools) == ()


def test_once_another_release_is_asked_for_there_are_none() -> None:
    assert left_behind(version((B, "Completed"), (A, "Completed"), desired=C), [UPDATED]) == ()
