# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.label_selector import selects

LABELS = {"app": "web", "tier": "front"}


@pytest.mark.parametrize(
    ("selector", "selected"),
    [
        pytest.param(None, False, id="none selects nothing"),
        pytest.param({}, True, id="an empty one selects all"),
        pytest.param({"matchLabels": {"app": "web"}}, True, id="a label"),
        pytest.param({"matchLabels": {"app": "web", "tier": "back"}}, False, id="each label counts"),
        pytest.param({"matchLabels": {"zone": "a"}}, False, id="a label that is not there"),
    ],
)
def test_labels(selector: dict[str, t.Any] | None, selected: bool) -> None:
    assert selects(selector, LABELS) is selected


def test_labels_and_expressions_both_count() -> None:
    expression = {"key": "tier", "operator": "In", "values": ["back"]}
    assert selects({"matchLabels": {"app": "web"}, "matchExpressions": [expression]}, LABELS) is False


@pytest.mark.parametrize(
    ("operator", "key", "values", "selected"),
    [
        ("In", "app", ["web", "api"], True),
        ("In", "app", ["api"], False),
        ("In", "zone", ["a"], False),
        ("NotIn", "app", ["web"], False),
        ("NotIn", "app", ["api"], True),
        ("NotIn", "zone", ["a"], True),
        ("Exists", "app", [], True),
        ("Exists", "zone", [], False),
        ("DoesNotExist", "app", [], False),
        ("DoesNotExist", "zone", [], True),
        ("Gt", "app", ["1"], False),
    ],
)
def test_expressions(operator: str, key: str, values: list[str], selected: bool) -> None:
    expression = {"key": key, "operator": operator, "values": values}
    assert selects({"matchExpressions": [expression]}, LABELS) is selected
