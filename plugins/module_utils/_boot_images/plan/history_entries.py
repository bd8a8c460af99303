# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""One entry of the history of boot images: what was changed on which resource, when, by whom, and from what to what."""

from __future__ import annotations

import hashlib
import json
import typing as t
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.errors import MalformedError
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.documents import (
    Document,
    list_at,
    mapping_at,
    text_at,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.field_changes import FieldChange
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.verdict import NO_IMAGE, Image

UPDATE = "update"
REVERT = "revert"
OBSERVED = "observed"
"""Others changed the image since it was looked at last."""
FIRST_SEEN = "first_seen"
"""What was there when this collection looked first; nothing is known of before."""


@dataclass(frozen=True)
class StubChange:
    """A Secret whose stub was converted with the change; ``original`` names the Secret that keeps what was there."""

    secret: str
    original: str
    version_before: str = ""
    version_after: str = ""


@dataclass(frozen=True)
class HistoryEntry:
    """``id`` begins with the instant, so that entries sort by it.

    ``applied`` is false from before the change until it is known to have been made: where a run was killed between,
    the entry still says what was there. ``uid`` is that of the object, empty in entries of former versions.
    """

    id: str
    resource: str
    kind: str
    at: str
    by: str
    changes: tuple[FieldChange, ...]
    before: Image = NO_IMAGE
    after: Image = NO_IMAGE
    stub: StubChange | None = None
    applied: bool = False
    uid: str = ""

    @property
    def text(self) -> str:
        """The entry as it is stored."""
        return json.dumps(self.as_data(), sort_keys=True, separators=(",", ":"), ensure_ascii=False)

    def done(self) -> HistoryEntry:
        """Return the entry once its change is made."""
        return replace(self, applied=True)

    def as_data(self) -> dict[str, t.Any]:
        """Return the entry as it is stored and shown."""
        shown: dict[str, t.Any] = {
            "id": self.id,
            "resource": self.resource,
            "uid": self.uid,
            "kind": self.kind,
            "at": self.at,
            "by": self.by,
            "before": {"image": self.before.reference, "release": self.before.release},
            "after": {"image": self.after.reference, "release": self.after.release},
            "changes": [change.as_data() for change in self.changes],
            "applied": self.applied,
        }
        if self.stub:
            versions = {"before": self.stub.version_before, "after": self.stub.version_after}
            shown["stub"] = {"secret": self.stub.secret, "original": self.stub.original, **versions}
        return shown


def entry_id(instant: datetime, resource: str) -> str:
    """Return the id of an entry: ``20261121T220030.000000Z-`` and what distinguishes resources of one instant."""
    return f"{instant:%Y%m%dT%H%M%S.%fZ}-{hashlib.sha256(resource.encode()).hexdigest()[:10]}"


def read_entry(text: str) -> HistoryEntry:
    """Return the entry that is stored as ``text``; raise MalformedError where it is none."""
    try:
        found = mapping_at(json.loads(text))
    except (ValueError, RecursionError) as error:
        raise MalformedError("read an entry", on="its text", seen="it is not JSON", advice="") from error
    stub = mapping_at(found, "stub")
    entry = HistoryEntry(
        id=text_at(found, "id"),
        resource=text_at(found, "resource"),
        kind=text_at(found, "kind"),
        at=text_at(found, "at"),
        by=text_at(found, "by"),
        changes=tuple(FieldChange.of_data(mapping_at(one)) for one in list_at(found, "changes")),
        before=_image(found, "before"),
        after=_image(found, "after"),
        stub=_stub(stub) if stub else None,
        applied=found.get("applied") is True,
        uid=text_at(found, "uid"),
    )
    if not (entry.id and entry.resource and entry.changes):
        raise MalformedError("read an entry", on="its text", seen="parts of it are missing", advice="")
    return entry


def _image(found: Mapping[str, t.Any], name: str) -> Image:
    return Image(text_at(found, name, "image"), text_at(found, name, "release"))


def _stub(found: Document) -> StubChange:
    return StubChange(*(text_at(found, name) for name in ("secret", "original", "before", "after")))
