# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Image layers: real tar files in real gzip, small root file systems filled up with a stated share of random data."""

from __future__ import annotations

import hashlib
import tarfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import MIB
from ansible_collections.fieldops.openshift.tests.lab.registry.content import Blob, BlobPool
from ansible_collections.fieldops.openshift.tests.lab.registry.gzip_stream import GzipStream

BUILT = 1767225600  # 2026-01-01T00:00:00Z, of every file and image
LARGEST_FILE = 8 * MIB
CHUNK = MIB
APPLETS = (
    *("cat", "cp", "echo", "env", "false", "ls", "mkdir", "mv"),
    *("nc", "rm", "sh", "sleep", "stat", "test", "true", "wget"),
)


@dataclass(frozen=True)
class Filler:
    """File content of ``size`` bytes that is the same for the same key, of which a share is repetitive text.

    The rest is random, unlike anything under another key, and does not shrink.
    """

    key: str
    size: int
    compressible: float


@dataclass(frozen=True)
class Member:
    """One entry of a layer's tar file; ``kind`` is tarfile's, ``target`` that of a link.

    Any name is written as it is, hostile ones too.
    """

    name: str
    content: bytes | Filler = b""
    mode: int = 0o644
    kind: bytes = tarfile.REGTYPE
    target: str = ""

    @property
    def size(self) -> int:
        """Bytes of content."""
        return self.content.size if isinstance(self.content, Filler) else len(self.content)

    @classmethod
    def directory(cls, name: str, mode: int = 0o755) -> Member:
        """Return a directory."""
        return cls(name, mode=mode, kind=tarfile.DIRTYPE)

    @classmethod
    def symlink(cls, name: str, target: str) -> Member:
        """Return a symbolic link."""
        return cls(name, mode=0o777, kind=tarfile.SYMTYPE, target=target)

    @classmethod
    def whiteout(cls, name: str) -> Member:
        """Return the entry that removes ``name`` of the layers below (OCI image specification, layer.md)."""
        folder, slash, last = name.rpartition("/")
        return cls(f"{folder}{slash}.wh.{last}", mode=0)


@dataclass(frozen=True)
class Layer:
    """A written layer: its compressed blob, and the digest and size of the tar file inside."""

    blob: Blob
    tar: Blob

    @property
    def digest(self) -> Digest:
        """The digest that manifests name."""
        return self.blob.digest

    @property
    def diff_id(self) -> Digest:
        """The digest that image configurations name."""
        return self.tar.digest


def write_layer(pool: BlobPool, members: Iterable[Member]) -> Layer:
    """Write one layer into the pool."""
    with pool.receive() as part:
        stream = GzipStream(part)
        for member in members:
            stream.write(_tar_header(member))
            _write_content(stream, member.content)
            stream.write(bytes(-member.size % tarfile.BLOCKSIZE))
        stream.write(bytes(2 * tarfile.BLOCKSIZE))
        packed, plain = stream.finish()
        part.close_as(packed.digest)
    return Layer(packed, plain)


def filling(folder: str, filler: Filler) -> Iterator[Member]:
    """Yield files below ``folder`` that have the filler's size together."""
    yield Member.directory(folder)
    for number, start in enumerate(range(0, filler.size, LARGEST_FILE)):
        size = min(LARGEST_FILE, filler.size - start)
        yield Member(f"{folder}/{number:04d}.bin", replace(filler, key=f"{filler.key}/{number}", size=size))


def skeleton() -> list[Member]:
    """Return the part of a root file system without which no container starts."""
    folders = ("dev", "etc", "proc", "root", "run", "sys", "usr", "usr/bin", "usr/share", "var")
    return [
        *(Member.directory(name) for name in folders),
        Member.directory("tmp", 0o1777),
        Member.symlink("bin", "usr/bin"),
        Member.symlink("var/run", "../run"),
        Member("etc/passwd", b"root:x:0:0:root:/root:/bin/sh\n"),
        Member("etc/group", b"root:x:0:\n"),
        Member("etc/os-release", b'NAME="Lab Linux"\nID=lab\nVERSION_ID="9.6"\n'),
    ]


def shell(busybox: bytes) -> list[Member]:
    """Return a root file system that has a shell and the usual commands; ``busybox`` is a static binary."""
    applets = [
        "cat",
        "cp",
        "echo",
        "env",
        "false",
        "ls",
        "mkdir",
        "mv",
        "nc",
        "rm",
        "sh",
        "sleep",
        "stat",
        "test",
        "true",
        "wget",
    ]
    links = [Member.symlink(f"usr/bin/{applet}", "busybox") for applet in applets]
    return [*skeleton(), Member("usr/bin/busybox", busybox, mode=0o755), *links]


def _tar_header(member: Member) -> bytes:
    entry = tarfile.TarInfo(member.name)
    entry.size, entry.mode, entry.mtime = member.size, member.mode, BUILT
    entry.type, entry.linkname = member.kind, member.target
    return entry.tobuf(tarfile.GNU_FORMAT, "utf-8", "surrogateescape")


def _write_content(stream: GzipStream, content: bytes | Filler) -> None:
    if isinstance(content, bytes):
        stream.write(content)
        return
    for start in range(0, content.size, CHUNK):
        size = min(CHUNK, content.size - start)
        repetitive = round(size * content.compressible)
        stream.write(hashlib.shake_128(f"{content.key}/{start}".encode()).digest(size - repetitive))
        stream.write_text(repetitive)
