# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a file of the kubelet's configuration sets, read without a YAML library, which nodes do not have."""

from __future__ import annotations

import json
import re
import typing as t
from collections.abc import Iterable, Iterator

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

_KIND = "KubeletConfiguration"
_MAPPINGS = frozenset({"evictionHard", "evictionSoft"})
_PAIR = re.compile(r"""(["']?)([A-Za-z][\w.]*)\1[ \t]*:(?:[ \t]+(.*))?$""", re.ASCII | re.DOTALL)
_FLOW_PAIR = re.compile(r"""\s*(["']?)([A-Za-z][\w.]*)\1\s*:\s*(.*)$""", re.ASCII | re.DOTALL)
_COMMENT = re.compile(r"(?:^|[ \t])#.*")
_NO_TEXT = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_LONGEST_WORDS = 80


class Plain(str):
    """A value that is not quoted, such as a number, as it was written."""


def settings_in(content: bytes, name: str) -> dict[str, t.Any]:
    """Return what the configuration ``content`` of the file ``name`` sets: text, `Plain`, or None for nothing.

    JSON and YAML are known, of YAML what a mapping in block style is written with, which is how the machine-config
    operator and people write it. The thresholds of eviction are mappings. Raises InvalidInputError for anything else.
    """
    settings = _settings(_text(content, name), name)
    if settings.get("kind") != _KIND:
        raise unclear(name, f"it is not a {_KIND}")
    return settings


def shown(value: t.Any) -> str:
    """Return a value, which may be of any kind and size, as an error shows it."""
    if isinstance(value, Plain):
        return value[:40]
    return f"{value!r:.40}" if isinstance(value, str) else f"a {type(value).__name__}"


def unclear(name: str, seen: str) -> InvalidInputError:
    """Return the error about a file that the kubelet would not accept."""
    return InvalidInputError(
        "read the image garbage collection settings of the kubelet",
        on=name,
        seen=seen,
        advice="Correct the file: the kubelet does not start with it.",
    )


def _text(content: bytes, name: str) -> str:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise unclear(name, "it is not text") from error
    if _NO_TEXT.search(text):
        raise unclear(name, "it is not text")
    return text


def _settings(text: str, name: str) -> dict[str, t.Any]:
    if not text.lstrip().startswith("{"):
        return {
            key: _mapping(words, below) if key in _MAPPINGS else _scalar(_joined(words, below))
            for key, words, below in _entries(text.split("\n"))
        }
    try:
        # Numbers stay as they are written: a long one takes Python 3.9 minutes to convert.
        found = json.loads(text, parse_int=Plain, parse_float=Plain, parse_constant=Plain)
    except (ValueError, RecursionError) as error:
        raise unclear(name, f"it is not valid JSON: {error!s:.100}") from error
    return found if isinstance(found, dict) else {}


def _entries(lines: Iterable[str]) -> Iterator[tuple[str, str, list[str]]]:
    """Yield the keys of the outermost mapping of the first document, the value of each, and the lines below."""
    depth, key, words, below = -1, "", "", t.cast("list[str]", [])
    for line in (_COMMENT.sub("", line).rstrip() for line in lines):
        bare = line.lstrip(" ")
        if not bare or (depth < 0 and line.startswith(("---", "%"))):
            continue
        if line.startswith(("---", "...")):
            break
        depth = len(line) - len(bare) if depth < 0 else depth
        pair = _PAIR.fullmatch(bare) if len(line) - len(bare) == depth else None
        if pair:
            yield key, words, below
            key, words, below = pair[2], pair[3] or "", []
        else:
            below.append(line)
    yield key, words, below


def _joined(words: str, below: list[str]) -> str:
    for line in below:
        if len(words) >= _LONGEST_WORDS:
            break
        words += f" {line.strip()}"
    return words


def _mapping(words: str, below: list[str]) -> t.Any:
    """Return a mapping in block style or on one line in braces; what is neither as it is written."""
    whole = " ".join([words, *(line.strip() for line in below)]).strip()
    if whole[:1] == "{" and whole[-1:] == "}":
        pairs = (_FLOW_PAIR.fullmatch(part) for part in whole[1:-1].split(","))
        return {pair[2]: _scalar(pair[3]) for pair in pairs if pair}
    if words.strip():
        return _scalar(whole)
    found = {key: _scalar(_joined(value, lines)) for key, value, lines in _entries(below) if key}
    return found or _scalar(whole)


def _scalar(words: str) -> str | None:
    value = words.strip()
    if value[:1] in ("'", '"') and value[-1:] == value[:1]:
        return value[1:-1]
    return None if value in _NULLS else Plain(value)
