# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A compressed archive that grows part by part: safe names, private files, a bound on all of it, a manifest last."""

from __future__ import annotations

import io
import json
import tarfile
import typing as t
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from ansible_collections.fieldops.openshift.plugins.module_utils._support.plan.parts import (
    CUT,
    LEFT_OUT,
    Part,
    member_name,
    missing_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import format_size
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.timestamps import timestamp

MANIFEST = "manifest.json"
PART_LIMIT = 8 * 1024 * 1024
"""Bytes of a part."""


class Sink(t.Protocol):
    """Where the bytes of an archive go."""

    def write(self, chunk: bytes, /) -> object:
        """Take the next bytes."""


class ArchiveWriter:
    """Writes parts into ``sink``, below the folder ``top``, until they have ``limit`` bytes together.

    It is ended before its sink is, whatever happens: an archive that is not would write into it when it is forgotten.
    """

    def __init__(self, sink: Sink, now: datetime, limit: int, top: str = "") -> None:
        # As a stream, an archive is written from its beginning to its end.
        self._archive = tarfile.open(fileobj=t.cast("t.IO[bytes]", sink), mode="w|gz")  # noqa: SIM115 - __exit__ closes it
        self._now = now
        self._limit = limit
        self._room = limit
        self._top = f"{top}/" if top else ""
        self._taken = {MANIFEST}
        self.parts: list[Part] = []

    def __enter__(self) -> ArchiveWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self._archive.close()

    def add(self, part: Part, text: str) -> None:
        """Add ``part`` with its ``text``, the end of which is kept where it is too long."""
        content = text.encode("utf-8", "replace")
        if len(content) > PART_LIMIT:
            dropped = len(content) - PART_LIMIT
            part = replace(part, state=CUT, reason=f"its first {dropped} bytes were omitted")
            content = content[dropped:]
        if len(content) > self._room:
            said = f"the archive would have more than {format_size(self._limit)}"
            self.note(replace(part, state=LEFT_OUT, size=len(content), reason=said))
            return
        self._room -= len(content)
        name = member_name(part.name, self._taken)
        self._taken.add(name)
        self._put(name, content)
        self.parts.append(replace(part, name=name, size=len(content)))

    def note(self, part: Part) -> None:
        """Note a part of which there is nothing to add."""
        self.parts.append(part)

    def finish(self, manifest: Mapping[str, t.Any]) -> list[Part]:
        """Add the manifest, end the archive, and return the parts that are missing in it."""
        documents = [part.as_document() for part in self.parts]
        whole = {"schemaVersion": 1, "made": timestamp(self._now), **manifest, "parts": documents}
        self._put(MANIFEST, json.dumps(whole, indent=2, sort_keys=True).encode() + b"\n")
        self._archive.close()
        return missing_of(self.parts)

    def _put(self, name: str, content: bytes) -> None:
        member = tarfile.TarInfo(f"{self._top}{name}")
        member.size, member.mode, member.mtime = len(content), 0o600, int(self._now.timestamp())
        self._archive.addfile(member, io.BytesIO(content))
