# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""JSON objects one after another, as catalogs hold them, with no more than one of them in memory."""

from __future__ import annotations

import codecs
import json
import re
import typing as t
from collections.abc import Iterator

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import PayloadError
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.contents.layer_stream import Readable
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import MIB

LARGEST_DOCUMENT = 6 * MIB
"""Characters of one object; content in base64 does not count."""

LARGEST_WHOLE = 32 * MIB
"""Characters of one object that is read with everything in it."""

MOST_VALUES = 300_000
_LONGEST_NUMBER = 40
_CHUNK = 128 * 1024
_SPACE = re.compile(r"[ \t\r\n]*")
# Manifests and icons in base64. What is cut out is within a string; its ends may belong to an escape.
_BASE64 = re.compile(r"(?<![0-9A-Za-z+/])([0-9A-Za-z+/]{16})[0-9A-Za-z+/]{992,}([0-9A-Za-z+/]{16})")


class _RepeatedKeyError(Exception):
    pass


def json_objects(stream: Readable, *, on: str, whole: bool = False) -> Iterator[dict[str, t.Any]]:
    """Yield the objects in ``stream``. Unless they are read ``whole``, numbers are None and base64 is shortened.

    Raises PayloadError for anything else than objects, for a key that is there twice and for an object that is too
    large.
    """
    return _JsonReader(stream, on, whole).objects()


class _JsonReader:
    def __init__(self, stream: Readable, on: str, whole: bool) -> None:
        self._stream = stream
        self._on = on
        self._whole = whole
        self._largest = LARGEST_WHOLE if whole else LARGEST_DOCUMENT
        self._decode = codecs.getincrementaldecoder("utf-8")().decode
        numbers = (_integer, float) if whole else (_number, _number)
        self._decoder = json.JSONDecoder(object_pairs_hook=_object, parse_int=numbers[0], parse_float=numbers[1])
        self._text = ""
        self._at = 0
        self._ended = False

    def objects(self) -> Iterator[dict[str, t.Any]]:
        while self._has_more():
            if self._text[self._at] != "{":
                raise self._broken("it is not a sequence of JSON objects")
            yield self._object()

    def _has_more(self) -> bool:
        while True:
            found = _SPACE.match(self._text, self._at)
            self._at = found.end() if found is not None else self._at
            if self._at < len(self._text):
                return True
            if self._ended:
                return False
            self._read()

    def _object(self) -> dict[str, t.Any]:
        while True:
            self._check_values()
            try:
                found, self._at = self._decoder.raw_decode(self._text, self._at)
            except ValueError as error:
                # What has not arrived yet looks like a mistake.
                if self._ended:
                    raise self._broken(f"it is not JSON: {error}") from error
                if len(self._text) - self._at > self._largest:
                    raise self._broken("an object in it is not JSON, or is too large") from error
                self._read()
            except RecursionError as error:
                raise self._broken("it is nested too deeply") from error
            except _RepeatedKeyError as error:
                raise self._broken(f"the key {error.args[0][:100]!r} occurs twice in one object") from error
            else:
                return t.cast("dict[str, t.Any]", found)

    def _check_values(self) -> None:
        if len(self._text) - self._at > 2 * _CHUNK:
            values = sum(self._text.count(sign, self._at) for sign in "[{,")
            if values > MOST_VALUES:
                raise self._broken(f"an object in it has more than {MOST_VALUES} values")

    def _read(self) -> None:
        rest = self._text[self._at :]
        if len(rest) > _CHUNK and not self._whole:
            rest = _BASE64.sub(r"\1\2", rest)
        # Twice as much each time, so that an object is not started more than a few times.
        chunk = self._stream.read(min(max(_CHUNK, len(rest)), self._largest + _CHUNK - len(rest)))
        self._ended = not chunk
        try:
            self._text, self._at = rest + self._decode(chunk, self._ended), 0
        except UnicodeDecodeError as error:
            raise self._broken(f"it is not JSON: {error}") from error

    def _broken(self, seen: str) -> PayloadError:
        return PayloadError(
            "read the catalog", on=self._on[:200], seen=seen[:300], advice="Report it to the publisher of the catalog."
        )


def _object(pairs: list[tuple[str, t.Any]]) -> dict[str, t.Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _value in pairs]
        raise _RepeatedKeyError(next(name for name in names if names.count(name) > 1))
    return found


def _number(_digits: str) -> None:
    """Numbers mean nothing in what is read of a catalog, and take long to convert when they are long."""


def _integer(digits: str) -> int:
    if len(digits) > _LONGEST_NUMBER:
        raise ValueError(f"a number has {len(digits)} digits")
    return int(digits)
