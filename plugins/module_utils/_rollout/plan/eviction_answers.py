# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What an answer of the Eviction API means for a pod.

Source: k8s.io/kubernetes, pkg/registry/core/pod/storage/eviction.go.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

ACCEPTED = "accepted"
GONE = "gone"
BLOCKED = "blocked"
LATER = "later"
REFUSED = "refused"

RETRY_SECONDS = 5.0
"""Seconds after which kubectl asks again for an eviction that a budget refused."""

_BUDGET = re.compile(r"The disruption budget (?P<name>\S+) (?P<need>needs .*|.*)")
_PROCESSING = "still being processed by the server"
_SEVERAL_BUDGETS = "more than one PodDisruptionBudget"


@dataclass(frozen=True)
class EvictionAnswer:
    """The parts of an answer that matter; ``status`` is None when none came, ``causes`` are (reason, message)."""

    status: int | None
    reason: str = ""
    message: str = ""
    causes: Sequence[tuple[str, str]] = ()
    retry_after: float | None = None
    transient: bool = False


@dataclass(frozen=True)
class EvictionFate:
    """What became of the attempt.

    ``kind``: ACCEPTED, GONE, BLOCKED by ``budget``, LATER (temporary), REFUSED permanently. ``reason`` is a phrase.
    ``again_in`` is in seconds.
    """

    kind: str
    reason: str = ""
    budget: str = ""
    again_in: float = 0.0


def fate_of(answer: EvictionAnswer) -> EvictionFate:
    """Return what ``answer`` means for the pod to evict by its UID."""
    if answer.status is not None and 200 <= answer.status < 300:
        return EvictionFate(ACCEPTED)
    if answer.status == 404:
        return EvictionFate(GONE, "it no longer existed")
    if answer.status == 409 and "UID" in answer.message:
        return EvictionFate(GONE, "another pod has its name")
    if answer.status == 429:
        return _too_many(answer)
    if answer.status == 500 and _SEVERAL_BUDGETS in answer.message:
        return EvictionFate(REFUSED, "more than one PodDisruptionBudget selects it, and the Eviction API rejects that")
    if any(reason == "NamespaceTerminating" for reason, _unused in answer.causes):
        return EvictionFate(LATER, "its namespace is being deleted", again_in=RETRY_SECONDS)
    if answer.status == 409 or answer.transient:
        return EvictionFate(LATER, _words(answer), again_in=answer.retry_after or RETRY_SECONDS)
    return EvictionFate(REFUSED, _words(answer))


def _too_many(answer: EvictionAnswer) -> EvictionFate:
    again = answer.retry_after or RETRY_SECONDS
    for reason, message in answer.causes:
        if reason != "DisruptionBudget":
            continue
        match = _BUDGET.search(message)
        if _PROCESSING in message or not match:
            return EvictionFate(LATER, message, again_in=again)
        return EvictionFate(BLOCKED, match["need"].rstrip("."), match["name"], RETRY_SECONDS)
    if "disruption budget" in answer.message:
        return EvictionFate(BLOCKED, answer.message.rstrip("."), "", RETRY_SECONDS)
    return EvictionFate(LATER, "the server limits the rate of requests", again_in=answer.retry_after or 1.0)


def _words(answer: EvictionAnswer) -> str:
    status = f"{answer.status} " if answer.status else ""
    return f"{status}{answer.reason}: {answer.message}".strip(": ")
