# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Who asks, as the API knows it, and what the time is there: one request answers both."""

from __future__ import annotations

from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.ask import instant_of
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.clock_comparison import ClockComparison
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.instants import read_instant
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.answers import Answer
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.api_error import ApiError
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.calls import Call
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.retries import persist
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.reviews import SELF_SUBJECT_REVIEW
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline

CLOCK_LIMIT = 30
"""Seconds by which clocks may differ before nothing is permitted any more."""


@dataclass(frozen=True)
class Asker:
    """The user name that the API gives us, and our clock together with the server's when it answered."""

    username: str
    clock: ClockComparison


def who_asks(client: ClusterClient, *, clock_limit: int = CLOCK_LIMIT, deadline: Deadline | None = None) -> Asker:
    """Return who this client is for the server and what time it is there.

    The server stamps its answer to a SelfSubjectReview with the present instant (kube-apiserver,
    pkg/registry/authentication/selfsubjectreview/rest.go). Raise ApiError when it does not answer.
    """
    call = Call(
        "create",
        SELF_SUBJECT_REVIEW,
        body={"apiVersion": SELF_SUBJECT_REVIEW.api_version, "kind": SELF_SUBJECT_REVIEW.kind},
    )
    asked = instant_of(client.clock)

    def ask(left: float) -> Answer:
        # Only the time around the attempt that was answered says anything about the server's clock.
        nonlocal asked
        asked = instant_of(client.clock)
        return client.transport.send(call, at_most=left)

    answer = persist(ask, deadline or client.patience())
    if not answer.ok or answer.body is None:
        raise ApiError(call, answer, server=client.access.server)
    stamp = (answer.body.get("metadata") or {}).get("creationTimestamp")
    server = read_instant(stamp, "the time of the API server")
    user = (answer.body.get("status") or {}).get("userInfo") or {}
    return Asker(str(user.get("username", "")), ClockComparison(asked, instant_of(client.clock), server, clock_limit))
