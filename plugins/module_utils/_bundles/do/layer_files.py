# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""Small files out of image layers, without ever unpacking one: upper layers win, whiteouts hide what lies below."""

from __future__ import annotations

import contextlib
import gzip
import io
import tarfile
import typing as t
import zlib
from dataclasses import dataclass, field

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import PayloadError
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import explained

if t.TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

LARGEST_FILE = 64 * 1024 * 1024
LARGEST_SUM = 512 * 1024 * 1024
MOST_MEMBERS = 2_000_000

_WHITEOUT = ".wh."
_OPAQUE = ".wh..wh..opq"


@dataclass
class LayerFiles:
    """The files below ``folders`` as a container of the image would see them, collected from the top layer down.

    Source: OCI image specification, ``layer.md``.
    """

    on: str
    folders: tuple[str, ...]
    files: dict[str, bytes] = field(default_factory=dict)
    _above: frozenset[str] = frozenset()
    _seen: set[str] = field(default_factory=set)
    _hidden: set[str] = field(default_factory=set)
    _size: int = 0

    def read(self, top_first: Iterable[Path], *, enough: Callable[[dict[str, bytes]], bool] | None = None) -> None:
        """Collect from the layers, the uppermost first, until ``enough`` says so; those below are not asked for then.

        Raises PayloadError for a layer that is not a tar file in gzip or plain, and for absurd sizes.
        """
        for layer in top_first:
            self._read_layer(layer)
            if enough is not None and enough(self.files):
                return

    def _read_layer(self, layer: Path) -> None:
        hidden: set[str] = set()
        self._above = frozenset(self._seen)
        with explained("read the layer", layer):
            try:
                self._read_members(layer, hidden)
            except (tarfile.TarError, EOFError, zlib.error, gzip.BadGzipFile) as error:
                raise self.broken(f"the layer {layer.name} cannot be read: {error}") from error
        self._hidden |= hidden

    def _read_members(self, layer: Path, hidden: set[str]) -> None:
        with _opened(layer, self) as archive:
            for count, member in enumerate(archive):
                # tarfile would keep every entry it has passed.
                archive.members = []  # type: ignore[attr-defined]
                if count > MOST_MEMBERS:
                    raise self.broken(f"the layer {layer.name} has more than {MOST_MEMBERS} entries")
                self._look(archive, member, hidden)

    def _look(self, archive: tarfile.TarFile, member: tarfile.TarInfo, hidden: set[str]) -> None:
        name = _normal(member.name)
        if name is None or not self._concerns(name):
            return
        folder, _slash, last = name.rpartition("/")
        if last == _OPAQUE:
            hidden.add(folder)
        elif last.startswith(_WHITEOUT):
            hidden.add(f"{folder}/{last[len(_WHITEOUT) :]}".lstrip("/"))
        elif self._is_visible(name):
            self._seen.add(name)
            # Within one layer the last entry of a name counts.
            self.files.pop(name, None)
            if member.isdir():
                return
            # Something that is no directory hides a directory of that name below.
            hidden.add(name)
            if member.isreg():
                self._take(archive, member, name)

    def _take(self, archive: tarfile.TarFile, member: tarfile.TarInfo, name: str) -> None:
        self._size += member.size
        if member.size > LARGEST_FILE or self._size > LARGEST_SUM:
            raise self.broken(f"the file {name[:100]!r} is too large, with {member.size} bytes")
        stream = archive.extractfile(member)
        self.files[name] = stream.read() if stream is not None else b""

    def _concerns(self, name: str) -> bool:
        # The entry that hides a whole folder lies beside the folder.
        hider = {_beside(folder) for folder in self.folders}
        return name in hider or any(name == folder or name.startswith(f"{folder}/") for folder in self.folders)

    def _is_visible(self, name: str) -> bool:
        if name in self._above:
            return False
        parts = name.split("/")
        above = {"/".join(parts[:count]) for count in range(1, len(parts) + 1)}
        return not above & self._hidden

    def broken(self, seen: str) -> PayloadError:
        """Return the error for what was seen in the image."""
        return PayloadError(
            "read the files of the image",
            on=self.on,
            seen=seen,
            advice="Take the image again from its source; if it is the same there, report it to whoever publishes it.",
        )


class _BoundedReads(io.RawIOBase):
    """Refuses to read at once what no header can need: tarfile reads extended headers whole, of whatever size."""

    def __init__(self, inner: t.BinaryIO, files: LayerFiles) -> None:
        super().__init__()
        self._inner = inner
        self._files = files

    def read(self, size: int = -1) -> bytes:
        if not 0 <= size <= LARGEST_FILE:
            raise self._files.broken(f"an entry of a layer claims {size} bytes of headers")
        return self._inner.read(size)

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._inner.seek(offset, whence)

    def tell(self) -> int:
        return self._inner.tell()

    def seekable(self) -> bool:
        return True


@contextlib.contextmanager
def _opened(layer: Path, files: LayerFiles) -> Iterator[tarfile.TarFile]:
    with layer.open("rb") as packed:
        magic = packed.read(4)
        packed.seek(0)
        if magic == b"\x28\xb5\x2f\xfd":
            raise files.broken(f"the layer {layer.name} is compressed with zstd, which is not supported here")
        plain: t.Any = gzip.GzipFile(fileobj=packed, mode="rb") if magic[:2] == b"\x1f\x8b" else packed
        with tarfile.open(fileobj=t.cast("t.BinaryIO", _BoundedReads(plain, files)), mode="r:") as archive:
            yield archive


def _normal(name: str) -> str | None:
    """Return a member's name relative to the root; None for one that leads out of it."""
    parts = [part for part in name.split("/") if part not in ("", ".")]
    return None if ".." in parts or not parts else "/".join(parts)


def _beside(folder: str) -> str:
    above, _slash, last = folder.rpartition("/")
    return f"{above}/{_WHITEOUT}{last}".lstrip("/")
