# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Gates of the site: an object, a question to it in JMESPath, and the answer that lets a node pass."""

from __future__ import annotations

import json
import typing as t
from collections.abc import Mapping
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.errors import UnusableGateError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import MissingRequirementError

GATE_OPTION: dict[str, t.Any] = {
    "type": "list",
    "elements": "dict",
    "default": [],
    "options": {
        "title": {"type": "str", "default": ""},
        "api_version": {"type": "str", "default": "v1"},
        "kind": {"type": "str", "required": True},
        "name": {"type": "str", "default": ""},
        "namespace": {"type": "str"},
        "label_selector": {"type": "str", "default": ""},
        "expression": {"type": "str", "required": True},
        "expected": {"type": "raw", "default": True},
    },
}
"""Option ``gates``; without a name the question is put to ``{"items": [...]}``, all objects that are selected."""

_LONGEST = 200


@dataclass(frozen=True)
class Gate:
    """One gate; ``title`` is what a person reads, ``expected`` any value of JSON."""

    title: str
    api_version: str
    kind: str
    name: str
    namespace: str | None
    label_selector: str
    expression: str
    expected: t.Any

    @classmethod
    def of(cls, option: Mapping[str, t.Any]) -> Gate:
        """Return the gate that one element of option ``gates`` describes."""
        subject = " ".join(part for part in (option["kind"], option["namespace"], option["name"]) if part)
        title = option["title"] or f"{subject}: {option['expression']}"
        return cls(**{**{name: option[name] for name in GATE_OPTION["options"]}, "title": title})

    def judge(self, subject: t.Any) -> str:
        """Return what keeps a node from passing, nothing if ``subject`` answers as expected.

        Raise UnusableGateError for an expression that is none, MissingRequirementError without jmespath.
        """
        if subject is None:
            return f"gate {self.title}: there is no such object"
        answer = self._answer(subject)
        if _same(answer, self.expected):
            return ""
        return f"gate {self.title}: expected {_short(self.expected)}, got {_short(answer)}"

    def _answer(self, subject: t.Any) -> t.Any:
        try:
            import jmespath
        except ImportError as error:
            raise MissingRequirementError(
                "evaluate the gates",
                on="this machine",
                seen=str(error),
                advice="Install the Python package jmespath together with ansible-core.",
            ) from error
        try:
            return jmespath.search(self.expression, subject)
        except (jmespath.exceptions.JMESPathError, TypeError, ValueError) as error:
            raise UnusableGateError(
                f"evaluate gate {self.title}",
                on=self.expression[:_LONGEST],
                seen=str(error)[:_LONGEST],
                advice="Correct the JMESPath expression. See https://jmespath.org.",
            ) from error


def _same(answer: t.Any, expected: t.Any) -> bool:
    """Compare as JSON does, where 1 and true differ; a template may have made text of what is expected."""
    if json.dumps(answer, sort_keys=True, default=str) == json.dumps(expected, sort_keys=True, default=str):
        return True
    is_text = isinstance(expected, str) and not isinstance(answer, str)
    return is_text and json.dumps(answer, default=str).lower() == expected.lower()


def _short(value: t.Any) -> str:
    text = json.dumps(value, default=str)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
