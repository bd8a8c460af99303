# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The update path of a bundle: chosen in the update graph once, and then the one that the bundle records."""

from __future__ import annotations

from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.bundle_request import BundleRequest
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.update_graph import parse_graph
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.update_path import (
    UpdatePath,
    choose_path,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import read_file
from ansible_collections.fieldops.openshift.plugins.module_utils._net.http_client import HttpClient
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import BundleIndex
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import MIB
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.update_path import hops_from

LARGEST_GRAPH = 32 * MIB


def requested_path(
    request: BundleRequest, previous: BundleIndex | None, client: HttpClient, deadline: Deadline
) -> UpdatePath | None:
    """Return the update path that the request needs, None where it names no versions of sites.

    The path of the ``previous`` bundle stays, as its tags do, while it is one for the same versions.
    """
    if not request.update_from:
        return None
    recorded = None if request.refresh_tags else _recorded(request, previous)
    if recorded is not None:
        return recorded
    place = request.update_graph or ""
    graph = parse_graph(_content(place, client, deadline), on=f"update graph {place}")
    return choose_path(graph, request.update_from, request.version or "")


def _recorded(request: BundleRequest, previous: BundleIndex | None) -> UpdatePath | None:
    if previous is None or previous.version != request.version or not previous.path:
        return None
    ways = [hops_from(previous.path, start) for start in request.update_from]
    covers = all(hops or start == request.version for start, hops in zip(request.update_from, ways))
    if not covers or {hop for hops in ways for hop in hops} != set(previous.path):
        return None
    return UpdatePath(previous.path, {release.version: release.image for release in previous.releases})


def _content(place: str, client: HttpClient, deadline: Deadline) -> bytes:
    if place.startswith(("http://", "https://")):
        answer = client.request("GET", place, deadline=deadline, headers={"Accept": "application/json"})
        return answer.require(200).body
    content = read_file(Path(place), limit=LARGEST_GRAPH)
    if content is None:
        raise InvalidInputError(
            "read the update graph", on=place, seen="there is no such file", advice="Correct update_graph."
        )
    return content
