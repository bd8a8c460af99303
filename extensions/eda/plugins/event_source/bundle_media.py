# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Event source of ansible-rulebook: bundles on media that are plugged into this machine.

Mounting a drive changes no file that inotify(7) reports, so that a watch of files does not see it. Therefore, this
source looks at the places of media. Stands on its own, because ansible-rulebook does not import collections.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import typing as t
from pathlib import Path

DOCUMENTATION = r"""
short_description: Bundles on media that are plugged into this machine
description:
  - Generates an event for each bundle that appears in the folders, also for those that are there at the start.
  - A bundle that is removed and plugged in again is another event.
  - The digest is that of the file, and is verified by nothing. Never hand it to a playbook as the digest to trust.
options:
  paths:
    description: Absolute patterns of folders that may contain a bundle, as in glob(7).
    type: list
    elements: str
    default: [/run/media/*/*, /run/media/*/*/*, /media/*, /media/*/*, /mnt, /mnt/*]
  delay:
    description: Seconds between two looks.
    type: float
    default: 5
"""
EXAMPLES = r"""
- fieldops.openshift.bundle_media:
    paths: [/run/media/*/*]
"""

PLACES = ("/run/media/*/*", "/run/media/*/*/*", "/media/*", "/media/*/*", "/mnt", "/mnt/*")
INDEX, KIND = "index.json", "FieldOpsBundle"
LARGEST_INDEX = 256 * 2**20
"""Bytes of an index; a larger file is none."""

Bundle = dict[str, t.Any]


async def main(queue: asyncio.Queue[t.Any], args: dict[str, t.Any]) -> None:
    """Put an event into the queue for each bundle that appears."""
    patterns, delay = args.get("paths") or PLACES, float(args.get("delay", 5))
    known: dict[str, Bundle] = {}
    while True:
        found = await asyncio.to_thread(bundles_in, patterns, known)
        for path, bundle in found.items():
            if known.get(path) != bundle:
                await queue.put({"bundle": bundle})
        known = found
        await asyncio.sleep(delay)


def bundles_in(patterns: t.Iterable[str], known: t.Mapping[str, Bundle]) -> dict[str, Bundle]:
    """Return the bundles in folders, by path. Of ``known`` ones whose index is the same file, nothing is read again."""
    found = {}
    root = Path("/")
    for folder in sorted({str(path) for pattern in patterns for path in root.glob(pattern.lstrip("/"))}):
        try:
            bundle = _bundle(Path(folder), known.get(folder))
        except (OSError, ValueError, RecursionError):
            continue  # unplugged meanwhile, unreadable, or no JSON
        if bundle:
            found[folder] = bundle
    return found


def _bundle(folder: Path, known: Bundle | None) -> Bundle | None:
    index = folder / INDEX
    state = index.stat()
    mark = [state.st_dev, state.st_ino, state.st_size, state.st_mtime_ns]
    if known and known["file"] == mark:
        return known
    if state.st_size > LARGEST_INDEX:
        return None
    content = index.read_bytes()
    data = json.loads(content)
    if not isinstance(data, dict) or data.get("kind") != KIND:
        return None
    return {"path": str(folder), "digest": f"sha256:{hashlib.sha256(content).hexdigest()}", "file": mark}
