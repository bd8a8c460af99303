# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A reader for the TOML that CRI-O and container tools are configured with; nodes' Python 3.9 has none of its own.

It knows TOML 1.0 as far as structure and strings go. Numbers, dates and anything else that is a single word are
returned as a ``Word``, since nothing here asks for them.
"""

from __future__ import annotations

import re
import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

Table = dict[str, t.Any]

_BLANK = re.compile(r"(?:[ \t]|#[^\n]*)*")
_BLANK_LINES = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_WORD = re.compile(r"[^\s,\[\]{}#\"'=]+(?: \d\d:\d\d[^\s,\]}#]*)?")
_BASIC = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
_LITERAL = re.compile(r"'([^'\n]*)'")
_LONG_BASIC = re.compile(r'"""\r?\n?((?:[^\\]|\\.)*?"{0,2})"""(?!")', re.DOTALL)
_LONG_LITERAL = re.compile(r"'''\r?\n?(.*?'{0,2})'''(?!')", re.DOTALL)
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|([ \t]*\r?\n\s*)|(.))", re.DOTALL)
_SHORT = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r", '"': '"', "\\": "\\", "e": "\x1b"}
_DEEPEST = 50


def read_toml(text: str, name: str) -> Table:
    """Return the tables of ``text`` nested by key; raises InvalidInputError with ``name`` and the line at fault.

    Arrays of tables become lists of dictionaries.
    """
    return _Reader(text, name).document()


def toml_string(text: str) -> str:
    """Return ``text`` as a basic string, whatever is in it. Source: TOML 1.0, "String"."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + re.sub(r"[\x00-\x1f\x7f]", lambda found: f"\\u{ord(found[0]):04X}", escaped) + '"'


class Word(str):
    """A value that is no string: a number, a boolean, an instant, as it was written."""


class _Reader:
    """A position in a text that only moves forward."""

    def __init__(self, text: str, name: str) -> None:
        self._text = text
        self._name = name
        self._at = 0
        self._depth = 0

    def document(self) -> Table:
        root: Table = {}
        table = root
        self._skip(_BLANK_LINES)
        while self._at < len(self._text):
            if self._take("[["):
                table = self._open(root, self._keys(), repeated=True)
                self._require("]]")
            elif self._take("["):
                table = self._open(root, self._keys(), repeated=False)
                self._require("]")
            else:
                self._assign(table)
            self._end_of_line()
        return root

    def _open(self, root: Table, keys: list[str], *, repeated: bool) -> Table:
        above = self._descend(root, keys[:-1])
        if repeated:
            entries = above.setdefault(keys[-1], [])
            if not isinstance(entries, list):
                raise self._fault(f"{keys[-1]} is not an array of tables")
            entries.append({})
            opened: Table = entries[-1]
            return opened
        return self._descend(above, keys[-1:])

    def _descend(self, table: Table, keys: list[str]) -> Table:
        for key in keys:
            below = table.setdefault(key, {})
            if isinstance(below, list) and below:
                below = below[-1]
            if not isinstance(below, dict):
                raise self._fault(f"{key} is not a table")
            table = below
        return table

    def _assign(self, table: Table) -> None:
        keys = self._keys()
        self._require("=")
        self._skip(_BLANK)
        owner = self._descend(table, keys[:-1])
        if keys[-1] in owner:
            raise self._fault(f"{keys[-1]} is defined twice")
        owner[keys[-1]] = self._value()

    def _keys(self) -> list[str]:
        keys = [self._key()]
        while self._take("."):
            keys.append(self._key())
        return keys

    def _key(self) -> str:
        self._skip(_BLANK)
        bare = self._match(_BARE_KEY)
        key = bare[0] if bare else self._string()
        if key is None:
            raise self._fault("a key is missing")
        self._skip(_BLANK)
        return key

    def _value(self) -> t.Any:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise self._fault("it is nested too deeply")
        try:
            return self._shallow_value()
        finally:
            self._depth -= 1

    def _shallow_value(self) -> t.Any:
        if self._take("["):
            return self._array()
        if self._take("{"):
            return self._inline_table()
        string = self._string()
        if string is not None:
            return string
        word = self._match(_WORD)
        if not word:
            raise self._fault("a value is missing")
        return Word(word[0])

    def _array(self) -> list[t.Any]:
        values: list[t.Any] = []
        self._skip(_BLANK_LINES)
        while not self._take("]"):
            values.append(self._value())
            self._skip(_BLANK_LINES)
            if not self._take(","):
                self._require("]")
                break
            self._skip(_BLANK_LINES)
        return values

    def _inline_table(self) -> Table:
        table: Table = {}
        self._skip(_BLANK)
        while not self._take("}"):
            self._assign(table)
            self._skip(_BLANK)
            if not self._take(","):
                self._require("}")
                break
        return table

    def _string(self) -> str | None:
        for form, is_raw in ((_LONG_BASIC, False), (_LONG_LITERAL, True), (_BASIC, False), (_LITERAL, True)):
            found = self._match(form)
            if found:
                return found[1] if is_raw else self._unescaped(found[1])
        return None

    def _unescaped(self, text: str) -> str:
        def plain(found: re.Match[str]) -> str:
            four, eight, folded, short = found.groups()
            if four or eight:
                return self._character(int(four or eight, 16))
            if folded is not None:
                return ""
            if short not in _SHORT:
                raise self._fault(f"\\{short} is not a valid escape sequence")
            return _SHORT[short]

        return _ESCAPE.sub(plain, text)

    def _character(self, number: int) -> str:
        if number > 0x10FFFF or 0xD800 <= number <= 0xDFFF:
            raise self._fault(f"\\u{number:04X} is not a valid character")
        return chr(number)

    def _end_of_line(self) -> None:
        self._skip(_BLANK)
        if self._at < len(self._text) and not self._text.startswith(("\n", "\r\n"), self._at):
            raise self._fault("unexpected text follows the value")
        self._skip(_BLANK_LINES)

    def _match(self, form: re.Pattern[str]) -> re.Match[str] | None:
        found = form.match(self._text, self._at)
        if found:
            self._at = found.end()
        return found

    def _skip(self, form: re.Pattern[str]) -> None:
        self._match(form)

    def _take(self, mark: str) -> bool:
        if not self._text.startswith(mark, self._at):
            return False
        self._at += len(mark)
        return True

    def _require(self, mark: str) -> None:
        self._skip(_BLANK)
        if not self._take(mark):
            raise self._fault(f"{mark!r} is missing")

    def _fault(self, seen: str) -> InvalidInputError:
        line = self._text.count("\n", 0, self._at) + 1
        return InvalidInputError(
            "read TOML",
            on=f"{self._name}, line {line}",
            seen=seen,
            advice="Correct the file; nothing was changed.",
        )
