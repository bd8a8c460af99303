# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the manifest in the archive of a node states of its parts, as far as it has the required form."""

from __future__ import annotations

import json
import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._support.plan.parts import FAILED, STATES, Part

MOST_PARTS = 5000
LONGEST_TEXT = 500


def parts_of_manifest(content: bytes) -> dict[str, Part]:
    """Return the parts that a node's manifest names, by name; none where it is no manifest."""
    try:
        document = json.loads(content)
    except (ValueError, RecursionError):
        return {}
    listed = document.get("parts") if isinstance(document, dict) else None
    found = [_part(one) for one in listed[:MOST_PARTS] if isinstance(one, dict)] if isinstance(listed, list) else []
    return {part.name: part for part in found}


def _part(given: dict[str, t.Any]) -> Part:
    state = given.get("state")
    size = given.get("size")
    return Part(
        name=_text(given.get("name")),
        source=_text(given.get("source")),
        state=state if state in STATES else FAILED,
        size=size if isinstance(size, int) else 0,
        reason=_text(given.get("reason")),
    )


def _text(value: t.Any) -> str:
    text = str(value or "")[:LONGEST_TEXT]
    return "".join(letter if letter.isprintable() else "?" for letter in text)
