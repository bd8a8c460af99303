# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Reads who the API server takes the user for, and which required permissions are missing."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping, Sequence

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.reviews import is_allowed, who_am_i
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.side_by_side import side_by_side
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.required_access import (
    EVERYTHING,
    Access,
    access_sentence,
    accesses_of,
)


class ClockDifference(t.Protocol):
    """How many seconds the clock of the API server is ahead, and what is said where that is too far for a window."""

    @property
    def skew(self) -> int:
        """The difference in seconds."""

    @property
    def is_too_far(self) -> bool:
        """Whether it is too large for a window."""

    @property
    def complaint(self) -> str:
        """What is said of it."""


def access_report(
    client: ClusterClient, manifests: Sequence[Mapping[str, t.Any]], clock: ClockDifference
) -> dict[str, t.Any]:
    """Return the access of the client's user, judged by the permissions in ``manifests`` and by the clocks.

    Raise ApiError when the API server does not answer, and InvalidInputError for what is no manifest.
    """
    required = accesses_of(manifests)
    identity = who_am_i(client)
    denied = _denied(client, required)
    return {
        "server": client.access.server,
        "user": identity.username,
        "groups": list(identity.groups),
        "denied": [access.as_data() for access in denied],
        "clock_difference": clock.skew,
        "sufficient": not (denied or clock.is_too_far),
        "sentence": access_sentence(identity.username, denied, clock.complaint if clock.is_too_far else ""),
    }


def _denied(client: ClusterClient, required: list[Access]) -> list[Access]:
    if not required or is_allowed(client, EVERYTHING):
        return []
    answers = side_by_side(lambda access: is_allowed(client, access.as_attributes()), required)
    return [access for access, allowed in zip(required, answers) if not allowed]
