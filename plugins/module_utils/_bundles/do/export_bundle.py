# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""A bundle written as one archive, or in chunks for disks with small files, and verified on the way."""

from __future__ import annotations

import hashlib
import typing as t
from dataclasses import dataclass
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import (
    BundleError,
    DamagedBundleError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build_space import FAT_LIMIT, is_fat
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.archive_layout import (
    Part,
    archive_parts,
    archive_size,
    chunk_names,
    chunk_sizes,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.checksums import checksum_lines
from ansible_collections.fieldops.openshift.plugins.module_utils._host.directories import ensure_directory
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import DiskFullError, explained
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import remove_file, write_file
from ansible_collections.fieldops.openshift.plugins.module_utils._host.free_space import free_space
from ansible_collections.fieldops.openshift.plugins.module_utils._host.partial_file import PartialFile
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import MIB, format_size

if t.TYPE_CHECKING:
    from collections.abc import Iterator

    from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.bundle_folder import BundleFolder
    from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.byte_progress import ByteProgress
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import BundleIndex

MOST_CHUNKS = 1000
RESERVE = 8 * MIB


@dataclass(frozen=True)
class Exported:
    """The files of an archive, and how many of its bytes had to be written."""

    files: tuple[str, ...]
    written: int


@dataclass(frozen=True)
class ArchiveWriter:
    """Writes the archive of ``source``, whose index is ``index``, into the folder ``target``."""

    source: BundleFolder
    index: BundleIndex
    target: Path
    chunk_size: int | None
    counts: ByteProgress

    def write(self) -> Exported:
        """Write what is missing and return all files. Files that are right already are read and kept.

        Raises DamagedBundleError if a blob of the source is damaged, DiskFullError, FileAccessError.
        """
        stem = f"{self.index.folder_name}.tar"
        checksums, signature = checksum_lines(self.index), self.source.index_signature()
        sizes = chunk_sizes(archive_size(self.index, checksums, signature), self.chunk_size)
        names = chunk_names(stem, len(sizes))
        self._require_room(names, sizes)
        if not self.target.is_dir():
            ensure_directory(self.target)
        stream = _Stream(self._blocks(archive_parts(self.index, checksums, signature)))
        lines, written = [], 0
        for name, size in zip(names, sizes):
            digest, new = self._chunk(self.target / name, size, stream)
            lines.append(f"{digest}  {name}\n")
            written += new
        stream.finish()
        write_file(self.target / f"{stem}.sha256", "".join(lines))
        self._remove_stale(stem, {*names, f"{stem}.sha256"})
        return Exported(tuple(names), written)

    def _chunk(self, path: Path, size: int, stream: _Stream) -> tuple[str, int]:
        there = _existing(path, size)
        part = path.with_name(f".{path.name}.part")
        hasher, same = hashlib.sha256(), there is not None
        remove_file(part)
        with PartialFile.opened(part) as partial:
            for block in stream.take(size):
                hasher.update(block)
                if same and there is not None and not there.matches(block):
                    # Up to here the file is right; what follows is written anew behind a copy of that.
                    _copy_beginning(path, partial, there.position)
                    same = False
                if not same:
                    partial.write(block)
                self.counts.add(len(block))
            if there is not None:
                there.close()
            if same:
                remove_file(part)
                return hasher.hexdigest(), 0
            partial.publish(path)
        return hasher.hexdigest(), size

    def _blocks(self, parts: Iterator[Part]) -> Iterator[memoryview]:
        for part in parts:
            if part.digest is None:
                yield memoryview(part.content)
                continue
            hasher, size = hashlib.sha256(), 0
            for block in self.source.blocks(part.digest):
                hasher.update(block)
                size += len(block)
                yield block
            if hasher.hexdigest() != part.digest.hex or size != part.size:
                raise DamagedBundleError(
                    "export the bundle",
                    on=str(self.source.blob(part.digest)),
                    seen=f"it has {size} bytes with the digest sha256:{hasher.hexdigest()}",
                    advice="Build or repair the bundle first; the archive is not complete.",
                )

    def _require_room(self, names: list[str], sizes: list[int]) -> None:
        if len(names) > MOST_CHUNKS:
            raise _refusal(self.target, f"it would become {len(names)} chunks", "Choose larger chunks.")
        if max(sizes) > FAT_LIMIT and is_fat(self.target):
            raise _refusal(
                self.target,
                f"the archive has a file of {format_size(max(sizes))}, and FAT holds none above 4 GiB",
                "Set a chunk_size below 4 GiB.",
            )
        missing = sum(size for name, size in zip(names, sizes) if _size_of(self.target / name) != size)
        space = free_space(self.target)
        if missing and not space.takes(missing + RESERVE, len(names) + 1):
            raise DiskFullError(
                "make room for the archive",
                on=str(self.target),
                seen=f"it needs {format_size(missing + RESERVE)}; {format_size(space.free)} are free",
                advice="Free space, or choose another disk.",
            )

    def _remove_stale(self, stem: str, wanted: set[str]) -> None:
        # Chunks of another size, of this very bundle.
        for path in sorted(self.target.glob(f"{stem}*")):
            if path.name not in wanted and path.name.removeprefix(stem)[1:].isdigit():
                remove_file(path)


class _Stream:
    """Blocks cut into files."""

    def __init__(self, blocks: Iterator[memoryview]) -> None:
        self._blocks = blocks
        self._rest = memoryview(b"")

    def take(self, size: int) -> Iterator[memoryview]:
        """Yield the next ``size`` bytes."""
        while size > 0:
            if not self._rest:
                self._rest = self._next_block()
            block, self._rest = self._rest[:size], self._rest[size:]
            size -= len(block)
            yield block

    def finish(self) -> None:
        """Let the source check what it checks at its end."""
        if any(self._blocks):
            raise _changed_meanwhile("it has more bytes than were measured")

    def _next_block(self) -> memoryview:
        block = next(self._blocks, None)
        if block is None:
            raise _changed_meanwhile("it has fewer bytes than were measured")
        return block


def _changed_meanwhile(seen: str) -> BundleError:
    return DamagedBundleError(
        "export the bundle", on="its folder", seen=seen, advice="Somebody writes to it: export again when it is still."
    )


class _Existing:
    """A file that may be right already, compared block by block."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stream = path.open("rb", buffering=0)
        self.position = 0

    def matches(self, block: memoryview) -> bool:
        """Whether the file goes on with ``block``."""
        with explained("read the file", self._path):
            self._stream.seek(self.position)
            found = self._stream.read(len(block))
        self.position += len(block) if found == block else 0
        return found == block

    def close(self) -> None:
        """Close the file."""
        self._stream.close()


def _existing(path: Path, size: int) -> _Existing | None:
    return _Existing(path) if _size_of(path) == size else None


def _copy_beginning(path: Path, partial: PartialFile, size: int) -> None:
    with explained("read the file", path), path.open("rb", buffering=0) as stream:
        while partial.position < size:
            partial.write(stream.read(min(MIB, size - partial.position)))


def _size_of(path: Path) -> int | None:
    return path.stat().st_size if path.is_file() and not path.is_symlink() else None


def _refusal(target: Path, seen: str, advice: str) -> BundleError:
    return BundleError("export the bundle", on=str(target), seen=seen, advice=advice)
