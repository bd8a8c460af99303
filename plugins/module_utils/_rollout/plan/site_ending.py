# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""How a run of an update or a rollout ended: one of four statuses that a program can use, and a sentence for people."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.ending_status import (
    DONE,
    GREEN,
    NEEDS_PERSON,
    NOTHING_TO_DO,
    WAITS,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.listing import listed

Facts = Mapping[str, t.Any]

AGAIN = "Run the same command again"
MOST_NAMED = 10
"""Nodes that the sentence names; ``remaining`` holds all of them."""


@dataclass(frozen=True)
class Ending:
    """A ``status``, its ``sentence``, when change is permitted again if that is known, and which nodes are left."""

    status: str
    sentence: str
    next_permitted: str = ""
    remaining: tuple[str, ...] = ()

    def as_data(self) -> dict[str, t.Any]:
        """Return it as playbooks take it."""
        return {
            "status": self.status,
            "failed": self.status not in GREEN,
            "sentence": self.sentence,
            "next_permitted": self.next_permitted,
            "remaining": [*self.remaining],
        }


def ending_of(outcome: Facts) -> Ending:
    """Return the ending of a run.

    ``outcome`` holds what its phases left, see ``summary_lines``; with ``completed`` false a task has failed.
    """
    rollout, release = outcome.get("rollout") or {}, outcome.get("release") or {}
    if rollout:
        ending = _of_rollout(rollout, had_work=bool(outcome.get("pending_before", rollout.get("had_work"))))
    elif outcome.get("update"):
        ending = _of_release(release)
    elif "update" in outcome:
        return _needs_person(f"The bundle was not accepted, and nothing was copied to any node. {AGAIN} once it is.")
    else:
        return _needs_person(f"{AGAIN} after the cause above is resolved.")
    if not outcome.get("completed", True) and ending.status != NEEDS_PERSON:
        nodes = "" if rollout else "No node was drained or rebooted. "
        return _needs_person(f"{nodes}{AGAIN} after the cause above is resolved.", ending.remaining)
    further = tuple((outcome.get("update") or {}).get("further") or ())
    if further and rollout and ending.status in GREEN:
        return _needs_person(f"{ending.sentence} Updates that remain: {listed(further)}. {AGAIN} to continue.")
    return _with_boot_images(ending, outcome.get("boot_images") or {})


def _of_release(release: Facts) -> Ending:
    """Return the ending of a run that did not come to nodes."""
    if release.get("outcome") == "restricted":
        return _waits(release, "the release and its nodes")
    if release.get("outcome") == "done":
        return Ending(DONE, "No node was started by this run. Run the phase nodes to update them.")
    return Ending(DONE, "The selected phases are done. No node was drained or rebooted.")


def _of_rollout(rollout: Facts, *, had_work: bool) -> Ending:
    ended, reason = rollout.get("outcome", ""), rollout.get("reason") or ""
    names = tuple(rollout.get("remaining") or [])
    remaining = listed(names, MOST_NAMED)
    left = f" Remaining: {remaining}." if names else ""
    if ended == "done" and not names:
        if had_work:
            return Ending(DONE, "Nothing remains.")
        return Ending(NOTHING_TO_DO, "Everything is up to date; nothing was changed.")
    if ended == "restricted":
        return _waits(rollout, remaining, names)
    if ended == "held_back":
        held = tuple(rollout.get("held_back") or [])
        said = f"Stopped. Resolve why these nodes are held back, then {AGAIN.lower()}."
        said = f"{said} Remaining: {listed(held, MOST_NAMED)}."
        return _needs_person(said, held)
    if ended == "failed":
        why = f": {reason.rstrip('.')}" if reason else ""
        said = f"Stopped at the first failure{why}. Fix that node, then {AGAIN.lower()}.{left}"
        return _needs_person(said, names)
    why = f" because {reason}" if reason else ""
    return _needs_person(f"Stopped{why}. {AGAIN} to continue.{left}", names)


def _with_boot_images(ending: Ending, boot_images: Facts) -> Ending:
    """Return the ending with boot images that wait for the window; all else about them has a line of its own."""
    if ending.status in GREEN and boot_images.get("outcome") == "restricted":
        return Ending(WAITS, f"All nodes are done, but boot images wait for the window. {AGAIN} when it is open.")
    return ending


def _waits(summary: Facts, remaining: str, names: tuple[str, ...] = ()) -> Ending:
    opens = summary.get("next_permitted") or ""
    when = (
        f"It can continue at {clock(opens)}: {AGAIN.lower()} then." if opens else "It is unknown when it can continue."
    )
    said = f"Stopped, because {summary.get('reason', '')}. {when} Remaining: {remaining}."
    return Ending(WAITS, said, opens, names)


def _needs_person(sentence: str, names: tuple[str, ...] = ()) -> Ending:
    return Ending(NEEDS_PERSON, sentence, "", names)


def clock(instant: str) -> str:
    """Return an instant of the API or of a policy to the second, as people write it."""
    return f"{instant[:10]} {instant[11:19]} UTC" if instant else "an unknown time"
