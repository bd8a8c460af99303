# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Kernel arguments of the next boot of a host without rpm-ostree, and those of them that this collection has set.

bootc keeps the arguments of each source under a key of the boot loader's entry. Sources: bootc ``loader_entries.rs``;
ostree ``ostree-sysroot-deploy.c`` (what is staged is a GVariant ``a{sv}`` with ``kargs`` and ``bootconfig-extra``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

SOURCE = "fieldops"
"""The name under which bootc keeps what this collection sets."""

_KEY = f"x-options-source-{SOURCE}"
_STAGED_KEY = b"kargs\0\0\0"
_STAGED_END = b"\0as\x06"
"""Behind an array of strings: its type, and where its key of six bytes ends."""
_STAGED_OWN = re.compile(rb"%b\0([^\0]*)\0" % _KEY.encode())


@dataclass(frozen=True)
class KernelArguments:
    """``words`` are all arguments of the next boot, ``own`` those that bootc keeps for this collection."""

    words: tuple[str, ...]
    own: tuple[str, ...] = ()


def newest_entry(entries: Iterable[str]) -> KernelArguments | None:
    """Return the arguments in that of the boot loader's ``entries`` which boots next, None without one."""
    found = [_fields(text) for text in entries]
    newest = max(found, key=_version, default=None)
    if newest is None:
        return None
    return KernelArguments(tuple(newest.get("options", "").split()), tuple(newest.get(_KEY, "").split()))


def staged_arguments(content: bytes) -> KernelArguments | None:
    """Return the arguments in ``/run/ostree/staged-deployment``, None where it has another form."""
    start = content.find(_STAGED_KEY) + len(_STAGED_KEY)
    end = content.find(_STAGED_END, start)
    if start < len(_STAGED_KEY) or end < start:
        return None
    own = _STAGED_OWN.search(content)
    return KernelArguments(_strings(content[start:end]), _words(own.group(1)) if own else ())


def _strings(array: bytes) -> tuple[str, ...]:
    """Return the strings of a GVariant array, behind which stands where each of them ends."""
    if not array:
        return ()
    width = next(size for size in (1, 2, 4, 8) if len(array) < 256**size)
    last = int.from_bytes(array[-width:], "little")
    return tuple(one.decode("utf-8", "replace") for one in array[: last - 1].split(b"\0"))


def _words(value: bytes) -> tuple[str, ...]:
    return tuple(value.decode("utf-8", "replace").split())


def _version(entry: Mapping[str, str]) -> int:
    """Return the version that ostree gives its entries; others have texts, or none."""
    version = entry.get("version", "").strip()
    return int(version) if version.isascii() and version.isdecimal() and len(version) < 20 else 0


def _fields(text: str) -> dict[str, str]:
    return dict(line.split(None, 1) for line in text.splitlines() if len(line.split(None, 1)) == 2)
