# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What one run of a play calls its helper pods, and how a later run recognizes those no longer needed. Pure."""

from __future__ import annotations

import hashlib
import re
import typing as t
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import (
    PART_OF,
    PART_OF_LABEL,
    REACH_NAMESPACE_PREFIX,
)

RUN_LABEL = "fieldops.openshift/run"
EXPIRES = "fieldops.openshift/expires"
"""Annotation of a namespace of helper pods: the instant, in UTC, from which it may be removed by anyone."""

HOLDER = "fieldops.openshift/holder"
"""Annotation of such a namespace: the process that needs it, where it is known."""

_RUN = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?")
_INSTANT = "%Y-%m-%dT%H:%M:%SZ"


@dataclass(frozen=True)
class RunIdentity:
    """The name of a run, at most 40 lower-case letters, digits and hyphens.

    ``holder`` names, in words of its maker, the process that the run ends with; empty where that is not known.
    """

    name: str
    holder: str = ""

    def __post_init__(self) -> None:
        if not _RUN.fullmatch(self.name):
            raise InvalidInputError(
                "name the run",
                on=repr(self.name[:60]),
                seen="it has other characters than lower-case letters, digits and hyphens, or more than 40",
                advice="Specify a short name such as staging-0412, or none.",
            )

    @classmethod
    def held_by(cls, holder: str) -> RunIdentity:
        """Return the identity of a run that has no name but its ``holder``."""
        return cls(hashlib.sha256(holder.encode()).hexdigest()[:12], holder)

    @property
    def namespace(self) -> str:
        """Return the name of the run's namespace."""
        return f"{REACH_NAMESPACE_PREFIX}{self.name}"

    @property
    def labels(self) -> dict[str, str]:
        """Return the labels of all objects of the run."""
        return {PART_OF_LABEL: PART_OF, RUN_LABEL: self.name}


def expiry(now: datetime, lifetime: int) -> str:
    """Return the instant ``lifetime`` seconds after ``now`` as the annotation has it."""
    return (now + timedelta(seconds=lifetime)).strftime(_INSTANT)


def is_of_pods(namespace: Mapping[str, t.Any]) -> bool:
    """Whether ``namespace`` is one of helper pods."""
    metadata = namespace["metadata"]
    labels = metadata.get("labels") or {}
    return str(metadata["name"]).startswith(REACH_NAMESPACE_PREFIX) and labels.get(PART_OF_LABEL) == PART_OF


def holder_of(namespace: Mapping[str, t.Any]) -> str:
    """Return the holder that a namespace names, empty where it names none."""
    return str((namespace["metadata"].get("annotations") or {}).get(HOLDER, ""))


def is_abandoned(namespace: Mapping[str, t.Any], now: datetime) -> bool:
    """Whether ``namespace`` is one of helper pods whose time is over, or that does not record its time."""
    if not is_of_pods(namespace):
        return False
    try:
        until = datetime.strptime((namespace["metadata"].get("annotations") or {})[EXPIRES], _INSTANT)
    except (KeyError, ValueError):
        return True
    return until.replace(tzinfo=timezone.utc) <= now
