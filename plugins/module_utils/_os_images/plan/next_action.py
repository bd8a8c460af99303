# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The one plan for both backends: which single action brings a host nearer to what is asked of it.

It is asked again after every command with the status read again, so it needs no memory but what this run has done.
The traps that it knows are those of bootc: a switch to the spec's own image does nothing, not even with a queued
rollback; a rollback toggles; a failed switch may have staged (``crates/lib/src/deploy.rs``).
"""

from __future__ import annotations

import enum
from collections.abc import Collection
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.os_image_errors import (
    NoRollbackError,
    OsImageChangeError,
    SoftRebootError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.goal import Goal, SoftReboot, State
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.host_status import (
    Backend,
    Entry,
    HostStatus,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.image_spec import (
    CONTAINER_STORAGE,
    REGISTRY,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.program_traits import Programs
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import MissingRequirementError

_UNKNOWN = Programs()


class Kind(str, enum.Enum):
    """What can be done; the values stand in results."""

    SWITCH = "switch"
    UPGRADE = "upgrade"
    UNLOCK = "unlock"
    DISCARD = "discard"
    ROLLBACK = "rollback"
    DOWNLOAD = "download"
    KERNEL_ARGUMENTS = "kernel_arguments"


@dataclass(frozen=True)
class Seen:
    """A host at one moment. ``missing_bound`` are bound images of the armed deployment that its storage lacks.

    ``stored_digest`` is the wanted image's in the container storage, where it is found by the digest that its name
    carries, ``pulled_digest`` the one in the repository of ostree; ``kargs`` are those of the next boot. All are None
    where that is not known. ``own_kargs`` are those that bootc keeps for this collection. ``is_composefs`` is whether
    composefs is the root, without which ostree prepares no soft reboot.
    """

    status: HostStatus
    missing_bound: tuple[str, ...] = ()
    stored_digest: str | None = None
    pulled_digest: str | None = None
    kargs: tuple[str, ...] | None = None
    own_kargs: tuple[str, ...] = ()
    has_rpm_ostree: bool = False
    is_composefs: bool = False
    programs: Programs = _UNKNOWN

    @property
    def downloaded_digest(self) -> str | None:
        """The digest of the wanted image that is on the host, and boots by no reboot."""
        return self.pulled_digest or self.stored_digest


@dataclass(frozen=True)
class Action:
    """One thing to do; ``transport`` is how the image's content is read, for a switch."""

    kind: Kind
    reason: str
    transport: str | None = None


def next_action(seen: Seen, goal: Goal, done: Collection[Kind] = ()) -> Action | None:
    """Return what to do next, None when the host is as requested; ``done`` is what this run did before.

    Raises NoRollbackError, SoftRebootError, MissingRequirementError, and OsImageChangeError when what was done shows
    no effect.
    """
    plans = {
        State.BOOTED: _stage,
        State.STAGED: _stage,
        State.DOWNLOADED: _download,
        State.ROLLED_BACK: _roll_back,
        State.UNSTAGED: _unstage,
    }
    action = plans[goal.state](seen, goal, done)
    if action is not None and action.kind in done and action.kind is not Kind.DISCARD:
        raise OsImageChangeError(
            f"reach the state {goal.state.value}",
            on=str(goal.image or "the OS image"),
            seen=f"the command for '{action.kind.value}' succeeded, but still {action.reason}",
            advice="Check the status in this result and the journal of the host.",
            partial={"os_image": seen.status.as_document()},
        )
    return action


def _stage(seen: Seen, goal: Goal, done: Collection[Kind]) -> Action | None:
    status = seen.status
    _require_kargs(seen, goal)
    _require_composefs(seen, goal)
    if status.staged is not None and goal.names(status.staged) and seen.missing_bound:
        return Action(Kind.DISCARD, f"bound images are missing: {', '.join(seen.missing_bound)}")
    follow = _follow(status, goal, done)
    if follow is not None:
        return follow
    if goal.is_met_by(status.next_boot):
        return _settle(seen, goal)
    if status.staged is not None and goal.is_met_by(status.staged):
        return _unlocked(status)
    if goal.is_met_by(status.booted):
        return _stay(status)
    return _switch(seen, goal)


