# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The node of a site that took longest in its last rollout: no window should be shorter than that."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_record import (
    DamagedRecordError,
    NodeRecord,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import NODE
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.permission import Estimate
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.time_lengths import describe_seconds


def longest_node(client: ClusterClient) -> Estimate:
    """Return how long it took, from the records on the nodes; an unknown estimate where none has been rolled."""
    taken = [(_seconds(node), str(node["metadata"]["name"])) for node in client.list_objects(NODE)]
    seconds, name = max(taken, default=(0.0, ""))
    return (
        Estimate(seconds, f"{name} took {describe_seconds(round(seconds))} in the last rollout")
        if seconds
        else Estimate()
    )


def _seconds(node: Mapping[str, t.Any]) -> float:
    try:
        record = NodeRecord.of(node)
    except DamagedRecordError:  # the rollout that needs it reports it
        return 0.0
    return (record and record.seconds) or 0.0
