# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.admin_gates import AdminGate
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.upgradeability import is_outdated
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.version_state import VersionState
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.operator_state import OperatorState

ONE_OPERATOR = (
    "DegradedPool",
    "Cluster operator machine-config should not be upgraded between minor or major versions",
)
OPERATORS = ("ClusterOperatorsNotUpgradeable", "Multiple cluster operators should not be upgraded between minor")
ACK = ("AdminAckRequired", "Kubernetes 1.35 removes APIs.")
UPDATE = ("UpdateInProgress", "An update is already in progress")
DELETIONS = ("ResourceDeletesInProgress", "Cluster minor version upgrades are not allowed")
OVERRIDES = ("ClusterVersionOverridesSet", "Disabling ownership via cluster version overrides prevents upgrades.")
GATES = (AdminGate("ack-4.21-x", "APIs go away"),)


def cluster(*causes: tuple[str, str], progressing: str = "False") -> VersionState:
    """Return a cluster with these causes, as the operator writes them: several get conditions of their own."""
    reason, message = causes[0] if len(causes) == 1 else ("MultipleReasons", "Cluster should not be upgraded")
    conditions = [{"type": "Upgradeable", "status": "False", "reason": reason, "message": message}]
    conditions += [{"type": "Progressing", "status": progressing}]
    for one in causes if len(causes) > 1 else ():
        conditions.append({"type": f"Upgradeable{one[0]}", "status": "False", "reason": one[0], "message": one[1]})
    return VersionState.of({"status": {"conditions": conditions}})


def operators(status: str) -> tuple[OperatorState, ...]:
    said = [{"type": "Upgradeable", "status": status}] if status else []
    names = {"dns": [], "machine-config": said}
    return tuple(
        OperatorState.of({"metadata": {"name": name}, "status": {"conditions": found}}) for name, found in names.items()
    )


@pytest.mark.parametrize(
    ("seen", "said", "gates", "expected"),
    [
        pytest.param(cluster(ONE_OPERATOR), "True", (), True, id="the operator can be updated again"),
        pytest.param(cluster(ONE_OPERATOR), "False", (), False, id="the operator cannot be updated"),
        pytest.param(cluster(OPERATORS), "", (), True, id="no operator reports anything"),
        pytest.param(cluster(OPERATORS), "False", (), False, id="one of several operators remains"),
        pytest.param(cluster(UPDATE), "True", (), True, id="the update has ended"),
        pytest.param(cluster(UPDATE, progressing="True"), "True", (), False, id="the update goes on"),
        pytest.param(cluster(ACK), "True", (), True, id="all gates are acknowledged"),
        pytest.param(cluster(ACK), "True", GATES, False, id="a gate is closed"),
        pytest.param(cluster(ONE_OPERATOR, UPDATE), "True", (), True, id="both are resolved"),
        pytest.param(cluster(ONE_OPERATOR, UPDATE), "False", (), False, id="one of two is resolved"),
        pytest.param(cluster(OVERRIDES), "True", (), False, id="overrides"),
        pytest.param(cluster(DELETIONS), "True", (), False, id="deletions, which no object shows"),
        pytest.param(cluster(DELETIONS, UPDATE), "True", (), False, id="deletions after the update"),
        pytest.param(cluster(("MultipleReasons", "two gates")), "True", (), False, id="several reasons of one kind"),
    ],
)
def test_outdated(seen: VersionState, said: str, gates: tuple[AdminGate, ...], expected: bool) -> None:
    assert is_outdated(seen, operators(said), gates) is expected
