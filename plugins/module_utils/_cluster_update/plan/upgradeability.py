# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Whether a ClusterVersion reports as not upgradeable what has been resolved since."""

from __future__ import annotations

from collections.abc import Sequence

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.admin_gates import AdminGate
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.version_state import (
    VersionState,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.conditions import Condition
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.operator_state import OperatorState

_BY_OPERATORS = ("Cluster operator ", "Multiple cluster operators ")


def is_outdated(cluster: VersionState, operators: Sequence[OperatorState], gates: Sequence[AdminGate]) -> bool:
    """Return whether nothing of what the condition ``Upgradeable`` names is true any more; ``gates`` are closed ones.

    The cluster version operator evaluates it every two minutes at most, so after an update it reports for a while what
    it saw in the middle of it. What cannot be judged by other objects, such as deletions, is never outdated. Source:
    cluster-version-operator, pkg/cvo/upgradeable.go.
    """
    causes = cluster.upgradeable_causes or (cluster.upgradeable,)
    return all(_is_resolved(one, cluster, operators, gates) for one in causes)


def _is_resolved(
    cause: Condition, cluster: VersionState, operators: Sequence[OperatorState], gates: Sequence[AdminGate]
) -> bool:
    if cause.reason == "AdminAckRequired":
        return not gates
    if cause.reason == "UpdateInProgress":
        return cluster.progressing.status == "False"
    named_operators = cause.message.startswith(_BY_OPERATORS)
    return named_operators and not any(one.upgradeable.status == "False" for one in operators)
