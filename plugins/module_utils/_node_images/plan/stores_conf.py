# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The list of additional image stores in storage.conf, changed without touching what else stands there.

Source: containers-storage.conf(5).
"""

from __future__ import annotations

import re
import typing as t
from collections.abc import Sequence

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.errors import ImageStoreError
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.stores_slots import SLOT_PATHS
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.toml_reader import (
    read_toml,
    toml_string,
)

KEY = "additionalimagestores"
DEFAULT = (
    '[storage]\ndriver = "overlay"\nrunroot = "/run/containers/storage"\ngraphroot = "/var/lib/containers/storage"\n'
)
"""What a host without any file is configured with."""

_HEADER = re.compile(r"^[ \t]*\[[ \t]*storage[ \t]*\.[ \t]*options[ \t]*\][ \t]*(?:#.*)?$", re.MULTILINE)
_ASSIGNED = re.compile(
    rf"^[ \t]*{KEY}[ \t]*=[ \t]*\[(?:[^\]\"'#]|\"[^\"\n]*\"|'[^'\n]*'|#[^\n]*)*\][ \t]*(?:#[^\n]*)?\n?", re.MULTILINE
)


def listed_stores(text: str, name: str) -> tuple[str, ...]:
    """Return the stores that storage.conf lists; raises InvalidInputError for a file that is not TOML."""
    options = read_toml(text, name).get("storage", {}).get("options", {})
    found = options.get(KEY) or [] if isinstance(options, dict) else []
    return tuple(str(path) for path in found)


def is_configured(listed: Sequence[str]) -> bool:
    """Whether all slots are listed, in their order."""
    return [path for path in listed if path in SLOT_PATHS] == list(SLOT_PATHS)


def with_slots(text: str, name: str) -> str:
    """Return storage.conf with the slots before the stores that it lists already; nothing else changes.

    Raises InvalidInputError for a file that is not TOML, ImageStoreError for one whose list cannot be found in it.
    """
    others = [path for path in listed_stores(text, name) if path not in SLOT_PATHS]
    line = f"{KEY} = [{', '.join(toml_string(path) for path in (*SLOT_PATHS, *others))}]\n"
    rest = _ASSIGNED.sub("", text)
    header = _HEADER.search(rest)
    if header is None:
        changed = f"{rest.rstrip()}\n\n[storage.options]\n{line}"
    else:
        head, tail = rest[: header.end()], rest[header.end() :].lstrip("\n")
        changed = f"{head}\n{line}{tail}"
    _require_same(text, changed, name)
    return changed


def _require_same(before: str, after: str, name: str) -> None:
    def others(text: str) -> t.Any:
        table = read_toml(text, name)
        options = table.setdefault("storage", {}).setdefault("options", {})
        options.pop(KEY, None)
        return table

    if others(before) != others(after) or not is_configured(listed_stores(after, name)):
        raise ImageStoreError(
            "list the image stores",
            on=name,
            seen=f"its setting {KEY} has a format that is not supported",
            advice=f"Write {KEY} = [{', '.join(toml_string(path) for path in SLOT_PATHS)}] below [storage.options].",
        )
