# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""Writing on a node what was decided about the node as it was read, and nothing else."""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.api_error import ApiError
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.errors import NoSuchNodeError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import NODE

if t.TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient

Node = dict[str, t.Any]
_TRIES = 6


def read_node(client: ClusterClient, name: str) -> Node:
    """Return the Node object; raise NoSuchNodeError."""
    node = client.get(NODE, name)
    if node is None:
        raise NoSuchNodeError(
            "find the node",
            on=f"Node {name}",
            seen="the cluster has none of this name",
            advice="Check the name, and that these credentials belong to the intended cluster.",
        )
    return node


def rewrite_node(
    client: ClusterClient, name: str, decide: Callable[[Node], Mapping[str, t.Any] | None]
) -> tuple[Node, Node]:
    """Patch the node as ``decide`` says, and return it as it was and as it is.

    ``decide`` returns a merge patch, None for no change. When somebody changed the node between reading and writing,
    both are done again: a kubelet writes its node every few seconds. Raise the ApiError of the last attempt.
    """
    for attempt in range(1, _TRIES + 1):
        before = read_node(client, name)
        patch = decide(before)
        if patch is None:
            return before, before
        version = before["metadata"]["resourceVersion"]
        try:
            return before, client.patch(NODE, name, patch, resource_version=version)
        except ApiError as error:
            if error.status != 409 or attempt == _TRIES:
                raise
    raise AssertionError("unreachable")
