# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import PayloadError
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.update_graph import parse_graph
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.update_path import (
    UpdatePath,
    choose_path,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_errors import BundleError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.update_path import hops_from, risk_sentences
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._bundles.plan.update_graphs import (
    ALWAYS,
    Json,
    conditional,
    document,
    image_of,
    node,
    risk,
)

VERSIONS = ["4.18.20", "4.18.30", "4.19.14", "4.19.15", "4.20.3", "4.20.4"]
Edges = list[tuple[str, str]]
EUS: Edges = [
    ("4.18.20", "4.18.30"),
    ("4.18.20", "4.19.14"),
    ("4.18.30", "4.19.14"),
    ("4.18.30", "4.19.15"),
    ("4.19.14", "4.19.15"),
    ("4.19.14", "4.20.3"),
    ("4.19.15", "4.20.3"),
    ("4.19.15", "4.20.4"),
    ("4.20.3", "4.20.4"),
]


def path_of(content: bytes, target: str = "4.20.4", *starts: str) -> UpdatePath:
    return choose_path(parse_graph(content, on="graph"), starts or ("4.18.20",), target)


def without(*edges: tuple[str, str]) -> Edges:
    return [edge for edge in EUS if edge not in edges]


@pytest.mark.parametrize(
    ("edges", "conditionals", "start", "target", "passed"),
    [
        pytest.param(EUS, [], "4.20.3", "4.20.4", ["4.20.4"], id="one-update"),
        pytest.param(EUS, [], "4.18.20", "4.20.3", ["4.19.14", "4.20.3"], id="eus-to-eus-fewest-updates"),
        pytest.param(EUS, [], "4.18.30", "4.20.3", ["4.19.15", "4.20.3"], id="newest-of-equally-short"),
        pytest.param(EUS, [], "4.18.20", "4.20.4", ["4.19.14", "4.20.3", "4.20.4"], id="three-updates"),
        pytest.param(
            without(("4.18.20", "4.19.14")),
            [conditional([("4.18.20", "4.19.14")], risk("OCPBUGS-1"))],
            "4.18.20",
            "4.20.3",
            ["4.18.30", "4.19.15", "4.20.3"],
            id="a-risk-is-avoided-by-one-more-update",
        ),
        pytest.param(
            without(("4.18.20", "4.19.14"), ("4.18.20", "4.18.30")),
            [conditional([("4.18.20", "4.19.14")], risk("OCPBUGS-1"))],
            "4.18.20",
            "4.20.3",
            ["4.19.14", "4.20.3"],
            id="a-risk-that-cannot-be-avoided",
        ),
        pytest.param(
            EUS,
            [conditional([("4.18.20", "4.19.14")], risk("OCPBUGS-1"))],
            "4.18.20",
            "4.20.3",
            ["4.18.30", "4.19.15", "4.20.3"],
            id="conditional-and-unconditional-counts-as-conditional",
        ),
        pytest.param(
            [*EUS, ("4.20.3", "4.18.30")], [], "4.18.20", "4.20.3", ["4.19.14", "4.20.3"], id="no-rollback-edges"
        ),
    ],
)
def test_path(edges: Edges, conditionals: list[Json], start: str, target: str, passed: list[str]) -> None:
    path = path_of(document(VERSIONS, edges, *conditionals), target, start)
    assert [edge.end for edge in hops_from(path.edges, start)] == passed
    assert {version: str(image) for version, image in path.releases.items()} == {
        version: image_of(version) for version in passed
    }


def test_sites_at_different_versions_share_the_rest_of_their_paths() -> None:
    path = path_of(document(VERSIONS, EUS), "4.20.4", "4.18.20", "4.18.30", "4.20.3")
    ways = {start: [edge.end for edge in hops_from(path.edges, start)] for start in ("4.18.20", "4.18.30", "4.20.3")}
    assert ways == {
        "4.18.20": ["4.19.14", "4.20.3", "4.20.4"],
        "4.18.30": ["4.19.15", "4.20.4"],
        "4.20.3": ["4.20.4"],
    }
    assert list(path.releases) == ["4.19.14", "4.19.15", "4.20.3", "4.20.4"]


def test_a_site_at_the_target_needs_no_update() -> None:
    path = path_of(document(VERSIONS, EUS), "4.20.4", "4.20.4")
    assert (path.edges, list(path.releases)) == ((), ["4.20.4"])


def test_risks_of_all_groups_are_named_with_where_they_apply() -> None:
    edges = without(("4.19.15", "4.20.4"), ("4.20.3", "4.20.4"))
    edge = ("4.19.15", "4.20.4")
    groups = [conditional([edge], risk("Alpha")), conditional([edge], risk("Beta", rule=ALWAYS, message="It stops."))]
    path = path_of(document(VERSIONS, edges, *groups), "4.20.4", "4.19.15")
    assert risk_sentences(path.edges) == [
        "update from 4.19.15 to 4.20.4: risk Alpha may apply: Pods may not start. "
        "(https://issues.redhat.com/browse/Alpha)",
        "update from 4.19.15 to 4.20.4: risk Beta applies to every cluster: It stops. "
        "(https://issues.redhat.com/browse/Beta)",
    ]
    assert path.edges[0].risks[0].rules[0].promql.startswith("group(")


@pytest.mark.parametrize(
    ("start", "target", "seen"),
    [
        pytest.param("4.17.9", "4.20.4", "does not contain it. It has 6 releases from 4.18.20 to 4.20.4", id="start"),
        pytest.param("4.18.20", "4.21.0", "does not contain it", id="target"),
        pytest.param("4.20.4", "4.20.3", "To 4.20.3 lead 4 releases from 4.18.20 to 4.19.15", id="no-path-back"),
    ],
)
def test_no_path(start: str, target: str, seen: str) -> None:
    with pytest.raises(BundleError) as caught:
        path_of(document(VERSIONS, EUS), target, start)
    assert seen in caught.value.seen


@pytest.mark.parametrize(
    ("content", "seen"),
    [
        pytest.param(b"[]", "not a mapping", id="no-document"),
        pytest.param(document(VERSIONS, EUS, version=2), "only 1 is supported", id="other-format"),
        pytest.param(document([], [], nodes=[node("4.18.1"), node("4.18.1")]), "listed twice", id="twice"),
        pytest.param(document(VERSIONS, [], edges=[[0, 6]]), "between 0 and 5", id="edge-to-nowhere"),
        pytest.param(document(VERSIONS, [], edges=[[0]]), "has 1 ends", id="edge-with-one-end"),
        pytest.param(document([], [], nodes=[node("4.18.1", payload="quay.io/a/b:4")]), "by digest", id="payload-tag"),
        pytest.param(document(VERSIONS, [], {"edges": []}), "risks is missing", id="conditional-without-risks"),
    ],
)
def test_broken_graph(content: bytes, seen: str) -> None:
    with pytest.raises(PayloadError) as caught:
        parse_graph(content, on="graph")
    assert seen in caught.value.seen


@pytest.mark.parametrize("absent", ["version", "conditionalEdges"])
def test_a_graph_without_optional_parts_is_read(absent: str) -> None:
    assert path_of(document(VERSIONS, EUS, **{absent: None}), "4.20.3").releases
