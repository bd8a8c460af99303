# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Whether a label selector selects an object.

Source: k8s.io/apimachinery, pkg/apis/meta/v1/helpers.go, LabelSelectorAsSelector: none selects nothing, an empty one
all.
"""

from __future__ import annotations

import typing as t
from collections.abc import Mapping


def selects(selector: Mapping[str, t.Any] | None, labels: Mapping[str, str]) -> bool:
    """Return whether a ``LabelSelector`` selects an object with these labels; an unknown operator selects nothing."""
    if selector is None:
        return False
    wanted = (selector.get("matchLabels") or {}).items()
    return wanted <= labels.items() and all(_holds(one, labels) for one in selector.get("matchExpressions") or [])


def _holds(expression: Mapping[str, t.Any], labels: Mapping[str, str]) -> bool:
    key, values = expression.get("key"), expression.get("values") or []
    value = labels.get(str(key))
    operator = expression.get("operator")
    if operator in ("Exists", "DoesNotExist"):
        return (value is not None) is (operator == "Exists")
    if operator == "In":
        return value in values
    return operator == "NotIn" and value not in values
