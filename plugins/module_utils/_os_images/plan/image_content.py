# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What an OS image itself asks for: images that it binds logically, and kernel arguments.

Sources: bootc ``crates/lib/src/boundimage.rs`` and ``kargs.rs``, ``docs/src/logically-bound-images.md``,
``docs/src/building/kernel-arguments.md``; containers/storage for the list of images in a storage.
"""

from __future__ import annotations

import json
import re
import typing as t
from collections.abc import Iterable

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.architecture import Architecture

BOUND_FOLDER = "/usr/lib/bootc/bound-images.d"
KARGS_FOLDER = "/usr/lib/bootc/kargs.d"
BOUND_STORAGE = "/sysroot/ostree/bootc/storage"
STORAGE_LIST = "overlay-images/images.json"

_VERDICTS = {"FALLBACK BOOT DETECTED": "fallback", "Boot Status is RED": "red", "Boot Status is GREEN": "green"}
"""What greenboot says, the worst first (fedora-iot/greenboot, usr/libexec/greenboot/greenboot-status)."""

_STRING = r"\"(?:[^\"\\]|\\.)*\"|'[^']*'"
_LIST = re.compile(rf"^[ \t]*([a-z-]+)[ \t]*=[ \t]*\[((?:\s|,|#[^\n]*|{_STRING})*)\]", re.MULTILINE)
_ITEM = re.compile(rf"#[^\n]*|({_STRING})")


def listed_paths(output: str) -> list[tuple[str, str]]:
    """Return names and targets in the output of ``ostree ls``, the target of a file being itself."""
    found = []
    for line in output.splitlines():
        words = line.split(None, 4)
        if len(words) == 5 and words[0][:1] in ("-", "l"):
            name, arrow, target = words[4].partition(" -> ")
            found.append((name, target if arrow else name))
    return sorted(found)


def bound_image(quadlet: str) -> str | None:
    """Return the image that a quadlet file names, None for none; systemd specifiers are not allowed in it."""
    for line in quadlet.splitlines():
        name, equals, value = line.partition("=")
        if equals and name.strip() == "Image":
            return value.strip() or None
    return None


def stored_names(storage_list: t.Any) -> set[str]:
    """Return the names of all images in the ``images.json`` of a container storage."""
    if not isinstance(storage_list, list):
        return set()
    return {
        name
        for one in storage_list
        if isinstance(one, dict) and isinstance(one.get("names"), list)
        for name in one["names"]
        if isinstance(name, str)
    }


def kernel_arguments(files: Iterable[str], machine: str) -> tuple[str, ...]:
    """Return the kernel arguments in the contents of kargs.d, in the order of the files, for the architecture
    ``machine`` (as the kernel names it, which is also Rust's name)."""
    found: list[str] = []
    for content in files:
        tables = {match.group(1): _strings(match.group(2)) for match in _LIST.finditer(content)}
        if machine in tables.get("match-architectures", [machine]):
            found += tables.get("kargs", [])
    return tuple(found)


def instance_digest(manifest: t.Any, machine: str) -> str | None:
    """Return the digest of the architecture ``machine`` in a manifest list or index, None for a single manifest."""
    listed = manifest.get("manifests") if isinstance(manifest, dict) else None
    if not isinstance(listed, list):
        return None
    wanted = Architecture.parse(machine).oci
    for one in listed:
        platform = one.get("platform") if isinstance(one, dict) else None
        if isinstance(platform, dict) and platform.get("architecture") == wanted:
            return str(one.get("digest"))
    return None


def health_verdict(said: str) -> str | None:
    """Return "green", "red" or "fallback" for what greenboot-status prints, None for other words."""
    for words, verdict in _VERDICTS.items():
        if words in said:
            return verdict
    return None


def _strings(items: str) -> list[str]:
    found = [match.group(1) for match in _ITEM.finditer(items) if match.group(1)]
    return [one[1:-1] if one.startswith("'") else _basic(one) for one in found]


def _basic(text: str) -> str:
    try:
        return str(json.loads(text))
    except ValueError:
        # An escape that TOML has and JSON has not; the words of kernel arguments never need one.
        return text[1:-1]
