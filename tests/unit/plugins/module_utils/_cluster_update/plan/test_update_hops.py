# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.errors import UpdateBlockedError
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.update_hops import (
    may_wait,
    update_hops,
)

Json = dict[str, t.Any]
RISK = {
    "name": "Alpha",
    "message": "It stops.",
    "url": "https://issues.example/Alpha",
    "rules": [{"type": "Always", "promql": ""}],
}
EUS = ["4.18.20", "4.18.30", "4.19.14", "4.20.3"]
INDEX = f"sha256:{'1' * 64}"


def image(version: str) -> str:
    return f"quay.io/openshift-release-dev/ocp-release@sha256:{version.replace('.', ''):0>64}"


def bundle(*path: str, risky: str = "", others: tuple[tuple[str, str], ...] = ()) -> Json:
    """Return a bundle whose path passes these versions; ``others`` are updates that join it."""
    pairs = [*zip(path, path[1:]), *others]
    edges = [{"from": one, "to": other, "risks": [RISK] if other == risky else []} for one, other in pairs]
    releases = [{"version": version, "release": image(version)} for version in path[1:]]
    return {"version": path[-1], "index_digest": INDEX, "releases": releases, "update_path": edges}


def history(*versions: str) -> list[Json]:
    """Return a history of these versions, the newest first; one with a question mark is not complete."""
    return [{"version": one.strip("?"), "state": "Partial" if "?" in one else "Completed"} for one in versions]


@pytest.mark.parametrize(
    ("past", "expected"),
    [
        pytest.param(["4.18.20"], ["4.18.30+", "4.19.14+", "4.20.3"], id="all"),
        pytest.param(["4.18.30?", "4.18.20"], ["4.18.30+", "4.19.14+", "4.20.3"], id="first-in-progress"),
        pytest.param(["4.18.30", "4.18.20"], ["4.19.14+", "4.20.3"], id="after-the-first"),
        pytest.param(["4.19.14?", "4.18.30"], ["4.19.14+", "4.20.3"], id="second-in-progress"),
        pytest.param(["4.19.14", "4.18.30", "4.18.20"], ["4.20.3"], id="before-the-last"),
        pytest.param(["4.20.3?", "4.19.14"], ["4.20.3"], id="last-in-progress"),
        pytest.param(["4.20.3", "4.19.14"], ["4.20.3"], id="at-the-target"),
        pytest.param(["4.19.15?", "4.19.14"], ["4.20.3"], id="another-update-in-progress"),
    ],
)
def test_updates_left(past: list[str], expected: list[str]) -> None:
    found = update_hops(bundle(*EUS), history(*past))
    assert [f"{hop.version}{'+' * hop.holds_workers}" for hop in found] == expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        pytest.param(["4.17.9", "4.18.30", "4.19.14"], ["4.18.30", "4.19.14"], id="odd-to-odd-rolls-every-time"),
        pytest.param(["4.18.30", "4.19.14", "4.20.3"], ["4.19.14+", "4.20.3"], id="even-to-even"),
        pytest.param(
            ["4.18.30", "4.19.14", "4.20.3", "4.21.1", "4.22.0"],
            ["4.19.14+", "4.20.3", "4.21.1+", "4.22.0"],
            id="twice-even-to-even",
        ),
        pytest.param(["4.20.1", "4.20.9", "4.21.1"], ["4.20.9+", "4.21.1"], id="same-minor-first"),
        pytest.param(["x", "4.19.14", "4.20.3"], ["4.19.14", "4.20.3"], id="an-unknown-version-never-waits"),
    ],
)
def test_workers_wait_where_the_next_release_supports_their_kubelets(path: list[str], expected: list[str]) -> None:
    found = update_hops(bundle(*path), history(path[0]))
    assert [f"{hop.version}{'+' * hop.holds_workers}" for hop in found] == expected


def test_a_release_after_which_workers_may_not_wait_comes_again_until_they_have_it() -> None:
    found = update_hops(bundle("4.17.9", "4.18.30", "4.19.14"), history("4.18.30", "4.17.9"))
    assert [hop.version for hop in found] == ["4.18.30", "4.19.14"]


def test_where_the_site_came_from_decides_where_paths_join() -> None:
    joined = bundle("4.17.9", "4.18.30", "4.19.14", others=(("4.18.20", "4.18.30"),))
    assert [hop.holds_workers for hop in update_hops(joined, history("4.18.20"))] == [True, False]
    assert [hop.holds_workers for hop in update_hops(joined, history("4.17.9"))] == [False, False]


@pytest.mark.parametrize(("accepted", "left"), [((), 1), (("Alpha",), 0), (("Beta",), 1)])
def test_risks_that_the_site_does_not_accept(accepted: tuple[str, ...], left: int) -> None:
    found = update_hops(bundle(*EUS, risky="4.19.14"), history("4.18.20"), accepted)
    assert [len(hop.unaccepted) for hop in found] == [0, left, 0]
    assert all("from 4.18.30 to 4.19.14: risk Alpha" in sentence for hop in found for sentence in hop.unaccepted)


@pytest.mark.parametrize("newest", ["4.20.3", "4.20.3?"])
def test_a_risk_of_an_update_that_has_started_is_past(newest: str) -> None:
    found = update_hops(bundle(*EUS, risky="4.20.3"), history(newest, "4.19.14"))
    assert [hop.unaccepted for hop in found] == [()]


def test_one_release_needs_no_path_and_keeps_the_identity_of_its_bundle() -> None:
    alone = {**bundle("4.20.1", "4.20.3"), "update_path": []}
    (hop,) = update_hops(alone, history("4.20.1"))
    assert (hop.version, hop.release, hop.target) == ("4.20.3", image("4.20.3"), INDEX)


def test_updates_of_one_bundle_differ_in_their_targets() -> None:
    targets = [hop.target for hop in update_hops(bundle(*EUS), history("4.18.20"))]
    assert targets == [image(version).partition("@")[2] for version in EUS[1:]]


def test_a_cluster_beside_the_path_is_refused() -> None:
    with pytest.raises(UpdateBlockedError) as caught:
        update_hops(bundle(*EUS), history("4.17.9"))
    assert "the cluster runs 4.17.9, and the path leads to 4.20.3 from 4.18.20, 4.18.30, 4.19.14" in caught.value.seen


@pytest.mark.parametrize(
    ("worker", "following", "allowed"),
    [(18, 19, True), (18, 20, True), (17, 19, False), (17, 20, False), (19, 19, True)],
)
def test_skew(worker: int, following: int, allowed: bool) -> None:
    assert may_wait(worker, following) is allowed
