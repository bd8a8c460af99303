# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.label_selector import selects

LABELS = {"app": "web", "tier": "front"}


def rule(operator: str, key: str = "app", *values: str) -> dict[str, t.Any]:
    return {"matchExpressions": [{"key": key, "operator": operator, "values": list(values)}]}


@pytest.mark.parametrize(
    ("selector", "expected"),
    [
        (None, False),
        ({}, True),
        ({"matchLabels": {"app": "web"}}, True),
        ({"matchLabels": {"app": "web", "tier": "back"}}, False),
        ({"matchLabels": {"missing": "x"}}, False),
        (rule("In", "app", "web", "api"), True),
        (rule("In", "app", "api"), False),
        (rule("In", "missing", "x"), False),
        (rule("NotIn", "app", "api"), True),
        (rule("NotIn", "app", "web"), False),
        (rule("NotIn", "missing", "x"), True),
        (rule("Exists"), True),
        (rule("Exists", "missing"), False),
        (rule("DoesNotExist", "missing"), True),
        (rule("DoesNotExist"), False),
        ({"matchLabels": {"app": "web"}, **rule("In", "tier", "back")}, False),
    ],
)
def test_as_the_api_machinery_does(selector: dict[str, t.Any] | None, expected: bool) -> None:
    assert selects(selector, LABELS) is expected
