# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Files out of image layers, without ever unpacking one: upper layers win, whiteouts hide what is below."""

from __future__ import annotations

import typing as t
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import PayloadError
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.contents.layer_stream import (
    Readable,
    opened_layer,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.contents.tar_entries import (
    TarEntry,
    TarReader,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import MIB

LARGEST_FILE = 2 * MIB
"""Bytes of a file that is kept as a whole: the image references of a release have 0.2 MB."""

LARGEST_SUM = 8 * MIB
LARGEST_NAMES = 32 * MIB
"""Bytes of memory for the names of files that are remembered in order to know what hides what."""

_WHITEOUT = ".wh."
_OPAQUE = ".wh..wh..opq"
# What Python needs for a name in two sets, beyond its characters.
_NAME_COST = 300

Kept = t.TypeVar("Kept")


@dataclass
class LayerReader(t.Generic[Kept]):
    """Reads the files at or below ``folders`` as a container of the image would see them, from the top layer down.

    ``take`` gets the name and the content of each file that no layer above hides, as a stream that it need not
    exhaust, and returns what is kept of it in ``files``. Within one layer the last entry of a name counts.

    Source: OCI image specification, ``layer.md``.
    """

    on: str
    folders: tuple[str, ...]
    take: Callable[[str, Readable], Kept]
    files: dict[str, Kept] = field(default_factory=dict)
    _above: frozenset[str] = frozenset()
    _seen: set[str] = field(default_factory=set)
    _hidden: set[str] = field(default_factory=set)
    _names: int = 0

    def __post_init__(self) -> None:
        self._below = tuple(f"{folder}/" for folder in self.folders)
        self._way = {
            "/".join(folder.split("/")[:count]) for folder in self.folders for count in range(folder.count("/") + 2)
        }

    def read(self, top_first: Iterable[Path], *, enough: Callable[[dict[str, Kept]], bool] | None = None) -> None:
        """Read the layers, the uppermost first, until ``enough`` says so; those below are not requested then.

        Raises PayloadError for a layer that is no tar file, plain or compressed with gzip or zstd, and for absurd
        sizes; MissingRequirementError where zstd cannot be read.
        """
        for layer in top_first:
            self._read_layer(layer)
            if enough is not None and enough(self.files):
                return

    def broken(self, seen: str) -> PayloadError:
        """Return the error for what was seen in the image."""
        return PayloadError(
            "read the files of the image",
            on=self.on,
            seen=seen,
            advice="Pull the image from its source again. If it is the same there, report it to its publisher.",
        )

    def _read_layer(self, layer: Path) -> None:
        def broken(seen: str) -> PayloadError:
            return self.broken(f"the layer {layer.name}: {seen}")

        hidden: set[str] = set()
        self._above = frozenset(self._seen)
        with opened_layer(layer, broken) as stream:
            content = TarReader(stream, broken)
            for entry in content:
                self._look(entry, content, hidden)
        self._hidden |= hidden

    def _look(self, entry: TarEntry, content: TarReader, hidden: set[str]) -> None:
        name = _normal(entry.name)
        if name is None:
            return
        folder, _slash, last = name.rpartition("/")
        if last == _OPAQUE:
            self._hide(folder, hidden)
        elif last.startswith(_WHITEOUT):
            self._hide(f"{folder}/{last[len(_WHITEOUT) :]}".lstrip("/"), hidden)
        elif name.startswith(self._below) or name in self.folders:
            self._see(entry, name, content, hidden)
        elif not entry.is_folder:
            # Something that is no directory hides a directory of that name below.
            self._hide(name, hidden)

    def _hide(self, name: str, hidden: set[str]) -> None:
        if name in self._way or name.startswith(self._below):
            self._remember(name)
            hidden.add(name)

    def _see(self, entry: TarEntry, name: str, content: TarReader, hidden: set[str]) -> None:
        if not self._is_visible(name):
            return
        self._remember(name)
        self._seen.add(name)
        self.files.pop(name, None)
        if entry.is_folder:
            return
        self._hide(name, hidden)
        if entry.is_sparse:
            raise self.broken(f"{name[:100]!r} is a sparse file, which image builders do not create")
        if entry.is_file:
            self.files[name] = self.take(name, content)

    def _remember(self, name: str) -> None:
        self._names += len(name) + _NAME_COST
        if self._names > LARGEST_NAMES:
            raise self.broken(f"it has too many files, {name[:100]!r} among them")

    def _is_visible(self, name: str) -> bool:
        if name in self._above:
            return False
        parts = name.split("/")
        above = {"/".join(parts[:count]) for count in range(len(parts) + 1)}
        return not above & self._hidden


class LayerFiles(LayerReader[bytes]):
    """Reads small files as a whole."""

    def __init__(self, on: str, folders: tuple[str, ...]) -> None:
        super().__init__(on, folders, self._whole)
        self._size = 0

    def _whole(self, name: str, content: Readable) -> bytes:
        found = content.read(LARGEST_FILE + 1)
        self._size += len(found)
        if len(found) > LARGEST_FILE or self._size > LARGEST_SUM:
            raise self.broken(f"the file {name[:100]!r} is too large")
        return found


def _normal(name: str) -> str | None:
    """Return a member's name relative to the root; None for one that leads out of it."""
    parts = [part for part in name.split("/") if part not in ("", ".")]
    return None if ".." in parts or not parts else "/".join(parts)
