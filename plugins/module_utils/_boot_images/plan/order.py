# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which resources are changed, in which order, and which of them is the canary."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.assessment import Assessment
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.verdict import CURRENT


@dataclass(frozen=True)
class Order:
    """``now`` are changed, ``later`` wait for the proof of ``canaries``, which are named by their keys."""

    now: tuple[Assessment, ...]
    later: tuple[Assessment, ...] = ()
    canaries: tuple[str, ...] = ()


def ordered(found: Sequence[Assessment], *, canary: bool) -> Order:
    """Return the order in which those of ``found`` are changed that may be: MachineSets first, by name.

    With ``canary`` only one of each kind of machine is changed: architecture and stream make the kind. It is one that
    boots the right image already, so that asking again changes nothing more, or else one that has machines rather than
    one without, and of the control plane only where there is no other.
    """
    outdated = sorted((one for one in found if one.may_update), key=_by_name)
    if not canary:
        return Order(tuple(outdated))
    wanted = {_kind_of_machine(one) for one in outdated}
    chosen: dict[tuple[str, str], Assessment] = {}
    for one in sorted((one for one in found if _could_be_canary(one)), key=_by_fitness):
        if _kind_of_machine(one) in wanted:
            chosen.setdefault(_kind_of_machine(one), one)
    canaries = tuple(sorted(one.resource.key for one in chosen.values()))
    now = tuple(one for one in outdated if one.resource.key in canaries)
    return Order(now, tuple(one for one in outdated if one.resource.key not in canaries), canaries)


def _could_be_canary(one: Assessment) -> bool:
    return one.may_update or (one.verdict.standing == CURRENT and not one.resource.is_control_plane)


def _kind_of_machine(one: Assessment) -> tuple[str, str]:
    return one.architecture, one.stream


def _by_name(one: Assessment) -> tuple[bool, str]:
    return one.resource.is_control_plane, one.resource.name


def _by_fitness(one: Assessment) -> tuple[bool, bool, bool, str]:
    resource = one.resource
    return one.verdict.standing != CURRENT, resource.is_control_plane, not resource.replicas, resource.name
