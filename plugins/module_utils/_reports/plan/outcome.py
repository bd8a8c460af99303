# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a rollout came to, of what is recorded: how its last run ended, without such a record where its nodes stand."""

from __future__ import annotations

import typing as t
from collections.abc import Iterable, Mapping, Sequence

from ansible_collections.fieldops.openshift.plugins.module_utils._reports.plan.run_history import SiteRun
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.ending_status import (
    DONE,
    NEEDS_PERSON,
    WAITS,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.listing import listed
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.micro_time import instant_of
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_record import FAILED

Fields = Mapping[str, t.Any]

RUNNING, NONE, UNKNOWN = "running", "none", "unknown"
"""Statuses that no run ends with: one is in progress, there was none, and the records could not be read."""
MOST_NAMED = 10
AGAIN = "Run the same command again"


def outcome(rollout: Fields | None, run: SiteRun | None, changes: Sequence[Fields], now: str) -> dict[str, t.Any]:
    """Return the outcome at the instant ``now``; ``rollout`` is that of rollout_info, ``run`` its last run.

    ``changes`` say of each governed resource whether change is permitted now and when it is next.
    """
    began = rollout is not None and any(node.get("record") for node in rollout["nodes"])
    if rollout is not None and _is_held(rollout.get("lock") or {}, now):
        return _told(RUNNING, f"A run is in progress. {rollout['sentence']}.", rollout["remaining"])
    if run is not None and not (began and rollout is not None and _last_change(rollout) > run.ended):
        return {**_told(run.status, run.sentence, run.remaining, run.next_permitted), "ended": run.ended, "by": run.by}
    if rollout is None or not began:
        return _told(NONE, "No update is recorded in this cluster.")
    return _of_nodes(rollout, changes)


def _of_nodes(rollout: Fields, changes: Sequence[Fields]) -> dict[str, t.Any]:
    """Return the outcome where the last run left no ending: it was killed, or it wrote no report."""
    names, held = rollout["remaining"], rollout["held_back"]
    failed = [node for node in rollout["nodes"] if (node.get("record") or {}).get("phase") == FAILED]
    if failed:
        record = failed[0]["record"]
        why = f"{failed[0]['name']} failed while {record['failed_in']}: {record['reason'].rstrip('.')}"
        return _told(NEEDS_PERSON, f"{why}. Fix that node, then {AGAIN.lower()}.", names)
    if held and not names:
        said = f"These nodes are held back: {listed(held, MOST_NAMED)}. Resolve the cause, then {AGAIN.lower()}."
        return _told(NEEDS_PERSON, said, held)
    if not names:
        return _told(DONE, "Nothing remains.")
    waiting = _restricted(rollout, changes)
    remaining = f"Remaining: {listed(names, MOST_NAMED)}."
    if waiting:
        opens = max(str(one["next_permitted"]) for one in waiting)
        when = f"It can continue at {opens}." if opens else "It is unknown when it can continue."
        return _told(WAITS, f"{waiting[0]['resource']}: {waiting[0]['sentence']}. {when} {remaining}", names, opens)
    return _told(NEEDS_PERSON, f"The run stopped without an ending. {AGAIN} to continue. {remaining}", names)


def _restricted(rollout: Fields, changes: Iterable[Fields]) -> list[Fields]:
    """Return the pools of the nodes that remain, if all of them wait for a window."""
    names = set(rollout["remaining"])
    pools = {node["pool"] for node in rollout["nodes"] if node["name"] in names}
    found = [one for one in changes if one["kind"] == "MachineConfigPool" and one["name"] in pools]
    return [] if any(one["permitted"] for one in found) else found


def _is_held(lock: Fields, now: str) -> bool:
    expires, moment = instant_of(lock.get("expires") or ""), instant_of(now)
    return bool(lock.get("holder")) and expires is not None and moment is not None and expires > moment


def _last_change(rollout: Fields) -> str:
    """Return when the journal was last written, to the second as runs are."""
    records = [node["record"] for node in rollout["nodes"] if node.get("record")]
    return max((f"{record['since'][:19]}Z" for record in records), default="")


def _told(status: str, sentence: str, remaining: Sequence[str] = (), next_permitted: str = "") -> dict[str, t.Any]:
    return {
        "status": status,
        "sentence": sentence,
        "next_permitted": next_permitted,
        "remaining": list(remaining),
        "ended": "",
        "by": "",
    }
