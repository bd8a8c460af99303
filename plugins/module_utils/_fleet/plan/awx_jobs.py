# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""How the last update of each cluster went, from the jobs that AWX lists."""

from __future__ import annotations

import json
import typing as t
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timezone

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

RUNNING: t.Final = "running"
SUCCESSFUL: t.Final = "successful"
FAILED: t.Final = "failed"

# awx/main/models/unified_jobs.py, UnifiedJob.STATUS_CHOICES
_STATUS = {
    **dict.fromkeys(("new", "pending", "waiting", "running"), RUNNING),
    "successful": SUCCESSFUL,
    **dict.fromkeys(("failed", "error", "canceled"), FAILED),
}
CLUSTER, RELEASE = "fleet_cluster", "fleet_release"
"""Extra variables by which a job names its cluster and its release."""


@dataclass(frozen=True)
class Update:
    """The last update of a cluster: its status, and when it ended, in seconds since the epoch."""

    status: str
    ended: int | None


def last_updates(jobs: Iterable[Mapping[str, t.Any]], release: str) -> dict[str, Update]:
    """Return the last update of each cluster to ``release``.

    ``jobs`` are objects of AWX with ``id``, ``status``, ``finished`` and ``extra_vars``. Jobs that name no cluster or
    another release are left out. Raise InvalidInputError for a status that AWX does not have.
    """
    found: dict[str, Update] = {}
    for job in sorted(jobs, key=lambda job: int(job["id"])):
        given = _variables(job.get("extra_vars"))
        if given.get(CLUSTER) and given.get(RELEASE) == release:
            found[str(given[CLUSTER])] = Update(_status(job), _instant(job.get("finished")))
    return found


def _status(job: Mapping[str, t.Any]) -> str:
    if job["status"] not in _STATUS:
        raise InvalidInputError(
            "read the jobs of AWX",
            on=f"job {job['id']}",
            seen=f"its status is {job['status']}",
            advice=f"Use one of {', '.join(_STATUS)}.",
        )
    return _STATUS[job["status"]]


def _variables(text: object) -> Mapping[str, t.Any]:
    """Return extra variables, which AWX lists as a text of JSON."""
    if isinstance(text, dict):
        return text
    try:
        found = json.loads(str(text or "{}"))
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _instant(text: object) -> int | None:
    """Return an instant that AWX writes such as ``2026-11-27T01:00:00.123456Z``, without its fraction of a second."""
    if not text:
        return None
    whole = str(text)[: len("2026-11-27T01:00:00")]
    return int(datetime.strptime(whole, "%Y-%m-%dT%H:%M:%S").replace(tzinfo=timezone.utc).timestamp())