def _stay(status: HostStatus) -> Action:
    if status.staged is not None:
        return Action(Kind.DISCARD, "the booted image is requested, but another one is staged")
    return Action(Kind.ROLLBACK, "the booted image is requested, but a rollback is queued")


def _unlocked(status: HostStatus) -> Action:
    if status.backend is Backend.BOOTC:
        return Action(Kind.UNLOCK, "the requested image is staged, but locked")
    # rpm-ostree can unlock only by finalize-deployment, which reboots; its layers are there, so this is quick.
    return Action(Kind.DISCARD, "the requested image is staged, but locked")


def _follow(status: HostStatus, goal: Goal, done: Collection[Kind]) -> Action | None:
    if not goal.follows or {Kind.UPGRADE, Kind.SWITCH} & set(done):
        return None
    current = status.staged or status.booted
    if not goal.names(current) or current.image is None or goal.image is None:
        return None
    if status.rollback_queued and status.staged is None:
        return Action(Kind.ROLLBACK, "the booted image is requested, but a rollback is queued")
    if current.image.transport != goal.image.transport:
        return Action(Kind.SWITCH, "the tag is resolved at the requested source", goal.image.transport)
    return Action(Kind.UPGRADE, "the tag may refer to a new image")


def _switch(seen: Seen, goal: Goal) -> Action:
    image = goal.image
    if image is None or image.transport != REGISTRY:
        return Action(Kind.SWITCH, "another image is booted", None)
    is_stored = seen.stored_digest is not None
    if goal.source == "container_storage" and not is_stored:
        raise OsImageChangeError(
            "switch to the image in the container storage",
            on=str(image),
            seen="it does not exist there",
            advice="Load it first: state downloaded, or the module node_images for an image of a bundle.",
        )
    # A signature cannot be checked in the container storage, and a moved tag not seen there.
    may_take_stored = not (image.verifies or goal.follows or goal.mirror or seen.pulled_digest)
    takes_stored = goal.source == "container_storage" or may_take_stored
    is_local = is_stored and takes_stored and goal.source != "registry"
    return Action(Kind.SWITCH, "another image is booted", CONTAINER_STORAGE if is_local else None)


def _settle(seen: Seen, goal: Goal) -> Action | None:
    """The image is right; what remains are kernel arguments, and whether the kernel can stay."""
    absent = lacking_kargs(seen.kargs, goal)
    if absent:
        return _set_kargs(seen, goal, f"the next boot has not: {', '.join(absent)}")
    staged = seen.status.staged
    if goal.soft_reboot is SoftReboot.REQUIRED and staged is not None and not staged.soft_reboot_capable:
        raise _no_soft_reboot(
            seen,
            goal,
            "the staged deployment does not support it (another kernel, initramfs or kernel argument, or an old "
            "version)",
            " The image was removed from the next boot again.",
        )
    return None


def _set_kargs(seen: Seen, goal: Goal, reason: str) -> Action:
    """bootc, unlike rpm-ostree, changes what is staged, or else what is booted, and removes only what was set by it."""
    status = seen.status
    foreign = [word for word in goal.kargs_absent if word in (seen.kargs or ()) and word not in seen.own_kargs]
    if seen.has_rpm_ostree:
        return Action(Kind.KERNEL_ARGUMENTS, reason)
    if foreign or status.next_boot_name == "rollback":
        raise OsImageChangeError(
            "change kernel arguments of this host",
            on=", ".join(foreign) or str(goal.image),
            seen="bootc removes only arguments that this module has set" if foreign else "a rollback is queued",
            advice="Change /usr/lib/bootc/kargs.d of the image." if foreign else "Reboot the host first.",
            partial={"os_image": status.as_document()},
        )
    if status.staged is not None and status.next_boot_name != "staged":
        return Action(Kind.DISCARD, "bootc would change the locked deployment, and activate it")
    return Action(Kind.KERNEL_ARGUMENTS, reason)


