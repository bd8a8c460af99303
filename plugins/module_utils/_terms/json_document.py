# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""JSON from outside, read strictly: bounded before it is parsed, and every error names the document and the field.

Refused are what readers of different languages understand differently: a key that is given twice, NaN and infinite
numbers, other encodings than UTF-8, and characters that no encoding can write. Source: RFC 8259, sections 4, 6, 8;
RFC 7493.
"""

from __future__ import annotations

import json
import math
import re
import typing as t
from collections import Counter
from collections.abc import Sequence

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError, InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference

MOST_VALUES = 200_000
DEEPEST = 64
LONGEST_NUMBER = 20

_Kind = t.TypeVar("_Kind")
_DocumentT = t.TypeVar("_DocumentT", bound="Document")
_NAMES = {str: "a string", int: "a whole number", dict: "a mapping", list: "a list", bool: "true or false"}


class Document:
    """A JSON document or a part of it; ``on`` says which document, ``path`` which part, for errors.

    A reader of one kind of document derives from it and sets what its errors are: ``error``, ``attempted``, ``advice``.
    """

    error: type[FieldOpsError] = InvalidInputError
    attempted = "read it"
    advice = "Get it from its source again. If it is the same there, report it to its publisher."

    def __init__(self, value: t.Any, on: str, path: str = "") -> None:
        self.value = value
        self.on = on
        self.path = path

    @classmethod
    def parse(cls: type[_DocumentT], content: bytes, *, on: str, most_values: int = MOST_VALUES) -> _DocumentT:
        """Return the mapping in ``content``; raise ``error`` for anything else.

        ``most_values`` bounds what parsing costs: a value takes up to some 100 bytes of memory.
        """
        unread = cls(None, on)
        if sum(content.count(mark) for mark in (b",", b"[", b"{")) >= most_values:
            raise unread.broken(f"it holds more than {most_values} values")
        try:
            value = json.loads(
                content.decode("utf-8"),
                object_pairs_hook=_mapping,
                parse_int=_integer,
                parse_float=_float,
                parse_constant=_constant,
            )
        except (ValueError, RecursionError) as error:
            raise unread.broken(f"it is not JSON: {str(error)[:200]}") from error
        found = cls(value, on)
        if _depth(found.as_a(dict)) > DEEPEST:
            raise unread.broken(f"its lists and mappings are nested more than {DEEPEST} deep")
        return found

    def broken(self, seen: str) -> FieldOpsError:
        """Return the error that says what is wrong with this part."""
        on = f"{self.on}: {self.path}" if self.path else self.on
        return self.error(self.attempted, on=on, seen=seen, advice=self.advice)

    def __getitem__(self: _DocumentT, key: str) -> _DocumentT:
        found = self.get(key)
        if found is None:
            raise self.broken(f"{key} is missing")
        return found

    def __contains__(self, key: str) -> bool:
        return key in self.as_a(dict)

    def get(self: _DocumentT, key: str) -> _DocumentT | None:
        """Return the value of ``key``, None where it is absent or null."""
        value = self.as_a(dict).get(key)
        return None if value is None else self._part(key, value)

    def items(self: _DocumentT) -> list[tuple[str, _DocumentT]]:
        """Return the entries of this mapping, null ones included."""
        return [(key, self._part(key, value)) for key, value in self.as_a(dict).items()]

    def entries(self: _DocumentT) -> list[_DocumentT]:
        """Return the entries of this list."""
        return [type(self)(value, self.on, f"{self.path}[{at}]") for at, value in enumerate(self.as_a(list))]

    def as_a(self, kind: type[_Kind]) -> _Kind:
        """Return the value if it is of ``kind``; raise ``error`` otherwise."""
        if not isinstance(self.value, kind) or (kind is int and isinstance(self.value, bool)):
            raise self.broken(f"{_shown(self.value)} is not {_NAMES[kind]}")
        return self.value

    def text(self, default: str | None = None, key: str | None = None) -> str:
        """Return this string, or that of ``key``, which may be absent if there is a ``default``."""
        if key is None:
            return self._text()
        found = self.get(key)
        if found is None and default is not None:
            return default
        return self[key].text()

    def texts(self, key: str) -> dict[str, str]:
        """Return the mapping of strings at ``key``, empty where it is absent."""
        found = self.get(key)
        return {} if found is None else {name: entry.text() for name, entry in found.items()}

    def number(self, largest: int) -> int:
        """Return this whole number between 0 and ``largest``."""
        if not 0 <= self.as_a(int) <= largest:
            raise self.broken(f"{_shown(self.value)} is not a whole number between 0 and {largest}")
        return self.as_a(int)

    def one_of(self, known: Sequence[str]) -> str:
        """Return this string if it is one of ``known``."""
        if self.text() not in known:
            raise self.broken(f"{_shown(self.value)} is not one of {', '.join(known)}")
        return self.text()

    def matching(self, pattern: re.Pattern[str], name: str) -> str:
        """Return this string if all of it matches ``pattern``, which is what ``name`` says, such as "a version"."""
        if not pattern.fullmatch(self.text()):
            raise self.broken(f"{_shown(self.value)} is not {name}")
        return self.text()

    def digest(self) -> Digest:
        """Return this digest."""
        try:
            return Digest.parse(self.text())
        except InvalidInputError as error:
            raise self.broken(error.seen) from error

    def digests(self) -> tuple[Digest, ...]:
        """Return this list of digests."""
        return tuple(entry.digest() for entry in self.entries())

    def pinned_image(self) -> ImageReference:
        """Return this reference to an image, which has a digest and no tag."""
        try:
            reference = ImageReference.parse(self.text())
        except InvalidInputError as error:
            raise self.broken(error.seen) from error
        if reference.digest is None or reference.tag is not None:
            raise self.broken(f"{self.text()[:200]!r} is not of the form repository@digest")
        return reference

    def _part(self: _DocumentT, key: str, value: object) -> _DocumentT:
        return type(self)(value, self.on, f"{self.path}.{key[:80]}" if self.path else key[:80])

    def _text(self) -> str:
        text = self.as_a(str)
        if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
            raise self.broken("half of a surrogate pair is not a character")
        return text


def _depth(document: dict[str, t.Any]) -> int:
    depth, level = 0, [list(document.values())]
    while level:
        depth += 1
        nested = [value for values in level for value in values if isinstance(value, (dict, list))]
        level = [list(value.values()) if isinstance(value, dict) else value for value in nested]
    return depth


def _mapping(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        twice, _times = Counter(name for name, _value in pairs).most_common(1)[0]
        raise ValueError(f"the key {twice[:80]!r} is given twice")
    return found


def _integer(text: str) -> int:
    if len(text) > LONGEST_NUMBER:
        raise ValueError(f"a number has {len(text)} digits")
    return int(text)


def _float(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"the number {text[:40]} is too large")
    return number


def _constant(text: str) -> t.NoReturn:
    raise ValueError(f"{text} is not a number")


def _shown(value: object) -> str:
    if isinstance(value, (dict, list)):
        return _NAMES[type(value)]
    return repr(value[:60] if isinstance(value, str) else value)[:80]
