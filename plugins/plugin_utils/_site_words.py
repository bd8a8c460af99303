# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the output for a technician consists of: lines with a tone, and the texts of durations, failures, messages."""

from __future__ import annotations

import json
import typing as t
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.listing import listed

Content = Mapping[str, t.Any]

PLAIN, GOOD, CHANGED, BAD, QUIET = "plain", "good", "changed", "bad", "quiet"
OUTPUT_KEYS = ("module_stderr", "module_stdout", "stderr", "stdout", "exception")
"""What a failure that is not one of this collection may contain in addition to its message."""
NO_TRACEBACK = "(traceback unavailable)"
"""What ansible-core 2.19 and newer put in place of a traceback that was not requested."""
LABELS = 6
"""Names of items or nodes that one line lists."""
BLOCKS = frozenset(" \u2580\u2584\u2588")
"""What a QR code consists of in a terminal."""


@dataclass(frozen=True)
class Line:
    """A line that stays on the screen, or one of the status area; ``tone`` says what colour it may have."""

    text: str
    tone: str = PLAIN


def printable(text: str) -> str:
    """Return one line of ``text`` without anything that a terminal would act on."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def duration(seconds: float) -> str:
    """Return a duration as people say it."""
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes = int(seconds) // 60
    return f"{minutes} min {int(seconds) % 60} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def failure_lines(content: Content) -> list[str]:
    """Return what a failed task said: what was attempted, on what, what was seen and what to do, each once."""
    error = content.get("error")
    if isinstance(error, dict) and error.get("attempted") and error.get("advice"):
        seen = str(error.get("seen", "")).rstrip(".")
        first = f"Could not {error['attempted']} on {error.get('on', '')}: {seen}."
        return [*_split(first), *_split(f"What to do: {error['advice']}")]
    said = [*_split(_text(content.get("msg") or content.get("censored") or "The task failed without a message."))]
    for key in OUTPUT_KEYS:
        text = str(content.get(key) or "").strip()
        if text and text != NO_TRACEBACK and text not in "\n".join(said):
            said += [f"{key}:", *_split(text)]
    return said


def message_lines(content: Content) -> list[str]:
    """Return what a debug task shows: its text, the lines of its list, or its variables."""
    if "msg" in content:
        message = content["msg"]
        return [line for one in (message if isinstance(message, list) else [message]) for line in _split(_text(one))]
    shown = {name: value for name, value in content.items() if not _is_internal(name)}
    return [line for name, value in shown.items() for line in _split(f"{name}: {_text(value, indent=2)}")]


def without_drawings(lines: list[str]) -> list[str]:
    """Return lines without QR codes and the space around them, for logs and screen readers."""
    text = "\n".join("" if BLOCKS.issuperset(line) else line for line in lines)
    return text.strip("\n").split("\n")


def _is_internal(name: str) -> bool:
    return name.startswith(("_ansible", "ansible_")) or name in ("changed", "failed", "warnings", "deprecations")


def changed_items(content: Content) -> str:
    """Return the names of the items that a task with a loop has changed; empty for other tasks."""
    results: t.Any = content.get("results")
    items = results if isinstance(results, list) else []
    changed = [one for one in items if isinstance(one, dict) and one.get("changed")]
    names = [name for name in map(_label, changed) if name]
    return listed(names, LABELS)


def _label(item: Content) -> str:
    if item.get("_ansible_no_log") or "censored" in item:
        return ""
    value = item.get(str(item.get("ansible_loop_var", "item")))
    label = value if isinstance(value, str) else item.get("_ansible_item_label", "")
    return printable(label) if isinstance(label, str) else ""


def _text(message: t.Any, indent: int | None = None) -> str:
    return message if isinstance(message, str) else json.dumps(message, indent=indent, default=str)


def _split(text: str) -> list[str]:
    return [printable(line.expandtabs()) for line in text.strip("\n").splitlines()] or [""]


def indented(lines: list[str], by: str = "  ") -> Iterator[str]:
    """Yield lines that belong to the one above them."""
    for line in lines:
        yield f"{by}{line}"
