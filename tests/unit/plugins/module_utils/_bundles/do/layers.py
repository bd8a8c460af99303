# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Layers as tests want them: real tar files, whatever is in them, packed by the real programs."""

from __future__ import annotations

import gzip
import io
import shutil
import struct
import subprocess
import tarfile
import typing as t
from pathlib import Path

import pytest

Entry = tuple[str, t.Any]

needs_zstd = pytest.mark.skipif(shutil.which("zstd") is None, reason="the program zstd is missing")


def tar_of(*entries: Entry) -> bytes:
    """Return a tar file: bytes are files, None is a directory, a str is where a symbolic link leads."""
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for name, what in entries:
            member = tarfile.TarInfo(name)
            if what is None:
                member.type = tarfile.DIRTYPE
            elif isinstance(what, str):
                member.type, member.linkname = tarfile.SYMTYPE, what
            else:
                member.size = len(what)
            archive.addfile(member, io.BytesIO(what) if isinstance(what, bytes) else None)
    return content.getvalue()


def layer(path: Path, *entries: Entry) -> Path:
    """Write a layer packed with gzip."""
    path.write_bytes(gzip.compress(tar_of(*entries), 1))
    return path


def zstd(content: bytes, *options: str) -> bytes:
    """Return ``content`` packed by the program zstd."""
    return subprocess.run(["zstd", "-q", "-c", *options], input=content, capture_output=True, check=True).stdout


def skippable(content: bytes) -> bytes:
    """Return a frame that decoders of zstd pass over, as zstd:chunked has them (RFC 8878, section 3.1.2)."""
    return struct.pack("<II", 0x184D2A50, len(content)) + content


def header(name: str, kind: bytes = tarfile.REGTYPE, size: int = 0, **more: t.Any) -> bytes:
    """Return the header of one entry, whatever it claims."""
    member = tarfile.TarInfo(name)
    member.type, member.size = kind, size
    for key, value in more.items():
        setattr(member, key, value)
    return member.tobuf(tarfile.GNU_FORMAT, "utf-8", "surrogateescape")


def extension(content: bytes, kind: bytes = tarfile.XHDTYPE) -> bytes:
    """Return an extended header."""
    return header("extension", kind, len(content)) + content + bytes(-len(content) % tarfile.BLOCKSIZE)


def pax(**records: str) -> bytes:
    """Return a well-formed extended header of POSIX."""
    content = b""
    for key, value in records.items():
        rest = f" {key.replace('__', '.')}={value}\n".encode("utf-8", "surrogateescape")
        size = next(size for size in range(len(rest), len(rest) + 20) if len(str(size)) + len(rest) == size)
        content += str(size).encode() + rest
    return extension(content)
