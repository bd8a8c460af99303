# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Brings machine resources back to an image that they had, from the history in the cluster."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.do.carry_out import (
    Job,
    JobResult,
    carry_out,
    not_tried,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.do.history_store import HistoryStore
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.do.user_data import restore
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.assessment import Assessment
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.history_entries import (
    REVERT,
    HistoryEntry,
    StubChange,
    entry_id,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.ignition_stub import user_data_secret
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.machine_resource import (
    MachineResource,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.management import OPERATOR
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.reversion import (
    Reversion,
    reversion_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.micro_time import micro_time


@dataclass(frozen=True)
class Reverted:
    """The outcome of each change; why others cannot be reverted; stubs that were restored or had to stay."""

    results: tuple[JobResult, ...]
    reasons: Mapping[str, str]
    restored: tuple[str, ...] = ()
    kept: Mapping[str, str] | None = None


def revert(
    client: ClusterClient,
    store: HistoryStore,
    found: Sequence[Assessment],
    everything: Sequence[MachineResource],
    *,
    to: str,
    by: str,
    keep_going: bool = False,
) -> Reverted:
    """Undo changes back to the point ``to``, see ``reversion.py``; ``everything`` are all resources of the cluster.

    Without ``keep_going`` nothing is changed where the operator would bring one of the images forward again.
    """
    ways = {one.resource.key: reversion_of(one.resource.provider or {}, one.history, to) for one in found}
    jobs, refused = [], []
    for one in found:
        way = ways[one.resource.key]
        if not way.changes:
            continue
        job = Job(one.resource, _entry(client, one, way, by))
        if one.management.by == OPERATOR and one.left_to_operator:
            refused.append(JobResult(job, "managed_by_operator", _MANAGED))
        else:
            jobs.append(job)
    if refused and not keep_going:
        results = [not_tried(job, "nothing is changed because another resource cannot be changed") for job in jobs]
    else:
        results = carry_out(client, store, jobs, keep_going=keep_going)
    stubs = _stubs(found, ways, {one.job.resource.key for one in (*results, *refused) if not one.ok})
    restored, kept = _restore(client, stubs, found, everything)
    reasons = {key: way.reason for key, way in ways.items() if way.reason}
    return Reverted((*results, *refused), reasons, restored, kept)


def _entry(client: ClusterClient, one: Assessment, way: Reversion, by: str) -> HistoryEntry:
    instant = client.clock.utcnow()
    return HistoryEntry(
        id=entry_id(instant, one.resource.key),
        resource=one.resource.key,
        kind=REVERT,
        at=micro_time(instant),
        by=by,
        changes=way.changes,
        before=one.verdict.current,
        after=way.target,
        uid=one.resource.uid,
    )


def _stubs(found: Sequence[Assessment], ways: Mapping[str, Reversion], failed: set[str]) -> dict[str, StubChange]:
    """Return the conversions that are undone too, by Secret; of those that failed none."""
    undone = [stub for one in found if one.resource.key not in failed for stub in ways[one.resource.key].stubs]
    return {stub.secret: stub for stub in reversed(undone)}


def _restore(
    client: ClusterClient,
    stubs: Mapping[str, StubChange],
    found: Sequence[Assessment],
    everything: Sequence[MachineResource],
) -> tuple[tuple[str, ...], dict[str, str]]:
    """Restore stubs that only the reverted resources use; return the others with the reason."""
    reverted = {one.resource.key for one in found}
    restored, kept = [], {}
    for name, stub in sorted(stubs.items()):
        others = [one.key for one in everything if user_data_secret(one.provider) == name and one.key not in reverted]
        if others:
            kept[name] = f"{', '.join(others[:10])} also boots with it, and images older than 4.6 need its original"
        elif restore(client, stub):
            restored.append(name)
    return tuple(restored), kept


_MANAGED = (
    "the machine-config operator manages this image and would undo the change: exclude it from that management with"
    " boot_image_policy first"
)
