# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Carries changes of boot images out: noted, made, then noted as made, so that a run can be killed anywhere."""

from __future__ import annotations

import typing as t
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.do.history_store import HistoryStore
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.do.user_data import convert
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.errors import UserDataError
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.field_changes import (
    json_patch,
    value_at,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.history_entries import (
    HistoryEntry,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.ignition_stub import Stub
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.machine_resource import (
    MACHINE_API,
    MachineResource,
    is_as_judged,
    resource_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.api_error import ApiError
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient

BATCH = 100
"""Changes that are noted with one write; so many may be noted and not made where a run is killed."""

_LOOKS = 4
"""Times that a resource is looked at again when it has changed since it was judged."""

DONE = "done"
UNKNOWN = "unknown"
"""No answer came: the change may have been made, so its entry stays as one that may have been."""


@dataclass(frozen=True)
class Job:
    """One change of one resource; ``stub`` is its stub where that has to be converted with it."""

    resource: MachineResource
    entry: HistoryEntry
    stub: Stub | None = field(default=None, repr=False)


@dataclass(frozen=True)
class JobResult:
    """What became of a job: ``code`` is DONE, or a word for why it was not made."""

    job: Job
    code: str
    reason: str = ""

    @property
    def ok(self) -> bool:
        """Whether the change is made, or in a dry run would be."""
        return self.code == DONE


def carry_out(client: ClusterClient, store: HistoryStore, jobs: Sequence[Job], *, keep_going: bool) -> list[JobResult]:
    """Make the changes and return what became of each; after a failure the rest is left unless ``keep_going``.

    Raise ApiError where the history cannot be written: then nothing of that batch was changed.
    """
    results: list[JobResult] = []
    converted: set[str] = set()
    for start in range(0, len(jobs), BATCH):
        batch = jobs[start : start + BATCH]
        if any(not one.ok for one in results) and not keep_going:
            results += [not_tried(job) for job in batch]
            continue
        results += _one_batch(client, store, batch, keep_going, converted)
    return results


def _one_batch(
    client: ClusterClient, store: HistoryStore, jobs: Sequence[Job], keep_going: bool, converted: set[str]
) -> list[JobResult]:
    store.write([job.entry for job in jobs])
    results: list[JobResult] = []
    try:
        for job in jobs:
            if any(not one.ok for one in results) and not keep_going:
                results.append(not_tried(job))
            else:
                results.append(_attempt(client, job, converted))
    finally:
        if not client.dry_run:
            _settle(store, jobs, results)
    return results


def _settle(store: HistoryStore, jobs: Sequence[Job], results: Sequence[JobResult]) -> None:
    """Note what was made and take back what was not; what was never tried is taken back too."""
    made = [one.job.entry.done() for one in results if one.ok]
    kept = {one.job.entry.id for one in results if one.ok or one.code == UNKNOWN}
    store.write(made, drop=[job.entry.id for job in jobs if job.entry.id not in kept])


def _attempt(client: ClusterClient, job: Job, converted: set[str]) -> JobResult:
    try:
        if job.stub and job.stub.secret not in converted:
            # The resource is tried first, so that no stub is converted for an image that is then refused.
            _change(client, job, dry_run=True)
            convert(client, job.stub)
            converted.add(job.stub.secret)
        _change(client, job)
    except UserDataError as error:
        return JobResult(job, "stub", f"{error.on}: {error.seen}")
    except ApiError as error:
        return JobResult(job, _word(error), f"{error.attempted}: {error.seen}. {error.advice}")
    return JobResult(job, DONE)


def _change(client: ClusterClient, job: Job, *, dry_run: bool | None = None) -> None:
    """Change the resource as it was judged; what does not bear on that, such as its status, may have changed.

    Where no answer came or others wrote first, what is there then decides: the change may have been made.
    """
    resource = job.resource
    for looks in range(_LOOKS, 0, -1):
        refusal = _patch(client, job, resource, dry_run)
        if refusal is None:
            return
        # This read outlasts a short outage.
        found = client.get(resource.object_kind, resource.name, MACHINE_API)
        if found is None:
            raise refusal
        resource = resource_of(found)
        if all(value_at(resource.provider, change.path) == change.after for change in job.entry.changes):
            return
        if looks == 1 or not is_as_judged(resource, job.resource):
            raise refusal


def _patch(client: ClusterClient, job: Job, resource: MachineResource, dry_run: bool | None) -> ApiError | None:
    """Change the resource of this version; return the error where it is another one, or where no answer came."""
    try:
        client.patch(
            resource.object_kind,
            resource.name,
            json_patch(resource.root, job.entry.changes),
            MACHINE_API,
            patch_type="json",
            resource_version=resource.resource_version,
            dry_run=dry_run,
        )
    except ApiError as error:
        if error.status != 409 and not error.transient:
            raise
        return error
    return None


def _word(error: ApiError) -> str:
    if error.status is None or not 300 <= error.status < 500:
        return UNKNOWN
    if error.status == 404:
        return "deleted"
    return "conflict" if error.status == 409 or _is_outdated(error) else "refused"


def _is_outdated(error: ApiError) -> bool:
    """Return whether operations no longer fit the object, which for this type of patch is no conflict to the server."""
    return error.status == 422 and not error.causes


def not_tried(job: Job, reason: str = "an earlier resource failed") -> JobResult:
    """Return that a change was left out because of another one."""
    return JobResult(job, "not_tried", reason)


def with_stub(job: Job, stub: Stub | None, change: t.Any) -> Job:
    """Return the job with the conversion of its stub noted in its entry."""
    return replace(job, stub=stub, entry=replace(job.entry, stub=change))
