# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The last runs of a site, as a ConfigMap keeps them."""

from __future__ import annotations

import json
import typing as t
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields

from ansible_collections.fieldops.openshift.plugins.module_utils._reports.errors import RunHistoryError
from ansible_collections.fieldops.openshift.plugins.module_utils._reports.plan.bounds import bounded_text
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.ending_status import ENDINGS
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import (
    NAMESPACE,
    PART_OF,
    PART_OF_LABEL,
    SCHEMA_VERSION_KEY,
)

NAME = "site-runs"
RUNS_KEY = "runs"
SCHEMA_VERSION = "1"
MOST_RUNS = 20
MOST_BYTES = 256 * 1024
MOST_REMAINING = 50
"""Nodes that a run names; ``remaining_count`` counts all of them."""


@dataclass(frozen=True)
class SiteRun:
    """How a run ended: ``ended`` and ``next_permitted`` are instants, ``by`` is the user as the API knows it.

    ``digest`` is that of the bundle's index, ``bundle_bytes`` the size of all its blobs, 0 where it is not known.
    """

    ended: str
    by: str
    status: str
    sentence: str
    next_permitted: str = ""
    rollout: str = ""
    version: str = ""
    digest: str = ""
    bundle_bytes: int = 0
    remaining: tuple[str, ...] = ()
    remaining_count: int = 0

    def as_data(self) -> dict[str, t.Any]:
        """Return the run as it is recorded and shown."""
        return {**asdict(self), "remaining": [*self.remaining]}


def run_of(option: Mapping[str, t.Any], ended: str, by: str) -> SiteRun:
    """Return the run that option ``run`` of the module describes, cut to what is kept."""
    names = [str(name) for name in option["remaining"]]
    texts = ("status", "sentence", "next_permitted", "rollout", "version", "digest")
    return SiteRun(
        ended=ended,
        by=bounded_text(by),
        **{name: bounded_text(option[name]) for name in texts},
        bundle_bytes=option["bundle_bytes"],
        remaining=tuple(bounded_text(name, 253) for name in names[:MOST_REMAINING]),
        remaining_count=len(names),
    )


def recorded_runs(config_map: Mapping[str, t.Any] | None) -> tuple[SiteRun, ...]:
    """Return what a ConfigMap records, the last run first; raise RunHistoryError for damage."""
    if config_map is None:
        return ()
    data = config_map.get("data") or {}
    if data.get(SCHEMA_VERSION_KEY) != SCHEMA_VERSION:
        raise _damaged(f"its {SCHEMA_VERSION_KEY} is {str(data.get(SCHEMA_VERSION_KEY))[:40]!r}")
    try:
        entries = json.loads(data.get(RUNS_KEY) or "")
        return tuple(_run(entry) for entry in entries[:MOST_RUNS])
    except (ValueError, OverflowError, RecursionError, TypeError, KeyError) as error:
        raise _damaged(f"{RUNS_KEY} cannot be read: {str(error)[:100]}") from error


def runs_config_map(runs: Sequence[SiteRun]) -> dict[str, t.Any]:
    """Return the body that creates or merges the ConfigMap with ``runs``, the last first, without the oldest."""
    kept = list(runs[:MOST_RUNS])
    while len(kept) > 1 and len(_text(kept)) > MOST_BYTES:
        kept.pop()
    return {
        "metadata": {"name": NAME, "namespace": NAMESPACE, "labels": {PART_OF_LABEL: PART_OF}},
        "data": {SCHEMA_VERSION_KEY: SCHEMA_VERSION, RUNS_KEY: _text(kept)},
    }


def _text(runs: Sequence[SiteRun]) -> str:
    """Return the runs as JSON, of ASCII characters alone: as many bytes as characters."""
    return json.dumps([run.as_data() for run in runs], sort_keys=True, separators=(",", ":"))


def _run(entry: Mapping[str, t.Any]) -> SiteRun:
    texts = {one.name: entry[one.name] for one in fields(SiteRun) if one.type == "str"}
    wrong = [name for name, value in texts.items() if not isinstance(value, str)]
    if wrong or entry["status"] not in ENDINGS:
        raise ValueError(f"{wrong[0]} is not a string" if wrong else f"its status is {entry['status'][:40]!r}")
    remaining = tuple(map(str, entry["remaining"]))
    return SiteRun(
        **texts,
        bundle_bytes=int(entry["bundle_bytes"]),
        remaining=remaining,
        remaining_count=int(entry["remaining_count"]),
    )


def _damaged(seen: str) -> RunHistoryError:
    return RunHistoryError(
        "read the earlier runs",
        on=f"ConfigMap {NAMESPACE}/{NAME}",
        seen=seen,
        advice="Check who changed it, and delete it. The next run creates it again.",
    )
