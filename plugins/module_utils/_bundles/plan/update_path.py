# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which releases a site passes until it has the target release: the best path through the update graph."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.update_graph import UpdateGraph
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_errors import BundleError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.release_version import ReleaseVersion
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.update_path import (
    PathEdge,
    UpdateRisk,
    hops_from,
)

_UNPARSABLE = ReleaseVersion(0, 0, 0)


@dataclass(frozen=True)
class UpdatePath:
    """The ``edges`` of a path and the images of the releases that it passes, in the order of their versions.

    From each version at most one edge leads away, so that sites at different versions share the rest of their paths.
    """

    edges: tuple[PathEdge, ...]
    releases: Mapping[str, ImageReference]


def choose_path(graph: UpdateGraph, starts: Sequence[str], target: str) -> UpdatePath:
    """Return the path from each of ``starts`` to ``target``; raise BundleError where there is none.

    Updates with known risks are avoided if the graph permits it, even at the cost of further updates. Then the path
    with the fewest updates is taken, and of several such paths the one through the newest releases.
    """
    for version in (*starts, target):
        if version not in graph.payloads:
            raise _unknown(graph, version)
    following = _following(graph, target)
    for start in starts:
        if start != target and start not in following:
            raise _unreachable(graph, start, target)
    every = [PathEdge(start, end, graph.edges[start][end]) for start, end in following.items()]
    edges = {edge.start: edge for start in starts for edge in hops_from(every, start)}
    passed = sorted({edge.end for edge in edges.values()} | {target}, key=_order)
    return UpdatePath(
        tuple(edges[start] for start in sorted(edges, key=_order)),
        {version: graph.payloads[version] for version in passed},
    )


def _following(graph: UpdateGraph, target: str) -> dict[str, str]:
    """Return the next version for every version from which ``target`` can be reached."""
    leading: dict[str, list[tuple[str, tuple[UpdateRisk, ...]]]] = {}
    for start, ends in graph.edges.items():
        for end, risks in ends.items():
            if _order(start) < _order(end):
                leading.setdefault(end, []).append((start, risks))
    following: dict[str, str] = {}
    reached: set[str] = set()
    waiting = [(0, 0, 0, target, "")]
    ranks = {version: -rank for rank, version in enumerate(sorted({*graph.payloads, *leading}, key=_order))}
    while waiting:
        risky, hops, _rank, version, end = heapq.heappop(waiting)
        if version in reached:
            continue
        reached.add(version)
        if end:
            following[version] = end
        for start, risks in leading.get(version, ()):
            if start in graph.payloads:
                heapq.heappush(waiting, (risky + bool(risks), hops + 1, ranks[version], start, version))
    return following


def _order(version: str) -> ReleaseVersion:
    return ReleaseVersion.parse(version) or _UNPARSABLE


def _range(versions: Iterable[str]) -> str:
    ordered = sorted(versions, key=_order)
    return f"{len(ordered)} releases from {ordered[0]} to {ordered[-1]}" if ordered else "no releases"


def _unknown(graph: UpdateGraph, version: str) -> BundleError:
    return BundleError(
        "choose the update path",
        on=version,
        seen=f"the update graph does not contain it. It has {_range(graph.payloads)}",
        advice="Use the graph of a channel of the target, such as eus-4.20, which also contains the releases before.",
    )


def _unreachable(graph: UpdateGraph, start: str, target: str) -> BundleError:
    before = _range(_following(graph, target))
    return BundleError(
        "choose the update path",
        on=f"{start} to {target}",
        seen=f"the update graph has no path between them. To {target} lead {before}",
        advice="Choose another target, or use the graph of another channel.",
    )
