# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The test vectors of the enhancement, each with the answer of several independent engines."""

from __future__ import annotations

import itertools
import typing as t
from pathlib import Path

import pytest
import yaml

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.ask import ask_state
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.fields import Field
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.instants import (
    DAY,
    read_instant,
    write_date,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.rrule import read_rrule
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.selected_dates import selected_dates
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.validation import validate
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._changes.plan.selected_days import days_from

Vector = dict[str, t.Any]
VECTORS: list[Vector] = yaml.safe_load((Path(__file__).parents[1] / "change-vectors.yaml").read_text())
DATES = "next_selected_dates"


def of_kind(*kinds: str) -> pytest.MarkDecorator:
    chosen = [vector for vector in VECTORS if vector["kind"] in kinds]
    assert chosen
    return pytest.mark.parametrize("vector", chosen, ids=lambda vector: f"{vector['id']} {vector['title']}")


def expected(vector: Vector) -> Vector:
    return {name: value for name, value in vector["expect"].items() if name != DATES}


def chosen(answer: Vector, names: t.Iterable[str]) -> Vector:
    return {name: answer[name] for name in names}


def test_every_vector_is_of_a_kind_that_is_tested() -> None:
    kinds = {"schedule", "rrule", "validation"}
    assert {vector["kind"] for vector in VECTORS} == kinds


@of_kind("schedule")
def test_stanza_with_policies(vector: Vector) -> None:
    state = ask_state(vector["changeManagement"], vector["policies"], vector["now"]).as_data()
    assert chosen(state, expected(vector)) == expected(vector)


@of_kind("rrule")
def test_rrule_in_a_policy(vector: Vector) -> None:
    permit = {"recurrence": vector["rrule"], "startTime": vector["startTime"]}
    spec = {"strategy": "MaintenanceSchedule", "maintenanceSchedule": {"permit": permit}}
    state = ask_state(
        {"strategy": "ByPolicy", "byPolicy": {"name": "p"}}, {"p": {"spec": spec}}, vector["now"]
    ).as_data()
    assert chosen(state, expected(vector)) == expected(vector)


@of_kind("rrule")
def test_dates_that_an_rrule_selects(vector: Vector) -> None:
    today = read_instant(vector["now"], "now") // DAY
    wanted = vector["expect"][DATES]
    dates = selected_dates(read_rrule(Field("recurrence", vector["rrule"])))
    assert [write_date(day) for day in itertools.islice(days_from(dates, today), len(wanted))] == wanted
    assert wanted or not dates.ever


@of_kind("validation")
def test_validation(vector: Vector) -> None:
    judgement = validate(vector["input"]).as_data()
    assert judgement["valid"] == vector["expect"]["valid"]
    assert all(error["field"] and error["seen"] and error["rule"] for error in judgement["errors"])
