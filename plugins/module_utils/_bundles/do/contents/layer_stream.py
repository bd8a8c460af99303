# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The tar file inside an image layer, for each compression of the layer, read forwards and in bounded memory."""

from __future__ import annotations

import contextlib
import gzip
import importlib
import io
import sys
import typing as t
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import PayloadError
from ansible_collections.fieldops.openshift.plugins.module_utils._host.command_result import CommandError
from ansible_collections.fieldops.openshift.plugins.module_utils._host.command_stream import streamed_output
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import explained
from ansible_collections.fieldops.openshift.plugins.module_utils._host.regular_file import open_regular
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import MissingRequirementError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import GIB, MIB

LARGEST_WINDOW = 26
"""Logarithm of the bytes that a zstd decoder may look back: 64 MiB. Image builders use 23 to 25."""

PROGRAM = "zstd"
# Of Python 3.14 and newer, and of the project python-zstandard.
_LIBRARY, _PACKAGE = "compression.zstd", "zstandard"
LARGEST_LAYER = 64 * GIB
ALLOWANCE = 64 * MIB
"""Bytes that any layer may unpack to, however small it is."""

_GZIP, _ZSTD, _SKIPPABLE = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"\x2a\x4d\x18"
# How often a layer may unpack to its own size. Within the window of zstd a catalog repeats itself often, as the
# versions of an operator resemble each other; within the 32 KiB of gzip it cannot. Bombs reach 1000 and 30 000.
_RATIOS = {_GZIP: 100, _ZSTD: 1000}


class Readable(t.Protocol):
    """What bytes are read from."""

    def read(self, size: int, /) -> bytes:
        """Return up to ``size`` bytes, none at the end."""


class _Bounded:
    """Passes bytes on until there are more than ``most``."""

    def __init__(self, inner: Readable, most: int, broken: Callable[[str], PayloadError]) -> None:
        self._inner = inner
        self._most = most
        self._broken = broken
        self._count = 0

    def read(self, size: int, /) -> bytes:
        chunk = self._inner.read(size)
        self._count += len(chunk)
        if self._count > self._most:
            raise self._broken(f"it unpacks to more than {self._most} bytes")
        return chunk


@contextlib.contextmanager
def opened_layer(layer: Path, broken: Callable[[str], PayloadError]) -> Iterator[Readable]:
    """Yield the bytes of the tar file in ``layer``, which is compressed by gzip, by zstd or not at all.

    Raises what ``broken`` returns for a layer that is damaged or unpacks to absurdly much, MissingRequirementError
    where zstd cannot be read, and FileAccessError.
    """
    with contextlib.ExitStack() as closing:
        closing.enter_context(explained("read the layer", layer))
        packed = closing.enter_context(open_regular(layer))
        form = _form(packed.read(4))
        size = packed.seek(0, io.SEEK_END)
        packed.seek(0)
        most = min(LARGEST_LAYER, ALLOWANCE + size * _RATIOS.get(form, 1))
        plain = closing.enter_context(_unpacked(packed, form))
        try:
            yield _Bounded(plain, most, broken)
        except _damages() as error:
            raise broken(f"it cannot be unpacked: {error}"[:200]) from error
        except CommandError as error:
            raise broken(f"zstd cannot unpack it: {error.stderr[-200:]}") from error


def _form(start: bytes) -> bytes:
    # A frame that decoders skip may come first; zstd:chunked puts its table of contents into such frames.
    if start == _ZSTD or start[1:] == _SKIPPABLE:
        return _ZSTD
    return _GZIP if start[:2] == _GZIP else b""


@contextlib.contextmanager
def _unpacked(packed: io.FileIO, form: bytes) -> Iterator[Readable]:
    if form == _GZIP:
        with gzip.GzipFile(fileobj=packed, mode="rb") as plain:
            yield plain
    elif form == _ZSTD:
        with contextlib.ExitStack() as stack:
            yield _zstd(packed, stack)
    else:
        yield io.BufferedReader(packed)


def _zstd(packed: io.FileIO, stack: contextlib.ExitStack) -> Readable:
    for decoder in (_library_decoder, _program, _package_decoder):
        with contextlib.suppress(ImportError, MissingRequirementError):
            return stack.enter_context(decoder(packed))
    raise MissingRequirementError(
        "unpack an image layer",
        on="this host",
        seen="the layer is compressed with zstd, and no program or library for zstd is available",
        advice="Install the program zstd, or the Python package zstandard, or use Python 3.14 or newer.",
    )


def _library_decoder(packed: io.FileIO) -> contextlib.AbstractContextManager[Readable]:
    zstd = importlib.import_module(_LIBRARY)
    limits = {zstd.DecompressionParameter.window_log_max: LARGEST_WINDOW}
    return t.cast("contextlib.AbstractContextManager[Readable]", zstd.ZstdFile(packed, options=limits))


def _program(packed: io.FileIO) -> contextlib.AbstractContextManager[Readable]:
    window = f"--memory={(1 << LARGEST_WINDOW) // MIB}MiB"
    return streamed_output([PROGRAM, "--decompress", "--stdout", "--quiet", window], packed)


def _package_decoder(packed: io.FileIO) -> contextlib.AbstractContextManager[Readable]:
    decoder = importlib.import_module(_PACKAGE).ZstdDecompressor(max_window_size=1 << LARGEST_WINDOW)
    reader = decoder.stream_reader(packed, read_across_frames=True, closefd=False)
    return t.cast("contextlib.AbstractContextManager[Readable]", reader)


def _damages() -> tuple[type[Exception], ...]:
    loaded = (sys.modules.get(name) for name in (_LIBRARY, _PACKAGE))
    return (EOFError, zlib.error, gzip.BadGzipFile, *(zstd.ZstdError for zstd in loaded if zstd is not None))
