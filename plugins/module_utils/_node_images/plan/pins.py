# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The images that CRI-O pins: the lists of all its drop-ins, and the one list that must contain them all.

A later file's ``pinned_images`` replaces the lists of all earlier ones, so ours comes last and repeats what it hides.
Source: cri-o ``pkg/config/config.go`` (UpdateFromPath walks every file of the folder in lexical order), crio.conf(5).
"""

from __future__ import annotations

import typing as t
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.toml_reader import (
    Word,
    read_toml,
    toml_string,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

MAIN_FILE = "../crio.conf"
"""The file that CRI-O reads before the folder of drop-ins, as seen from there."""

MARK = "# Written by fieldops.openshift.crio_pinned_images. Manual changes are lost."
TAKEN_OVER = "      # Pinned by other files, whose lists this one replaces:"
NAMES = ("99-fieldops-pinned-images", "zz-fieldops-pinned-images", "zzzzzzzz-fieldops-pinned-images")
"""Names for our drop-in, tried in this order until one sorts behind all others that pin."""

_HEAD = (
    "# The list replaces those of all files that sort before this one.",
    "[crio]",
    "  [crio.image]",
    "    pinned_images = [",
)


@dataclass(frozen=True)
class DropIn:
    """One file that CRI-O reads: its path below the folder of drop-ins, and the list that it sets, if it does."""

    name: str
    pinned: tuple[str, ...] | None
    own: tuple[str, ...] | None = None
    """The part of our own file's list that was requested here; None for other files."""

    @classmethod
    def read(cls, name: str, content: str) -> DropIn:
        """Return what ``content`` pins; raises InvalidInputError for a file that CRI-O could not read either."""
        image = read_toml(content, name).get("crio", {})
        image = image.get("image", {}) if isinstance(image, dict) else {}
        pinned = image.get("pinned_images") if isinstance(image, dict) else None
        if pinned is not None and not (isinstance(pinned, list) and all(_is_string(one) for one in pinned)):
            raise InvalidInputError(
                "read pinned_images",
                on=name,
                seen="it is not a list of strings",
                advice="Correct the file; nothing was changed.",
            )
        own = _own(content, name) if content.startswith(MARK) else None
        return cls(name, tuple(pinned) if pinned is not None else None, own)

    @property
    def is_ours(self) -> bool:
        """Whether this collection wrote the file."""
        return self.own is not None

    @property
    def order(self) -> tuple[bytes, ...]:
        """Return the place of the file in CRI-O's walk through the folder."""
        return _order(self.name)


@dataclass(frozen=True)
class PinPlan:
    """The file to write: its ``name`` and ``content``, or None for no file; ``obsolete`` ones must be removed."""

    name: str | None
    content: str
    obsolete: tuple[str, ...]
    own: tuple[str, ...]


def effective(files: Iterable[DropIn]) -> tuple[str, ...]:
    """Return the list that CRI-O uses: the last one that a file sets."""
    lists = [file.pinned for file in sorted(files, key=lambda file: file.order) if file.pinned is not None]
    return lists[-1] if lists else ()


def plan_pins(files: Sequence[DropIn], add: Collection[str], remove: Collection[str] | None) -> PinPlan:
    """Return our file after ``remove``, or with None all of ours, was taken out and then ``add`` was put in.

    Pins of other files are never removed: they stay there and, as long as our file hides them, in our file.
    """
    kept = () if remove is None else tuple(one for file in files for one in file.own or () if one not in remove)
    own = tuple(sorted({*kept, *add}))
    others = [file for file in files if not file.is_ours and file.pinned is not None]
    taken_over = tuple(sorted({one for file in others for one in file.pinned or ()} - set(own)))
    name = _name_behind(others) if own else None
    return PinPlan(
        name=name,
        content=_content(own, taken_over) if own else "",
        obsolete=tuple(file.name for file in files if file.is_ours and file.name != name),
        own=own,
    )


def pins_document(files: Sequence[DropIn]) -> Mapping[str, t.Any]:
    """Return what the files pin as results show it."""
    return {
        "own": sorted({one for file in files for one in file.own or ()}),
        "effective": sorted(set(effective(files))),
        "hidden": sorted({one for file in files for one in file.pinned or ()} - set(effective(files))),
        "files": [
            {"name": file.name, "ours": file.is_ours, "pinned": len(file.pinned)}
            for file in sorted(files, key=lambda file: file.order)
            if file.pinned is not None
        ],
    }


def _is_string(value: object) -> bool:
    return isinstance(value, str) and not isinstance(value, Word)


def _name_behind(others: Iterable[DropIn]) -> str:
    last = max((file.order for file in others), default=())
    for name in NAMES:
        if _order(name) > last:
            return name
    raise InvalidInputError(
        "pin images",
        on="/".join(part.decode(errors="replace") for part in last),
        seen=f"the file sets pinned_images and sorts after every name that this module uses, up to {NAMES[-1]}",
        advice="Rename that file so that it begins with a number, as drop-ins do.",
    )


def _order(name: str) -> tuple[bytes, ...]:
    if name == MAIN_FILE:
        return ()
    # filepath.Walk sorts the names within each folder by their bytes.
    return tuple(part.encode(errors="surrogateescape") for part in name.split("/"))


def _content(own: Sequence[str], taken_over: Sequence[str]) -> str:
    lines = [MARK, *_HEAD, *_entries(own)]
    if taken_over:
        lines += [TAKEN_OVER, *_entries(taken_over)]
    return "\n".join([*lines, "    ]", ""])


def _entries(patterns: Iterable[str]) -> list[str]:
    return [f"      {toml_string(pattern)}," for pattern in patterns]


def _own(content: str, name: str) -> tuple[str, ...]:
    before, found, _after = content.partition(f"{TAKEN_OVER}\n")
    pinned = read_toml(before + "    ]\n" if found else before, name)["crio"]["image"]["pinned_images"]
    return tuple(pinned)
