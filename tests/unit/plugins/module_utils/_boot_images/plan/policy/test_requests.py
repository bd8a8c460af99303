# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Rules of the API that a request must keep; each message is the one of the definition."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.policy_error import (
    PolicyRefusedError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.requests import request_of

Json = dict[str, t.Any]


def manual(**versions: t.Any) -> Json:
    return {"skew_enforcement": {"mode": "Manual", **versions}}


def partial(selector: t.Any) -> Json:
    return {"machine_sets": {"mode": "Partial", "selector": selector}}


def expression(**parts: t.Any) -> Json:
    return partial({"matchExpressions": [parts]})


REFUSED: dict[str, tuple[Json, str, str]] = {
    "x.y is no release": (manual(ocp_version="4.18"), "skew_enforcement.ocp_version", "semver compatible format"),
    "nor is a candidate": (manual(ocp_version="4.18.0-rc.1"), "skew_enforcement.ocp_version", "must match"),
    "nor a line break": (manual(ocp_version="4.18.0\n"), "skew_enforcement.ocp_version", "must match"),
    "eleven characters": (manual(ocp_version="4.18.123456"), "skew_enforcement.ocp_version", "5 to 10 characters"),
    "ten digits are no date": (
        manual(rhcos_version="416.94.2024112021-0"),
        "skew_enforcement.rhcos_version",
        "[datestamp(YYYYMMDD)]",
    ),
    "an image without build": (manual(rhcos_version="9.6.20250523"), "skew_enforcement.rhcos_version", "must match"),
    "twenty-two characters": (
        manual(rhcos_version="416.94.202411201433-01"),
        "skew_enforcement.rhcos_version",
        "14 to 21 characters",
    ),
    "both versions": (
        manual(ocp_version="4.18.2", rhcos_version="9.6.20250523-1"),
        "skew_enforcement",
        "forbidden otherwise",
    ),
    "no version": (manual(), "skew_enforcement", "ocpVersion is required"),
    "a version in mode None": (
        {"skew_enforcement": {"mode": "None", "ocp_version": "4.18.2"}},
        "skew_enforcement",
        "manual is required when mode is Manual, and forbidden otherwise",
    ),
    "a version in mode Automatic": (
        {"skew_enforcement": {"mode": "Automatic", "ocp_version": "4.18.2"}},
        "skew_enforcement",
        "forbidden otherwise",
    ),
    "Partial of what": (partial(None), "machine_sets.selector", "Partial is required when type is partial"),
    "a selector for All": (
        {"machine_sets": {"mode": "All", "selector": {"matchLabels": {"a": "b"}}}},
        "machine_sets.selector",
        "forbidden otherwise",
    ),
    "an empty selector": (partial({}), "machine_sets.selector", "would match every MachineSet"),
    "an unknown field": (partial({"labels": {}}), "machine_sets.selector.labels", "no such field"),
    "labels that are a list": (partial({"matchLabels": ["a"]}), "machine_sets.selector", "not a dictionary"),
    "a value that is not a string": (
        partial({"matchLabels": {"a": True}}),
        "machine_sets.selector.matchLabels.a",
        "is not a valid label value",
    ),
    "a value that is too long": (partial({"matchLabels": {"a": "b" * 64}}), "machine_sets.selector.matchLabels.a", ""),
    "a key that is none": (partial({"matchLabels": {"a b": "c"}}), "machine_sets.selector.matchLabels", "key"),
    "a prefix that is none": (partial({"matchLabels": {"A_/b": "c"}}), "machine_sets.selector.matchLabels", "key"),
    "an unknown operator, which the API would take": (
        expression(key="a", operator="Equals", values=["b"]),
        "machine_sets.selector.matchExpressions[0].operator",
        "'Equals' is not an operator",
    ),
    "In without values": (
        expression(key="a", operator="In"),
        "machine_sets.selector.matchExpressions[0].values",
        "must be specified",
    ),
    "Exists with values": (
        expression(key="a", operator="Exists", values=["b"]),
        "machine_sets.selector.matchExpressions[0].values",
        "may not be specified",
    ),
    "a requirement that is text": (
        partial({"matchExpressions": ["a=b"]}),
        "machine_sets.selector.matchExpressions[0]",
        "not a requirement",
    ),
}


@pytest.mark.parametrize(("params", "field", "seen"), REFUSED.values(), ids=REFUSED)
def test_refused(params: Json, field: str, seen: str) -> None:
    with pytest.raises(PolicyRefusedError) as refusal:
        request_of(params)
    assert refusal.value.on == field
    assert seen in refusal.value.seen
    assert refusal.value.advice


def test_taken() -> None:
    selector = {
        "matchLabels": {"machine.openshift.io/zone": "", "a": "b_1"},
        "matchExpressions": [{"key": "hive.openshift.io/managed", "operator": "DoesNotExist"}],
    }
    request = request_of({**partial(selector), **manual(rhcos_version="416.94.202411201433-0"), "admin_acks": ["x"]})
    manager = request.managers["machinesets"]
    assert manager is not None
    assert manager["selection"] == {"mode": "Partial", "partial": {"machineResourceSelector": selector}}
    assert request.skew is not None
    assert request.skew.as_patch() == {
        "mode": "Manual",
        "manual": {"mode": "RHCOSVersion", "ocpVersion": None, "rhcosVersion": "416.94.202411201433-0"},
    }
    assert request.acks == ("x",)
