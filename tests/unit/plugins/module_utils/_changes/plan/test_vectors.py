# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The test vectors of the enhancement, each with the answer of several independent engines."""

from __future__ import annotations

import typing as t
from pathlib import Path

import pytest
import yaml

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.ask import ask_state
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.validation import validate

Vector = dict[str, t.Any]
VECTORS: list[Vector] = yaml.safe_load((Path(__file__).parents[1] / "change-vectors.yaml").read_text())


def of_kind(*kinds: str) -> pytest.MarkDecorator:
    chosen = [vector for vector in VECTORS if vector["kind"] in kinds]
    assert chosen
    return pytest.mark.parametrize("vector", chosen, ids=lambda vector: f"{vector['id']} {vector['title']}")


def chosen(answer: Vector, names: t.Iterable[str]) -> Vector:
    return {name: answer[name] for name in names}


def test_every_vector_is_of_a_kind_that_is_tested() -> None:
    kinds = {"schedule", "validation"}
    assert {vector["kind"] for vector in VECTORS} == kinds


@of_kind("schedule")
def test_stanza_with_policies(vector: Vector) -> None:
    state = ask_state(vector["changeManagement"], vector["policies"], vector["now"]).as_data()
    assert chosen(state, vector["expect"]) == vector["expect"]


@of_kind("validation")
def test_validation(vector: Vector) -> None:
    judgement = validate(vector["input"]).as_data()
    assert judgement["valid"] == vector["expect"]["valid"]
    assert all(error["field"] and error["seen"] and error["rule"] for error in judgement["errors"])
