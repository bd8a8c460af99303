# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.eviction_answers import (
    ACCEPTED,
    BLOCKED,
    GONE,
    LATER,
    REFUSED,
    EvictionAnswer,
    fate_of,
)

NEEDS = "The disruption budget web needs 2 healthy pods and has 2 currently"
SYNC = "The disruption budget web does not allow evicting pods currently because it failed sync: two owners"
PROCESSING = "The disruption budget web is still being processed by the server."
VETO = "Cannot evict pod as it would violate the pod's disruption budget."
SEVERAL = "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support."
UID = "Precondition failed: UID in precondition: a, UID in object meta: b"


def budget(message: str, retry_after: float | None = None) -> EvictionAnswer:
    return EvictionAnswer(429, "TooManyRequests", VETO, (("DisruptionBudget", message),), retry_after, transient=True)


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        pytest.param(EvictionAnswer(201), ACCEPTED, id="accepted"),
        pytest.param(EvictionAnswer(404, "NotFound", "pods"), GONE, id="gone"),
        pytest.param(EvictionAnswer(409, "Conflict", UID), GONE, id="another pod has the name"),
        pytest.param(EvictionAnswer(409, "Conflict", "the object has been modified"), LATER, id="the budget was busy"),
        pytest.param(budget(NEEDS), BLOCKED, id="a budget's veto"),
        pytest.param(budget(SYNC), BLOCKED, id="a budget out of order"),
        pytest.param(budget(PROCESSING, 10), LATER, id="a budget that is not counted yet"),
        pytest.param(EvictionAnswer(429, "TooManyRequests", VETO, transient=True), BLOCKED, id="a nameless veto"),
        pytest.param(EvictionAnswer(429, "TooManyRequests", "slow down", (), 7), LATER, id="rate limiting"),
        pytest.param(EvictionAnswer(500, "InternalError", SEVERAL), REFUSED, id="two budgets"),
        pytest.param(EvictionAnswer(500, "InternalError", "etcd", transient=True), LATER, id="a server in trouble"),
        pytest.param(EvictionAnswer(None, "Timeout", "no answer", transient=True), LATER, id="no answer"),
        pytest.param(EvictionAnswer(403, "Forbidden", "no rights"), REFUSED, id="no rights"),
        pytest.param(
            EvictionAnswer(403, "Forbidden", "ns", (("NamespaceTerminating", ""),)), LATER, id="a dying namespace"
        ),
    ],
)
def test_what_an_answer_means(answer: EvictionAnswer, kind: str) -> None:
    assert fate_of(answer).kind == kind


def test_a_veto_names_its_budget_and_what_that_lacks() -> None:
    fate = fate_of(budget(NEEDS))
    assert (fate.budget, fate.reason, fate.again_in) == ("web", "needs 2 healthy pods and has 2 currently", 5.0)


def test_the_servers_word_on_when_to_ask_again_counts() -> None:
    assert fate_of(budget(PROCESSING, 10)).again_in == 10
    assert fate_of(EvictionAnswer(429, "TooManyRequests", "slow down", (), 7)).again_in == 7
