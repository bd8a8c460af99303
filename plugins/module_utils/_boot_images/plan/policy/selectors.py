# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Label selectors as the operator must be able to read them.

The API takes any operator and any value here; the operator then fails in each of its syncs.
Source: k8s.io/apimachinery, pkg/apis/meta/v1/validation/validation.go (ValidateLabelSelector),
pkg/util/validation/validation.go (IsQualifiedName, IsValidLabelValue).
"""

from __future__ import annotations

import re
import typing as t
from collections.abc import Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.policy_error import refused

_NAME = re.compile(r"([A-Za-z0-9][-A-Za-z0-9_.]{0,61})?[A-Za-z0-9]", re.ASCII)
_DOMAIN = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*", re.ASCII)
_OPERATORS = {"In": True, "NotIn": True, "Exists": False, "DoesNotExist": False}
"""Whether an operator needs values; those that do not need them must have none."""


def check_selector(field: str, selector: Mapping[str, t.Any]) -> None:
    """Raise PolicyRefusedError unless ``selector`` is a LabelSelector."""
    for name in selector:
        if name not in ("matchLabels", "matchExpressions"):
            raise refused(
                f"{field}.{str(name)[:60]}",
                "a label selector has no such field",
                "Use matchLabels or matchExpressions.",
            )
    labels, expressions = selector.get("matchLabels"), selector.get("matchExpressions")
    if not isinstance(labels or {}, Mapping) or not isinstance(expressions or [], list):
        raise refused(
            field,
            "matchLabels is not a dictionary, or matchExpressions is not a list",
            "Use the format that kubectl shows.",
        )
    if not labels and not expressions:
        raise refused(field, "it is empty and would match every MachineSet", "Use mode All to select all.")
    for key, value in (labels or {}).items():
        _check_key(f"{field}.matchLabels", key)
        _check_value(f"{field}.matchLabels.{key}", value)
    for number, one in enumerate(expressions or []):
        _check_expression(f"{field}.matchExpressions[{number}]", one)


def _check_expression(field: str, one: t.Any) -> None:
    if not isinstance(one, Mapping) or set(one) - {"key", "operator", "values"}:
        raise refused(
            field, "it is not a requirement with key, operator and values", "Use the format that kubectl shows."
        )
    _check_key(f"{field}.key", one.get("key"))
    operator, values = one.get("operator"), one.get("values") or []
    needs = _OPERATORS.get(operator) if isinstance(operator, str) else None
    if needs is None:
        raise refused(
            f"{field}.operator", f"{str(operator)[:60]!r} is not an operator", f"Use one of {', '.join(_OPERATORS)}."
        )
    if not isinstance(values, list) or needs != bool(values):
        rule = "must be specified" if needs else "may not be specified"
        raise refused(f"{field}.values", f"{rule} when operator is {operator}", "Correct values or operator.")
    for value in values:
        _check_value(f"{field}.values", value)


def _check_key(field: str, key: t.Any) -> None:
    prefix, slash, name = key.rpartition("/") if isinstance(key, str) else ("", "", "")
    if not _NAME.fullmatch(name) or (slash and (len(prefix) > 253 or not _DOMAIN.fullmatch(prefix))):
        raise refused(field, f"{str(key)[:60]!r} is not a valid label key", "Compare it with the existing labels.")


def _check_value(field: str, value: t.Any) -> None:
    if not isinstance(value, str) or (value and not _NAME.fullmatch(value)):
        advice = "Labels are strings: quote numbers and booleans."
        raise refused(field[:200], f"{str(value)[:60]!r} is not a valid label value", advice)
