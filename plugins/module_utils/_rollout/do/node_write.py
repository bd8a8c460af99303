# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Writing on a node what was decided about the node as it was read, and nothing else."""

from __future__ import annotations

import typing as t
from collections.abc import Callable, Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.rewrite import rewrite
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.errors import NoSuchNodeError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import NODE

Node = dict[str, t.Any]


def read_node(client: ClusterClient, name: str) -> Node:
    """Return the Node object; raise NoSuchNodeError."""
    node = client.get(NODE, name)
    if node is None:
        raise NoSuchNodeError(
            "find the node",
            on=f"Node {name}",
            seen="the cluster has no object of this name",
            advice="Check the name, and that these credentials belong to the intended cluster.",
        )
    return node


def rewrite_node(
    client: ClusterClient, name: str, decide: Callable[[Node], Mapping[str, t.Any] | None]
) -> tuple[Node, Node]:
    """Patch the node as ``decide`` says, and return it as it was and as it is; a kubelet writes it every few seconds.

    Raise NoSuchNodeError, and as ``rewrite`` does.
    """
    return rewrite(client, NODE, lambda: read_node(client, name), decide)
