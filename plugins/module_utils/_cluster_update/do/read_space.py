# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Asks kubelets how much space their nodes have."""

from __future__ import annotations

import typing as t
from collections.abc import Iterable, Iterator

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.api_error import ApiError
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.calls import Call
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.reviews import is_allowed
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.check_space import (
    file_systems,
    space_findings,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.finding import Finding
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import NODE

_LONGEST_SECONDS = 10.0
_ALL_SECONDS = 120.0
_ASK_KUBELETS = {"verb": "get", "resource": "nodes", "subresource": "proxy"}


def read_space_findings(
    client: ClusterClient, nodes: Iterable[str], free_percent: int, deadline: Deadline
) -> Iterator[Finding]:
    """Yield the findings on space, one request for each node; a kubelet that does not answer is one of them.

    Raise ApiError where the right to ask kubelets (``nodes/proxy``) is missing.
    """
    for name in nodes:
        yield from space_findings(name, _summary(client, name, deadline), free_percent)


def read_space(client: ClusterClient) -> list[dict[str, t.Any]]:
    """Return the file systems of all nodes whose kubelet answers; none without the right to ask kubelets."""
    if not is_allowed(client, _ASK_KUBELETS):
        return []
    deadline = Deadline(_ALL_SECONDS, client.clock)
    names = [str(node["metadata"]["name"]) for node in client.list_objects(NODE)]
    return [system for name in names for system in file_systems(name, _summary(client, name, deadline) or {})]


def _summary(client: ClusterClient, name: str, deadline: Deadline) -> dict[str, t.Any] | None:
    if deadline.expired:
        return None
    path = f"/api/v1/nodes/{name}/proxy/stats/summary"
    answer = client.transport.send_to_path(path, at_most=min(_LONGEST_SECONDS, deadline.remaining))
    if answer.status in (401, 403):
        raise ApiError(Call("get", NODE, name, subresource="proxy"), answer, server=client.access.server)
    return answer.body if answer.ok else None
