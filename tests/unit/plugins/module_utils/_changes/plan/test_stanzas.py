# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Stanzas of every generation: what each means, which mixtures are none, and that nothing fails open."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.ask import ask_state
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.change_state import ChangeState
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.stanzas import ABSENT
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._changes.plan.recurrences import (
    weekly,
)

NOW = "2026-11-21T12:00:00Z"
PAST, FUTURE = "2026-11-20T00:00:00Z", "2026-11-22T00:00:00Z"
SATURDAYS = {"permit": {"recurrence": weekly("Saturday")}}
SUNDAYS = {"permit": {"recurrence": weekly("Sunday")}}
POLICIES: dict[str, t.Any] = {
    "open": {"spec": {"strategy": "MaintenanceSchedule", "maintenanceSchedule": SATURDAYS}},
    "closed": {"spec": {"strategy": "MaintenanceSchedule", "maintenanceSchedule": SUNDAYS}},
    "permissive": {"strategy": "Permissive"},
    "not-ready": {"ready": False, "spec": {"strategy": "Permissive"}},
    "strange": {"spec": {"strategy": "Sometimes"}},
    "null": None,
    "text": "Permissive",
    "wrong-kind": {"kind": "ConfigMap", "spec": {"strategy": "Permissive"}},
    "unclear": {"ready": "yes", "spec": {"strategy": "Permissive"}},
    "condition": {"spec": {"strategy": "Permissive"}, "status": {"conditions": [{"type": "Ready", "status": "False"}]}},
    "silent": {"spec": {"strategy": "Permissive"}, "status": {"conditions": [{"type": "Other", "status": "True"}]}},
}

Stanza = t.Any


def by_policy(name: str, **others: t.Any) -> Stanza:
    return {"strategy": "ByPolicy", "byPolicy": {"name": name}, **others}


def asked(stanza: Stanza, now: str = NOW) -> ChangeState:
    return ask_state(stanza, POLICIES, now)


@pytest.mark.parametrize(
    ("stanza", "permitted", "code"),
    [
        pytest.param(ABSENT, True, "NoChangeManagement", id="absent"),
        pytest.param({"kind": "NodePool", "spec": {}}, True, "NoChangeManagement", id="a resource without one"),
        pytest.param(
            {"kind": "MachineConfigPool", "spec": {"changeManagement": by_policy("closed")}},
            False,
            "MaintenanceSchedule",
            id="a resource with one",
        ),
        pytest.param(by_policy("open"), True, "MaintenanceSchedule", id="by policy, open"),
        pytest.param(by_policy("closed"), False, "MaintenanceSchedule", id="by policy, closed"),
        pytest.param(by_policy("permissive"), True, "Permissive", id="a policy without its wrapping"),
    ],
)
def test_what_a_stanza_means(stanza: Stanza, permitted: bool, code: str) -> None:
    state = asked(stanza)
    assert (state.permitted, state.reason.code) == (permitted, code)


