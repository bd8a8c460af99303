# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The passage of one node through a rollout as stretches of time, made of its record."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping
from datetime import datetime

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.micro_time import instant_of
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_record import (
    ABORTED,
    CHANGING,
    DONE,
    DRAINED,
    DRAINING,
    FAILED,
    REBOOTING,
    SKIPPED,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.timestamps import timestamp

Fields = Mapping[str, t.Any]

SHOWN_AS = {
    DRAINING: "drain",
    DRAINED: "change",
    CHANGING: "change",
    REBOOTING: "reboot",
    FAILED: "failed",
}
"""What a stretch is called by the phase that begins it. The others end the passage."""


def node_entry(node: Fields) -> dict[str, t.Any]:
    """Return a node of rollout_info as the report has it."""
    record = node.get("record") or {}
    segments = _segments(record.get("times") or {})
    ended = _instant((record.get("times") or {}).get(DONE, ""))
    return {
        "name": node["name"],
        "pool": node["pool"],
        "is_control_plane": node["is_control_plane"],
        "standing": FAILED if record.get("phase") == FAILED else node["standing"],
        "phase": record.get("phase", ""),
        "failed_in": record.get("failed_in", ""),
        "reason": node.get("reason") or record.get("reason") or "",
        "already_broken": list(record.get("broken") or ()),
        "by": record.get("by", ""),
        "segments": segments,
        "started": segments[0]["start"] if segments else "",
        "done": timestamp(ended) if ended and record.get("phase") == DONE else "",
        "seconds": node.get("seconds"),
    }


def _segments(times: Fields) -> list[dict[str, str]]:
    """Return the stretches in order; the last one has no end while the passage is in progress."""
    known = [(moment, phase) for phase, text in times.items() if (moment := _instant(text))]
    ordered = sorted(known, key=lambda one: (one[0], one[1] in (DONE, SKIPPED, ABORTED)))
    ends: list[datetime | None] = [moment for moment, _phase in ordered[1:]]
    found: list[dict[str, str]] = []
    for (start, phase), end in zip(ordered, [*ends, None]):
        if phase not in SHOWN_AS:
            continue
        segment = {"phase": SHOWN_AS[phase], "start": timestamp(start), "end": timestamp(end) if end else ""}
        if found and found[-1]["phase"] == segment["phase"] and found[-1]["end"] == segment["start"]:
            found[-1]["end"] = segment["end"]
        else:
            found.append(segment)
    return found


def _instant(text: t.Any) -> datetime | None:
    return instant_of(text) if isinstance(text, str) else None
