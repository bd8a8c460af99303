# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The arithmetic of ranges: what to ask for, and whether an answer gives exactly that. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._net.headers import Headers

_NUMBER = r"([0-9]{1,18})"
_CONTENT_RANGE = re.compile(rf"bytes {_NUMBER}-{_NUMBER}/(?:{_NUMBER}|\*)")
_UNSATISFIED = re.compile(rf"bytes \*/{_NUMBER}")
_STRONG_ETAG = re.compile(r'"[\x21\x23-\x7e]*"')


class RangeMismatchError(ValueError):
    """An answer does not contain the requested bytes; its text describes what it contains instead."""


@dataclass(frozen=True)
class ByteRange:
    """The bytes from ``first`` up to, not including, ``stop`` of an entity; without ``stop``, up to its end."""

    first: int = 0
    stop: int | None = None

    @property
    def header(self) -> str | None:
        """Return the value of the Range header; None for a whole entity. Source: RFC 9110, 14.2."""
        if self.stop is None:
            return f"bytes={self.first}-" if self.first else None
        return f"bytes={self.first}-{self.stop - 1}"


@dataclass(frozen=True)
class ContentRange:
    """A part of an entity as an answer describes it; ``complete`` is the size of the entity, None if unknown."""

    first: int
    last: int
    complete: int | None

    @classmethod
    def parse(cls, value: str) -> ContentRange:
        """Return the Content-Range written as ``value``; RangeMismatchError if it is none. Source: RFC 9110, 14.4."""
        match = _CONTENT_RANGE.fullmatch(value)
        if match is None:
            raise RangeMismatchError("its Content-Range does not describe bytes")
        first, last = int(match.group(1)), int(match.group(2))
        complete = None if match.group(3) is None else int(match.group(3))
        if first > last or (complete is not None and last >= complete):
            raise RangeMismatchError("its Content-Range contradicts itself")
        return cls(first, last, complete)


@dataclass(frozen=True)
class BodyPlan:
    """How to read an answer's body: ``skip`` bytes are thrown away, then ``take`` are kept (None: all there are).

    ``exhausts`` says that the body has to end there. ``complete`` is the size of the entity where it is known.
    """

    skip: int
    take: int | None
    exhausts: bool
    complete: int | None


def plan_partial(wanted: ByteRange, headers: Headers, length: int | None, size: int | None) -> BodyPlan:
    """Return the plan for a 206 answer with ``length`` body bytes to a request for ``wanted``.

    ``size`` is the known size of the entity. Fewer bytes than requested are allowed (RFC 9110, 15.3.7), other ones not.
    """
    if wanted.header is None:
        raise RangeMismatchError("it contains a part, but the whole was requested")
    part = ContentRange.parse(headers.get("Content-Range", ""))
    asked = f"{wanted.first}-{'' if wanted.stop is None else wanted.stop - 1}"
    if part.first != wanted.first or (wanted.stop is not None and part.last >= wanted.stop):
        raise RangeMismatchError(f"it contains the bytes {part.first}-{part.last}, but {asked} were requested")
    _check_size(part.complete, size)
    take = part.last - part.first + 1
    if length is not None and length != take:
        raise RangeMismatchError(f"it announces {length} bytes for a range of {take}")
    complete = part.complete if part.complete is not None else size
    _check_reach(wanted, complete)
    if wanted.stop is None and complete is None:
        raise RangeMismatchError("it does not report the size of the whole")
    return BodyPlan(0, take, True, complete)


def plan_whole(wanted: ByteRange, length: int | None, size: int | None) -> BodyPlan:
    """Return the plan for a 200 answer with ``length`` body bytes: what is outside ``wanted`` is not kept."""
    _check_size(length, size)
    complete = length if length is not None else size
    _check_reach(wanted, complete)
    end = wanted.stop if wanted.stop is not None else complete
    return BodyPlan(
        skip=wanted.first,
        take=None if end is None else end - wanted.first,
        exhausts=wanted.stop is None or wanted.stop == complete,
        complete=complete,
    )


def unsatisfied_size(headers: Headers) -> int | None:
    """Return the size of the entity as a 416 answer states it, or None. Source: RFC 9110, 15.5.17."""
    match = _UNSATISFIED.fullmatch(headers.get("Content-Range", ""))
    return int(match.group(1)) if match else None


def strong_etag(headers: Headers) -> str | None:
    """Return the ETag if it promises the very same bytes, which a weak one does not. Source: RFC 9110, 8.8.3."""
    etag = headers.get("ETag", "")
    return etag if is_strong_etag(etag) else None


def is_strong_etag(text: str) -> bool:
    """Whether ``text`` is an ETag that is not weak."""
    return _STRONG_ETAG.fullmatch(text) is not None


def _check_size(told: int | None, size: int | None) -> None:
    if told is not None and size is not None and told != size:
        raise RangeMismatchError(f"the whole has {told} bytes instead of {size}")


def _check_reach(wanted: ByteRange, complete: int | None) -> None:
    if complete is not None and complete < max(wanted.first, wanted.stop or 0):
        raise RangeMismatchError(f"the whole has only {complete} bytes")
