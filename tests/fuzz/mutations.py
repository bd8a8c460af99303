# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Content that is nearly right: examples with bytes, or values of their JSON, changed at random."""

from __future__ import annotations

import json
import random
import typing as t
from collections.abc import Sequence

DEEP = 3000
"""How deep lists are nested in one hostile value: more than a reader in Python may follow."""
TOKENS = (
    *(b"", b"\x00", b"\xff\xfe", b"\n", b"\r\n", b'"', b"'", b"\\", b"\\u0000", b"#", b"[", b"]", b"{", b"}", b"="),
    *(b"-1", b"1e999", b"9" * 40, b"NaN", b"null", b"../", b"%00", b"\xe2\x80\xae", b"A" * 5000, b"[" * DEEP),
)
VALUES: tuple[t.Any, ...] = (
    *(None, True, False, 0, -1, 1 << 70, float("inf"), float("nan"), 0.5, "", "\x00", "\ud800", "\u202e", "A" * 5000),
    *([], {}, [None], [[]], {"": ""}, ["a"], {"a": {"b": []}}, "../../etc/passwd", "2026-02-30T25:00:00Z", "sha256:"),
)


def mutated(content: bytes, others: Sequence[bytes], draw: random.Random) -> bytes:
    """Return ``content`` with up to four changes; ``others`` are examples to take parts from."""
    for _change in range(draw.randint(1, 4)):
        document = _document(content) if draw.random() < 0.6 else None
        content = _changed_bytes(content, others, draw) if document is None else _changed_json(document, draw)
    return content


def _document(content: bytes) -> dict[str, t.Any] | list[t.Any] | None:
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, (dict, list)) and found else None


def _changed_json(document: dict[str, t.Any] | list[t.Any], draw: random.Random) -> bytes:
    inner: t.Any = document
    while True:
        keys = list(inner) if isinstance(inner, dict) else list(range(len(inner)))
        key = draw.choice(keys)
        if not (isinstance(inner[key], (dict, list)) and inner[key] and draw.random() < 0.8):
            break
        inner = inner[key]
    if draw.random() < 0.2:
        del inner[key]
    else:
        inner[key] = draw.choice(VALUES)
    return json.dumps(document).encode()


def _changed_bytes(content: bytes, others: Sequence[bytes], draw: random.Random) -> bytes:
    first, last = sorted(draw.randint(0, len(content)) for _end in range(2))
    part = content[first:last]
    changes = (
        lambda: content[:first] + content[last:],
        lambda: content[:last] + part + content[last:],
        lambda: content[:first] + draw.choice(TOKENS) + content[first:],
        lambda: content[:first] + draw.choice(TOKENS) + content[last:],
        lambda: content[:first] + bytes(byte ^ (1 << draw.randint(0, 7)) for byte in part[:8]) + content[first + 8 :],
        lambda: content[:first] + draw.choice(others)[first:last],
    )
    return draw.choice(changes)()
