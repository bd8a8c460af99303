# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What others did to a boot image: each check is compared with what history knows of the same object."""

from __future__ import annotations

import typing as t
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.assessment import Assessment
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.documents import Document
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.field_changes import (
    FieldChange,
    Maybe,
    Path,
    value_at,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.field_writers import (
    leaves_of,
    writers_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.history_entries import (
    FIRST_SEEN,
    OBSERVED,
    HistoryEntry,
    entry_id,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.machine_resource import (
    MachineResource,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.verdict import NO_IMAGE
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.micro_time import instant_of, micro_time

_FIELDS: t.Mapping[str, tuple[Path, ...]] = {
    "AWS": (("ami",),),
    "VSphere": (("template",),),
    "BareMetal": (("image",), ("customDeploy",)),
}
"""Where an image stands in the provider's specification; ``image`` on all other platforms but Google's."""


def own_entries(entries: Iterable[HistoryEntry], resource: MachineResource) -> tuple[HistoryEntry, ...]:
    """Return the entries of this very object: one that was deleted and made again has a history of its own.

    Entries of former versions know no UID; those that are older than the object are of another one.
    """
    created = instant_of(resource.created)
    return tuple(
        entry
        for entry in entries
        if (entry.uid == resource.uid if entry.uid else created is None or (instant_of(entry.at) or created) >= created)
    )


def observation_of(found: Assessment, platform: str, now: datetime) -> HistoryEntry | None:
    """Return the entry that notes what others did since the last check, or what is there at the first one.

    Nothing where history is right, and where the image is not known. Who wrote it, and when, is what the server says
    of the field, else an empty name and ``now``.
    """
    resource, current = found.resource, found.verdict.current
    provider = resource.provider
    if provider is None or not current.reference:
        return None
    known = _known(provider, found.history)
    fields = known or dict.fromkeys(_image_fields(provider, platform), ())
    changes = tuple(
        FieldChange(path, value, value_at(provider, path))
        for path, value in fields.items()
        if value_at(provider, path) != value
    )
    before = found.history[-1].after if found.history else NO_IMAGE
    if not changes or current.reference == before.reference:
        return None
    by, at = _written(resource, changes, now)
    former = instant_of(found.history[-1].at) if found.history else None
    return HistoryEntry(
        # Right before what this run does.
        id=entry_id(now - timedelta(microseconds=1), resource.key),
        resource=resource.key,
        kind=OBSERVED if known else FIRST_SEEN,
        # Times of managed fields are whole seconds, those of entries are not.
        at=micro_time(max(at, former) if former else at),
        by=by,
        changes=changes,
        before=before,
        after=current,
        applied=True,
        uid=resource.uid,
    )


def _written(resource: MachineResource, changes: Sequence[FieldChange], now: datetime) -> tuple[str, datetime]:
    fields = [(*resource.root, *path) for change in changes for path in leaves_of(change)]
    found = [one for path in fields for one in writers_of(resource.managed_fields, path)]
    last = max(found, key=lambda one: one.at, default=None)
    return (last.manager, instant_of(last.at) or now) if last else ("", now)


def _known(provider: Document, entries: Sequence[HistoryEntry]) -> dict[Path, Maybe]:
    """Return what each field should hold by its history; of a change that a kill left open, what is there decides."""
    known: dict[Path, Maybe] = {}
    for entry in entries:
        made = entry.applied or all(value_at(provider, change.path) == change.after for change in entry.changes)
        for change in entry.changes:
            if made:
                known[change.path] = change.after
            else:
                known.setdefault(change.path, change.before)
    return known


def _image_fields(provider: Document, platform: str) -> tuple[Path, ...]:
    if platform != "GCP":
        return _FIELDS.get(platform, (("image",),))
    disks = provider.get("disks")
    listed = disks if isinstance(disks, list) else []
    return tuple(
        ("disks", position, "image")
        for position, disk in enumerate(listed)
        if isinstance(disk, dict) and disk.get("boot") is True
    )