def _require_composefs(seen: Seen, goal: Goal) -> None:
    is_wanted = goal.soft_reboot is SoftReboot.REQUIRED and seen.status.backend is Backend.BOOTC
    if is_wanted and not seen.is_composefs and not goal.is_met_by(seen.status.booted):
        raise _no_soft_reboot(seen, goal, "the root of this host is not composefs, which ostree requires for it")


def _no_soft_reboot(seen: Seen, goal: Goal, why: str, more: str = "") -> SoftRebootError:
    return SoftRebootError(
        "prepare a soft reboot",
        on=str(goal.image),
        seen=why,
        advice=f"Allow a full reboot with soft_reboot: auto.{more}",
        partial={"os_image": seen.status.as_document()},
    )


def _require_kargs(seen: Seen, goal: Goal) -> None:
    if (goal.kargs_present or goal.kargs_absent) and seen.kargs is None:
        raise MissingRequirementError(
            "change kernel arguments of this host",
            on="kernel_arguments",
            seen="this requires rpm-ostree, or bootc 1.15.2 with deployments of ostree",
            advice="Add them to /usr/lib/bootc/kargs.d of the image, or remove them here.",
        )


def lacking_kargs(present: tuple[str, ...] | None, goal: Goal) -> list[str]:
    """Return what of the wanted kernel arguments is not so, "-WORD" for one that should not be there."""
    known = present or ()
    wrong = [word for word in goal.kargs_present if word not in known]
    return wrong + [f"-{word}" for word in goal.kargs_absent if present is None or word in known]


def _download(seen: Seen, goal: Goal, done: Collection[Kind]) -> Action | None:
    status = seen.status
    is_armed = status.staged is not None and status.armed is status.staged and goal.is_met_by(status.staged)
    is_here = _is_downloaded(seen, goal)
    if not is_here:
        return Action(Kind.DOWNLOAD, "the image is not on the host")
    if goal.follows and Kind.DOWNLOAD not in done:
        return Action(Kind.DOWNLOAD, "the tag may refer to a new image")
    if is_armed:
        return Action(Kind.DISCARD, "the image is staged, so any reboot would activate it")
    return None


def _is_downloaded(seen: Seen, goal: Goal) -> bool:
    status = seen.status
    is_locked = status.staged is not None and status.armed is not status.staged and goal.is_met_by(status.staged)
    return is_locked or goal.is_met_by(status.booted) or seen.downloaded_digest is not None


def _roll_back(seen: Seen, goal: Goal, done: Collection[Kind]) -> Action | None:
    status = seen.status
    if goal.is_arrived_at(status.booted):
        return _unstage(seen, goal, done)
    rollback = status.rollback
    if rollback is None or not _is_where_to(rollback, goal):
        raise NoRollbackError(
            "roll back the OS image",
            on=str(goal.image or goal.leave_digest),
            seen="there is no rollback deployment" if rollback is None else f"it is {_said(rollback)}",
            advice="Switch to the image by its digest instead: state staged.",
            partial={"os_image": status.as_document()},
        )
    if status.staged is not None:
        return Action(Kind.DISCARD, "a staged deployment would boot before the rollback deployment")
    return None if status.rollback_queued else Action(Kind.ROLLBACK, "the rollback deployment is not queued")


def _is_where_to(rollback: Entry, goal: Goal) -> bool:
    return not goal.leaves(rollback) and (goal.image is None or goal.is_met_by(rollback))


def _said(entry: Entry) -> str:
    return f"{entry.image or 'no container image'} ({entry.digest or entry.checksum})"


def _unstage(seen: Seen, _goal: Goal, _done: Collection[Kind]) -> Action | None:
    if seen.status.staged is not None:
        return Action(Kind.DISCARD, "a deployment is staged")
    return Action(Kind.ROLLBACK, "a rollback is queued") if seen.status.rollback_queued else None
