# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What to download, and where its bytes go."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping
from dataclasses import dataclass, field

from ansible_collections.fieldops.openshift.plugins.module_utils._net.byte_ranges import is_strong_etag
from ansible_collections.fieldops.openshift.plugins.module_utils._net.urls import Url
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

_OWN_HEADERS = frozenset({"accept-encoding", "if-match", "if-none-match", "if-range", "range"})


class Sink(t.Protocol):
    """Where the bytes go."""

    @property
    def position(self) -> int:
        """Offset in the entity of the next byte to be written."""

    def write(self, chunk: memoryview) -> object:
        """Take the whole ``chunk``; its memory is used again as soon as this returns."""


class Hasher(t.Protocol):
    """An object of hashlib."""

    def update(self, block: memoryview, /) -> object:
        """Add ``block``."""

    def hexdigest(self) -> str:
        """Return the digest of everything added so far."""


@dataclass(frozen=True)
class Download:
    """What is wanted and how to know that it is right. One of ``stop``, ``size`` and ``limit`` must bound it.

    The bytes from ``start`` up to, not including, ``stop`` of the entity at ``url`` (None: up to its end). ``size`` is
    that of the whole entity. ``limit`` is the most bytes that are kept where the server decides how many there are.
    ``digest`` is of the bytes from ``start`` on. ``etag`` must be the entity's, if given. ``sensitive`` names headers
    that must not follow a redirection to another origin. ``proved_later`` allows to join the bytes of several answers
    although nothing here proves that they belong together: the caller proves the whole.
    """

    url: Url
    start: int = 0
    stop: int | None = None
    size: int | None = None
    limit: int | None = None
    digest: Digest | None = None
    etag: str | None = field(default=None, repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    sensitive: tuple[str, ...] = ()
    proved_later: bool = False

    def __post_init__(self) -> None:
        end = self.stop if self.stop is not None else self.size
        if end is None and self.limit is None:
            raise unusable_download("neither 'stop' nor 'size' nor 'limit' bounds it")
        beyond = self.stop is not None and self.size is not None and self.stop > self.size
        if beyond or self.start < 0 or (end is not None and end < self.start):
            raise unusable_download("its bounds contradict each other")
        if self.etag is not None and not is_strong_etag(self.etag):
            raise unusable_download("the ETag is weak and does not identify single bytes")
        if not _OWN_HEADERS.isdisjoint(name.lower() for name in self.headers):
            raise unusable_download("its headers set ranges or encodings, which the client sets itself")


def unusable_download(seen: str) -> InvalidInputError:
    """Return the error for a download that is not described completely."""
    return InvalidInputError(
        "start a download",
        on="download",
        seen=seen,
        advice="Describe the download completely. See the documentation of the option that names the source.",
    )
