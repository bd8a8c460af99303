# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Brings machine resources to the image of their stream."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.do.carry_out import (
    Job,
    JobResult,
    carry_out,
    not_tried,
    with_stub,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.do.history_store import HistoryStore
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.do.user_data import (
    StubReader,
    planned_conversion,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.errors import UserDataError
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.assessment import Assessment
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.history_entries import (
    UPDATE,
    HistoryEntry,
    entry_id,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.ignition_stub import user_data_secret
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.order import ordered
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.verdict import FAULT, OUTDATED
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.micro_time import micro_time


@dataclass(frozen=True)
class Updated:
    """What became of each change that was tried, what waits for a canary's proof, stubs, and who the canaries are."""

    results: tuple[JobResult, ...]
    later: tuple[Assessment, ...]
    stubs: dict[str, tuple[str, str]]
    canaries: tuple[str, ...] = ()


def update(
    client: ClusterClient,
    store: HistoryStore,
    found: Sequence[Assessment],
    *,
    by: str,
    canary: bool = False,
    keep_going: bool = False,
) -> Updated:
    """Change what is outdated and ours; without ``keep_going`` nothing where one cannot be judged or has no stub."""
    order = ordered(found, canary=canary)
    reader = StubReader(client, (user_data_secret(one.resource.provider) for one in order.now))
    instant = client.clock.utcnow()
    jobs: list[Job] = []
    refused: list[JobResult] = []
    for one in order.now:
        _sorted_in(Job(one.resource, _entry(one, instant, by)), reader, jobs, refused)
    if not keep_going and (refused or any(_is_broken(one) for one in found)):
        results = [not_tried(job, "nothing is changed because another resource cannot be changed") for job in jobs]
    else:
        results = carry_out(client, store, jobs, keep_going=keep_going)
    return Updated((*results, *refused), order.later, reader.as_data(), order.canaries)


def _entry(one: Assessment, instant: datetime, by: str) -> HistoryEntry:
    """Return the entry that notes the change: that of a run which was killed before it was made, or a new one."""
    last = one.history[-1] if one.history else None
    if last and not last.applied and (last.kind, last.changes) == (UPDATE, one.verdict.changes):
        return last
    return HistoryEntry(
        id=entry_id(instant, one.resource.key),
        resource=one.resource.key,
        kind=UPDATE,
        at=micro_time(instant),
        by=by,
        changes=one.verdict.changes,
        before=one.verdict.current,
        after=one.verdict.target,
        uid=one.resource.uid,
    )


def _sorted_in(job: Job, reader: StubReader, jobs: list[Job], refused: list[JobResult]) -> None:
    """Put a job among those that can be done, with the conversion of its stub, or among those that cannot."""
    name = user_data_secret(job.resource.provider)
    error = reader.errors.get(name)
    stub = reader.stubs.get(name)
    if stub and stub.needs_conversion:
        try:
            jobs.append(with_stub(job, stub, planned_conversion(stub)[0]))
        except UserDataError as unconvertible:
            error = unconvertible
    elif not error:
        jobs.append(job)
    if error:
        refused.append(JobResult(job, "stub", f"{error.on}: {error.seen}"))


def _is_broken(one: Assessment) -> bool:
    fights = one.contest.is_fight and one.verdict.standing == OUTDATED and not one.left_to_operator
    return one.verdict.standing == FAULT or fights
