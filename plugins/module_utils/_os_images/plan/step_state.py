# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The state of a host after one step, and its report: as a sentence, and as before and after."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.goal import Goal, State
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.host_status import (
    Entry,
    HostStatus,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.next_action import Action, Kind


def is_reached(status: HostStatus, goal: Goal) -> bool:
    """Whether a host for which nothing is left to be done is where the goal wants it; "booted" takes a reboot."""
    return goal.state is not State.BOOTED or (status.armed is None and goal.is_met_by(status.booted))


def needs_reboot(status: HostStatus) -> bool:
    """Whether the next clean reboot boots something else than what is booted now."""
    return status.armed is not None


def standing(status: HostStatus, goal: Goal) -> str:
    """Return in one sentence how a host stands for which nothing is left to be done."""
    image = goal.image or status.next_boot.image or "the booted deployment"
    if goal.state is State.DOWNLOADED:
        return f"{image} is on the host, and no reboot activates it"
    if goal.state is State.UNSTAGED:
        return f"Nothing is staged; {status.booted.image or 'what is booted'} stays"
    if status.armed is None:
        return f"{image} is booted"
    if goal.state is State.ROLLED_BACK:
        return f"The rollback deployment is queued; the next reboot rolls back to {status.armed.image or 'it'}"
    return f"{image} is staged; the next reboot boots it"


def difference(before: Mapping[str, t.Any], after: Mapping[str, t.Any]) -> dict[str, t.Any] | None:
    """Return the diff of two briefs, None where they are the same."""
    return {"before": dict(before), "after": dict(after)} if before != after else None


def brief(status: HostStatus, downloaded: str | None = None) -> dict[str, t.Any]:
    """Return what a person compares: which image is booted, which boots next, what is on the host besides."""
    return {
        "booted": _named(status.booted),
        "next_boot": _named(status.next_boot),
        "staged": _named(status.staged),
        "downloaded": downloaded,
    }


def foreseen(before: Mapping[str, t.Any], status: HostStatus, goal: Goal, action: Action) -> dict[str, t.Any]:
    """Return the brief that the run which begins with ``action`` is expected to end with."""
    digest = (goal.asked.manifest or goal.asked.digest) if goal.asked is not None else None
    wanted = _label(str(goal.image), digest) if goal.image else None
    if action.kind is Kind.DOWNLOAD:
        return {**before, "downloaded": goal.digest or str(goal.image)}
    if goal.state.stages and not goal.is_met_by(status.booted):
        return {**before, "next_boot": wanted, "staged": wanted}
    if goal.state is State.ROLLED_BACK and not goal.is_arrived_at(status.booted):
        return {**before, "next_boot": _named(status.rollback), "staged": None}
    if goal.state.stages and action.kind in (Kind.UPGRADE, Kind.KERNEL_ARGUMENTS):
        return {**before, "next_boot": f"{action.kind.value}: {action.reason}", "staged": wanted}
    return {**before, "next_boot": before["booted"], "staged": None}


def _named(entry: Entry | None) -> str | None:
    if entry is None:
        return None
    return _label(str(entry.image or "no container image"), entry.digest or entry.checksum)


def _label(name: str, digest: str | None) -> str:
    return f"{name} ({digest})" if digest and digest not in name else name