@pytest.mark.parametrize(
    ("stanza", "code", "named"),
    [
        pytest.param({}, "InvalidStanza", "changeManagement", id="empty"),
        pytest.param("", "InvalidStanza", "changeManagement", id="an empty text"),
        pytest.param([], "InvalidStanza", "changeManagement", id="a list"),
        pytest.param(False, "InvalidStanza", "changeManagement", id="false"),
        pytest.param({"strategy": "permissive"}, "InvalidStanza", "strategy", id="lower case"),
        pytest.param({"strategy": None}, "InvalidStanza", "strategy", id="no strategy"),
        pytest.param(None, "InvalidStanza", "is not a stanza", id="null"),
        pytest.param({"changeManagement": None}, "InvalidStanza", "is not a stanza", id="null in its holder"),
        pytest.param({"byPolicy": {"name": "open"}}, "InvalidStanza", "strategy", id="a policy without a strategy"),
        pytest.param({"strategy": "ByPolicy"}, "InvalidStanza", "byPolicy", id="a strategy without a policy"),
        pytest.param(
            {"strategy": "ByPolicy", "byPolicy": {}}, "InvalidStanza", "byPolicy.name", id="a nameless policy"
        ),
        pytest.param({"strategy": "Permissive", "until": FUTURE}, "InvalidStanza", "until", id="an unknown field"),
        pytest.param(
            {"strategy": "Permissive", "permissiveUntil": FUTURE}, "InvalidStanza", "permissiveUntil", id="idle"
        ),
        pytest.param(
            {"strategy": "PermissiveUntil", "permissiveUntil": "true"},
            "InvalidStanza",
            "Until",
            id="for ever",
        ),
        pytest.param({"strategy": "RestrictiveUntil"}, "InvalidStanza", "restrictiveUntil", id="until when?"),
        pytest.param({"policy": {"name": "open"}}, "InvalidStanza", "policy", id="an earlier text's reference"),
        pytest.param({"pausedUntil": FUTURE}, "InvalidStanza", "pausedUntil", id="an earlier text's pause"),
        pytest.param(by_policy("open", disabledUntil="true"), "InvalidStanza", "disabledUntil", id="both texts"),
        pytest.param({"strategy": "Manual"}, "InvalidStanza", "strategy", id="an earlier text's strategy"),
        pytest.param({"kind": "Pod", "spec": {}}, "InvalidStanza", "kind", id="a kind that is not governed"),
        pytest.param({"kind": "NodePool"}, "InvalidStanza", "spec", id="a resource without its spec"),
        pytest.param(by_policy("missing"), "PolicyMissing", "missing", id="no such policy"),
        pytest.param(by_policy("null"), "PolicyMissing", "null", id="a policy that is nothing"),
        pytest.param(by_policy("text"), "InvalidPolicy", "policy text", id="a policy that is a word"),
        pytest.param(by_policy("strange"), "InvalidPolicy", "strategy", id="an unknown strategy"),
        pytest.param(by_policy("wrong-kind"), "InvalidPolicy", "kind", id="an object of another kind"),
        pytest.param(by_policy("not-ready"), "PolicyNotReady", "not-ready", id="not ready"),
        pytest.param(by_policy("unclear"), "PolicyNotReady", "unclear", id="neither ready nor not"),
        pytest.param(by_policy("condition"), "PolicyNotReady", "condition", id="the condition says no"),
        pytest.param(by_policy("silent"), "PolicyNotReady", "silent", id="conditions without that one"),
    ],
)
def test_what_is_at_fault_restricts_and_says_where(stanza: Stanza, code: str, named: str) -> None:
    state = asked(stanza)
    assert (state.permitted, state.reason.code) == (False, code)
    assert named in state.reason.text
    assert (state.next_change_eta, state.permissive_remaining) == (-2, -2)
    assert state.windows == ()


@pytest.mark.parametrize("policies", [None, [], {}, "p", 5, [None], [{"metadata": {"name": "p"}}] * 2], ids=repr)
def test_policies_of_any_shape_restrict(policies: object) -> None:
    state = ask_state(by_policy("p"), policies, NOW)
    assert (state.permitted, state.next_change_eta) == (False, -2)


def test_policies_may_be_api_objects() -> None:
    objects = [
        {"kind": "ChangeManagementPolicy", "metadata": {"name": name}, "spec": {"strategy": strategy}}
        for name, strategy in (("a", "Restrictive"), ("b", "Permissive"))
    ]
    assert ask_state(by_policy("b"), objects, NOW).permitted is True
    assert ask_state(by_policy("a"), objects, NOW).permitted is False


def test_an_active_until_needs_no_policy_and_what_follows_does() -> None:
    state = asked({"strategy": "PermissiveUntil", "permissiveUntil": FUTURE, "byPolicy": {"name": "missing"}})
    assert (state.permitted, state.permissive_remaining) == (True, 43200)
    later = asked({"strategy": "RestrictiveUntil", "restrictiveUntil": FUTURE, "byPolicy": {"name": "missing"}})
    assert (later.permitted, later.next_change_eta, later.permissive_remaining) == (False, -2, -2)


def test_dates_and_instants_that_yaml_has_read_already_are_taken() -> None:
    import datetime

    until = datetime.datetime(2026, 11, 22, tzinfo=datetime.timezone.utc)
    assert asked({"strategy": "PermissiveUntil", "permissiveUntil": until}).next_transition is not None
    naive = asked({"strategy": "PermissiveUntil", "permissiveUntil": until.replace(tzinfo=None)})
    assert (naive.permitted, naive.reason.code) == (False, "InvalidStanza")


def test_a_time_that_yaml_took_for_a_number_is_explained() -> None:
    policy = {"strategy": "MaintenanceSchedule", "maintenanceSchedule": {"permit": {"startTime": 1200}}}
    state = ask_state(by_policy("p"), {"p": policy}, NOW)
    assert "YAML reads 20:00 without quotes as a number" in state.reason.text
