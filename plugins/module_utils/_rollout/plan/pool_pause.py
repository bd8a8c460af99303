# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Pausing and opening a pool: what to write so that user and reason are known afterwards."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping
from dataclasses import replace

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.errors import ForeignPauseError
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.written_fields import writer_of
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.pause_record import (
    FOUND_FOREIGN,
    FOUND_OPEN,
    FOUND_PAUSED,
    PAUSE_ANNOTATION,
    REQUIRED_LABEL,
    PauseRecord,
)

PAUSED = ("f:spec", "f:paused")


def is_paused(pool: Mapping[str, t.Any]) -> bool:
    """Return whether the machine-config operator begins no node of this MachineConfigPool."""
    return bool((pool.get("spec") or {}).get("paused"))


def is_paused_by_others(pool: Mapping[str, t.Any]) -> bool:
    """Return whether the pause of a pool is not ours to take away."""
    record = PauseRecord.of(pool)
    return is_paused(pool) and not (record and record.paused)


def pause_words(pool: Mapping[str, t.Any]) -> str:
    """Return who paused a pool, as far as that is known; empty for an open one."""
    if not is_paused(pool):
        return ""
    record = PauseRecord.of(pool)
    if record and record.paused:
        return record.words
    writer = writer_of(pool, PAUSED)
    return f"paused by {writer.words}" if writer else "paused by an unknown user"


def pause_patch(
    pool: Mapping[str, t.Any], wanted: PauseRecord, *, open_foreign: bool = False
) -> Mapping[str, t.Any] | None:
    """Return the merge patch that pauses or opens a pool as ``wanted`` says, None where it is so already.

    A pool that others have paused stays theirs: it is not paused once more, and opened only with
    ``open_foreign``; else ForeignPauseError is raised.
    """
    if is_paused(pool) == wanted.paused:
        return None
    if not wanted.paused and is_paused_by_others(pool) and not open_foreign:
        raise ForeignPauseError(
            "unpause the pool",
            on=f"MachineConfigPool {pool['metadata']['name']}",
            seen=f"it was {pause_words(pool)}",
            advice="Contact them. If there is no reason to wait, permit unpausing it (foreign_pause: open).",
        )
    record = replace(wanted, found=_found(pool)) if wanted.rollout else wanted
    return _patch(record, paused=wanted.paused)


def restore_patch(pool: Mapping[str, t.Any], rollout: str, at: str, by: str) -> Mapping[str, t.Any] | None:
    """Return the merge patch that leaves a pool as ``rollout`` has found it, None where it has written nothing there.

    What others have changed since stays as they want it. A pool that updates of the cluster require is not left paused
    by this collection: while it is, the machine-config operator is degraded.
    """
    record = PauseRecord.of(pool)
    if record is None or not rollout or record.rollout != rollout:
        return None
    if record.paused != is_paused(pool):
        return _patch(None)
    if record.found == FOUND_PAUSED and REQUIRED_LABEL not in (pool["metadata"].get("labels") or {}):
        kept = PauseRecord(True, at, by, reason=f"it was paused before rollout {rollout}")
        return _patch(kept, paused=True)
    return _patch(None, paused=record.found == FOUND_FOREIGN)


def _patch(record: PauseRecord | None, *, paused: bool | None = None) -> Mapping[str, t.Any]:
    notes = {PAUSE_ANNOTATION: record.as_text() if record else None}
    return {"metadata": {"annotations": notes}, **({} if paused is None else {"spec": {"paused": paused}})}


def _found(pool: Mapping[str, t.Any]) -> str:
    """Return how a rollout finds a pool; what an earlier rollout has found counts while no one else has changed it."""
    record = PauseRecord.of(pool)
    if record is None or record.paused != is_paused(pool):
        return FOUND_FOREIGN if is_paused(pool) else FOUND_OPEN
    if record.rollout:
        return record.found or FOUND_OPEN
    return FOUND_PAUSED if record.paused else FOUND_OPEN
