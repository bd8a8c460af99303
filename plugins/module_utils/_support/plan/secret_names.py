# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Secrets that a name gives away: ``password: x``, ``"token": "x"``, ``--api-key x``, in YAML, JSON, shell and logs."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator

Span = tuple[int, int]

WORDS = (
    r"(?:passw(?:or)?d(?:[-_]?hash)?|passphrase|pass(?:code)?|pwd|rootpw|psk|secret|token|credential|creds|auth|authorization|cookie"
    r"|api[-_]?key|access[-_]?key(?:[-_]?id)?|private[-_]?key|secret[-_]?key|encryption[-_]?key|session[-_]?key"
    r"|key[-_]?data|key[-_]?pem|tls\.key|pull-?secret)s?"
)
"""How the name of a secret ends, in small letters. It may begin with anything."""

SECRET_NAME = re.compile(rf"(?i){WORDS}\Z")
SECRET_OPTION = re.compile(rf"(?i)--?[\w-]*{WORDS}\Z")
SIGN = r"(?:\\*[\"'])?\s*(?:=>|[:=])\s*"
VALUE = (
    r"(?:(?P<quote>\\+[\"'])[\s\S]{0,65536}?(?<!\\)(?P=quote)"
    r'|"(?:[^"\\]|\\[\s\S])*"'
    r"|'(?:[^'\\]|\\[\s\S]|'')*'"
    r"|\[(?:[^\]\[]+|\[[^\]\[]*\])*(?:\]|(?=\[)|\Z)"
    # A brace may begin an object, whose own names say what is secret.
    r"|(?!\{[\s\"'\\{}]|\{\w+:)\S+)"
)

_NAMED = re.compile(WORDS + SIGN)
_OPTION = re.compile(rf"{WORDS}[ \t]+")
_VALUE = re.compile(VALUE)
_WORD = re.compile(r"\"[^\"]*\"|'[^']*'|[^\s-]\S*")
_REST_OF_LINE = re.compile(r"[^\"'\\{\[\s][^\r\n]*")
_BLOCK = re.compile(r"[|>][0-9+-]*[ \t]*\n")
_BEGINS_LINE = re.compile(r"([ \t]*)(?:- )?[\w.\"'-]*\Z")
_BEGINS_OPTION = re.compile(r"(?:\A|[^\w-])--?[\w-]*\Z")
_LONGEST_NAME = 100
_HEADERS = ("cookie", "authorization")
"""Headers of HTTP that have several words, each of which may be the secret."""

# Letters beyond ASCII may get longer, and what is found in one text is taken out of the other.
_SMALL = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


def named_values(text: str) -> list[Span]:
    """Return where in ``text`` the values begin and end that have the name of a secret."""
    # A search that ignores case takes ten times as long, and there are many megabytes to search.
    small = text.translate(_SMALL)
    found = [*_values_after_names(text, small), *_values_after_options(text, small)]
    return sorted(found)


def _values_after_names(text: str, small: str) -> Iterator[Span]:
    for name in _NAMED.finditer(small):
        end = _end_of_value(text, name)
        if end:
            yield name.end(), end


def _end_of_value(text: str, name: re.Match[str]) -> int:
    """Return where the value ends that begins behind ``name``; 0 where there is none."""
    begin = name.end()
    if name.group().startswith(_HEADERS):
        line_end = text.find("\n", begin)
        return line_end if line_end >= 0 else len(text)
    if name.group().rstrip(" \t\r\n").endswith(":"):
        start = max(text.rfind("\n", 0, name.start()) + 1, name.start() - _LONGEST_NAME)
        line = _BEGINS_LINE.match(text, start, name.start())
        if line and (block := _BLOCK.match(text, begin)):
            return _end_of_block(text, block.end(), f"{line.group(1)}[ \t]+")
        if line and "\n" in name.group():
            # The items of a list may stand below the first letter of its name.
            return _end_of_block(text, text.find("\n", name.start()) + 1, f"{line.group(1)}(?:[ \t]+|- )")
        if line and (rest := _REST_OF_LINE.match(text, begin)):
            return rest.end()
    value = _VALUE.match(text, begin)
    return value.end() if value else 0


def _end_of_block(text: str, begin: int, indent: str) -> int:
    """Return where the lines of a block of YAML end, which begin with more than its name does: with ``indent``."""
    deeper = re.compile(rf"(?:{indent}[^\n]*|[ \t]*)(?:\n|\Z)")
    end = begin
    while end < len(text) and (line := deeper.match(text, end)):
        end = line.end()
    return end - 1 if text[end - 1] == "\n" else end


def _values_after_options(text: str, small: str) -> Iterator[Span]:
    for option in _OPTION.finditer(small):
        before = text[max(0, option.start() - _LONGEST_NAME) : option.start()]
        if _BEGINS_OPTION.search(before) and (word := _WORD.match(text, option.end())):
            yield option.end(), word.end()
