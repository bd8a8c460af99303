# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a ClusterOperator object says about one of the cluster's operators."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.conditions import Condition, conditions_of

_UNREPORTED = Condition(type="", status="Unknown")


@dataclass(frozen=True)
class OperatorState:
    """An operator at the moment its object was read; the conditions are those every operator has to report.

    An operator that has not reported a condition has it with the status ``Unknown``. Source: openshift/api,
    config/v1/types_cluster_operator.go.
    """

    name: str
    version: str
    available: Condition
    progressing: Condition
    degraded: Condition
    upgradeable: Condition

    @property
    def is_settled(self) -> bool:
        """Whether the operator works and has no change in progress.

        Source: what ``oc adm wait-for-stable-cluster`` demands of each operator.
        """
        return self.available.is_true and self.progressing.status == "False" and self.degraded.status == "False"

    @classmethod
    def of(cls, operator: Mapping[str, t.Any]) -> OperatorState:
        """Return the state of a ClusterOperator object of API version config.openshift.io/v1."""
        conditions = conditions_of(operator)
        versions = (operator.get("status") or {}).get("versions") or []
        return cls(
            name=operator["metadata"]["name"],
            version=next((v["version"] for v in versions if v["name"] == "operator"), ""),
            available=conditions.get("Available", _UNREPORTED),
            progressing=conditions.get("Progressing", _UNREPORTED),
            degraded=conditions.get("Degraded", _UNREPORTED),
            upgradeable=conditions.get("Upgradeable", _UNREPORTED),
        )
