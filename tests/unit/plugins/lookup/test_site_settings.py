# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The settings of a site are made once of the same variables, and again of others."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.lookup import site_settings

NODES = ["worker-0"]
KNOWN = {"site_nodes": NODES, "site_bundle_digest": "sha256:6a27", "other": 1}


class Templar:
    """Counts what it was asked, and answers with the value itself, or with what its template stands for."""

    def __init__(self) -> None:
        self.asked = 0
        self.fact = "worker-7"

    def template(self, value: t.Any) -> t.Any:
        self.asked += 1
        return self.fact if value == "{{ fact }}" else value


@pytest.fixture
def templar(monkeypatch: pytest.MonkeyPatch) -> Templar:
    monkeypatch.setattr(site_settings, "_kept", {})
    return Templar()


def nodes(templar: Templar, known: dict[str, t.Any]) -> t.Any:
    lookup = site_settings.LookupModule(None, t.cast(t.Any, templar))
    return lookup._settings("stage_bundle", known)["nodes"]


def test_the_same_variables_are_read_once(templar: Templar) -> None:
    assert nodes(templar, KNOWN) == NODES
    asked = templar.asked
    assert nodes(templar, {**KNOWN, "other": 2}) == NODES
    assert (templar.asked, asked > 0) == (asked, True)


@pytest.mark.parametrize(
    ("change", "expected"), [({"site_nodes": ["worker-1"]}, ["worker-1"]), ({"site_pools": ["a"]}, NODES)]
)
def test_other_variables_are_read_again(templar: Templar, change: dict[str, t.Any], expected: list[str]) -> None:
    nodes(templar, KNOWN)
    asked = templar.asked
    assert nodes(templar, {**KNOWN, **change}) == expected
    assert templar.asked > asked


@pytest.mark.parametrize("value", ["{{ fact }}", ["{{ fact }}"]], ids=["whole", "in a list"])
def test_what_a_template_says_is_read_each_time(templar: Templar, value: t.Any) -> None:
    known = {**KNOWN, "site_nodes": value}
    nodes(templar, known)
    asked, templar.fact = templar.asked, "worker-8"
    found = nodes(templar, known)
    assert templar.asked > asked
    assert value != "{{ fact }}" or found == ["worker-8"]
