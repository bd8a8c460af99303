# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Reads what the journals of a cluster say of its rollouts, for a report."""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.claim import checked_id
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.journal import list_journals
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.read_rollout import Selection, read_rollout


def read_rollout_heads(client: ClusterClient) -> list[dict[str, str]]:
    """Return all rollouts of the cluster, the one that was started last first. Raise JournalError for a damaged one."""
    return [{"rollout": one.rollout, "started": one.started} for one in list_journals(client)]


def read_passages(client: ClusterClient, rollout: str) -> dict[str, t.Any] | None:
    """Return where each node stands in a rollout, as rollout_info does; None without an id."""
    return read_rollout(client, Selection(checked_id(rollout))) if rollout else None
