# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The lock of kured, which reboots nodes on its own where it is installed.

Source: kubereboot/kured, pkg/daemonsetlock/daemonsetlock.go.
"""

from __future__ import annotations

import json
import typing as t
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.micro_time import instant_of

LOCK_ANNOTATION = "weave.works/kured-node-lock"


def kured_obstacle(daemon_sets: Iterable[Mapping[str, t.Any]], now: datetime) -> str:
    """Return why kured forbids that a node starts now, nothing where it does not."""
    for found in daemon_sets:
        metadata = found["metadata"]
        text = (metadata.get("annotations") or {}).get(LOCK_ANNOTATION)
        if text is None:
            continue
        where = f"DaemonSet {metadata.get('namespace')}/{metadata['name']}"
        owners = _owners(text, now)
        if owners is None:
            return f"the lock of kured on {where} cannot be read"
        if owners:
            return f"kured is rebooting {', '.join(owners)} (its lock is on {where})"
    return ""


def _owners(text: str, now: datetime) -> list[str] | None:
    """Return the nodes that hold the lock, None if that is unknown; with concurrency there may be several."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict):
        return None
    locks = found.get("locks", [found])
    if not isinstance(locks, list) or not all(isinstance(one, dict) for one in locks):
        return None
    return [str(one.get("nodeID", "")) for one in locks if one.get("nodeID") and not _has_run_out(one, now)]


def _has_run_out(lock: Mapping[str, t.Any], now: datetime) -> bool:
    # A Go duration, in nanoseconds; zero means forever.
    ttl = lock.get("TTL")
    created = instant_of(str(lock.get("created", "")))
    if not isinstance(ttl, int) or ttl <= 0 or created is None:
        return False
    return ttl // 1000 < (now - created) // timedelta(microseconds=1)
