# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""Is the cluster well, and has it come to rest? The judgement on what was read, with a reason for each doubt."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass
from itertools import chain

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import (
    CLUSTER_OPERATOR,
    CLUSTER_VERSION,
    MACHINE_CONFIG_POOL,
    NODE,
    ObjectKind,
)

if t.TYPE_CHECKING:
    from collections.abc import Iterator

    from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.version_state import (
        VersionState,
    )
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_state import NodeState
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.operator_state import OperatorState
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.pool_state import PoolState

FAULT = "fault"
"""Something does not work and will not mend by waiting alone."""

UNSETTLED = "unsettled"
"""Something is under way that ends by itself."""

NOTICE = "notice"
"""Worth knowing; neither health nor rest depends on it."""

_NAMED_IN_SENTENCE = 3


@dataclass(frozen=True)
class ClusterObservation:
    """What was read of a cluster; ``version`` is None where no ClusterVersion exists, as on plain Kubernetes."""

    version: VersionState | None
    nodes: tuple[NodeState, ...]
    pools: tuple[PoolState, ...]
    operators: tuple[OperatorState, ...]


@dataclass(frozen=True)
class Finding:
    """One doubt: ``severity`` is FAULT, UNSETTLED or NOTICE; ``seen`` and ``advice`` are for a person."""

    severity: str
    kind: str
    name: str
    seen: str
    advice: str


@dataclass(frozen=True)
class Health:
    """The judgement: ``healthy`` without faults, ``settled`` when nothing is under way either."""

    findings: tuple[Finding, ...]
    summary: str

    @property
    def healthy(self) -> bool:
        """Whether no finding is a fault."""
        return not any(finding.severity == FAULT for finding in self.findings)

    @property
    def settled(self) -> bool:
        """Whether the cluster is healthy and nothing is under way."""
        return self.healthy and not any(finding.severity == UNSETTLED for finding in self.findings)

    @property
    def sentence(self) -> str:
        """Return where things stand in one line: the faults first, then what is under way, then the summary."""
        for severity, words in ((FAULT, "fault"), (UNSETTLED, "change under way")):
            found = [finding for finding in self.findings if finding.severity == severity]
            if found:
                return _enumerate(found, words)
        return f"healthy and settled: {self.summary}"


def assess(seen: ClusterObservation) -> Health:
    """Judge what was read; findings come faults first and then in the order version, operators, pools, nodes."""
    findings = chain(
        _version_findings(seen.version),
        *(_operator_findings(operator) for operator in seen.operators),
        *(_pool_findings(pool) for pool in seen.pools),
        *(_node_findings(node) for node in seen.nodes),
    )
    rank = {FAULT: 0, UNSETTLED: 1, NOTICE: 2}
    return Health(findings=tuple(sorted(findings, key=lambda finding: rank[finding.severity])), summary=_summary(seen))


def _version_findings(version: VersionState | None) -> Iterator[Finding]:
    if version is None:
        return
    if version.failing.is_true:
        advice = "The cluster version operator repeats its attempt; mend what it names if it stays."
        yield _finding(FAULT, CLUSTER_VERSION, "version", f"the update fails: {version.failing.message}", advice)
    if version.release_accepted.status == "False":
        advice = "The requested release was refused and nothing was changed; mend the reason or withdraw the request."
        seen = f"the requested release is not accepted: {version.release_accepted.message}"
        yield _finding(FAULT, CLUSTER_VERSION, "version", seen, advice)
    if version.progressing.is_true:
        advice = "Wait for the update to end."
        yield _finding(UNSETTLED, CLUSTER_VERSION, "version", version.progressing.message, advice)
    if version.upgradeable.status == "False":
        advice = "This blocks updates to the next minor version only."
        yield _finding(NOTICE, CLUSTER_VERSION, "version", f"not upgradeable: {version.upgradeable.message}", advice)


def _operator_findings(operator: OperatorState) -> Iterator[Finding]:
    advice = f"See the messages of 'oc get clusteroperator {operator.name} -o yaml' and its pods."
    if not operator.available.is_true:
        seen = f"is not available: {operator.available.message or 'it has not reported'}"
        yield _finding(FAULT, CLUSTER_OPERATOR, operator.name, seen, advice)
    if operator.degraded.is_true:
        yield _finding(FAULT, CLUSTER_OPERATOR, operator.name, f"is degraded: {operator.degraded.message}", advice)
    if operator.progressing.is_true:
        seen = f"is progressing: {operator.progressing.message}"
        yield _finding(UNSETTLED, CLUSTER_OPERATOR, operator.name, seen, "Wait for it to end.")
    if operator.upgradeable.status == "False":
        seen = f"is not upgradeable: {operator.upgradeable.message}"
        yield _finding(NOTICE, CLUSTER_OPERATOR, operator.name, seen, "This blocks updates to the next minor version.")


def _pool_findings(pool: PoolState) -> Iterator[Finding]:
    if pool.degraded:
        seen = f"is degraded: {pool.degraded_reason or 'no reason is given'}"
        advice = "The pool stops updating until the node that is named there is mended."
        yield _finding(FAULT, MACHINE_CONFIG_POOL, pool.name, seen, advice)
    if pool.updating and not pool.paused:
        seen = f"is updating: {pool.updated_machines} of {pool.machines} nodes are done"
        yield _finding(UNSETTLED, MACHINE_CONFIG_POOL, pool.name, seen, "Wait for the pool to be updated.")
    if pool.paused:
        waiting = pool.machines - pool.updated_machines
        seen = f"is paused with {waiting} of {pool.machines} nodes not updated"
        advice = "Normal between maintenance windows; certificates of a paused pool are not renewed."
        yield _finding(NOTICE, MACHINE_CONFIG_POOL, pool.name, seen, advice)


def _node_findings(node: NodeState) -> Iterator[Finding]:
    if not node.ready:
        advice = "Look at the host: is it running, and its kubelet?"
        yield _finding(FAULT, NODE, node.name, f"is not ready: {node.ready_reason}", advice)
    for pressure in node.pressures:
        yield _finding(FAULT, NODE, node.name, f"reports {pressure}", "Relieve the node before it is changed.")
    if node.daemon_state in ("Degraded", "Unreconcilable"):
        seen = f"its machine-config daemon is {node.daemon_state}: {node.daemon_reason}"
        yield _finding(FAULT, NODE, node.name, seen, "Mend what the daemon names; it tries again by itself.")
    elif node.is_managed and not node.is_updated and node.desired_config != node.current_config:
        seen = f"goes from {node.current_config} to {node.desired_config}"
        yield _finding(UNSETTLED, NODE, node.name, seen, "Wait for the machine-config daemon.")
    if not node.schedulable:
        advice = "Somebody or something has cordoned it; find out who before it is given back."
        yield _finding(NOTICE, NODE, node.name, "is cordoned", advice)


def _finding(severity: str, kind: ObjectKind, name: str, seen: str, advice: str) -> Finding:
    return Finding(severity=severity, kind=kind.kind, name=name, seen=seen, advice=advice)


def _summary(seen: ClusterObservation) -> str:
    ready = sum(node.ready for node in seen.nodes)
    parts = [f"{ready} of {len(seen.nodes)} nodes ready"]
    if seen.operators:
        available = sum(operator.available.is_true for operator in seen.operators)
        parts.append(f"{available} of {len(seen.operators)} operators available")
    if seen.version:
        parts.append(f"version {seen.version.current_version or 'not yet installed'}")
    return ", ".join(parts)


def _enumerate(findings: list[Finding], words: str) -> str:
    named = [f"{finding.kind} {finding.name} {finding.seen}" for finding in findings[:_NAMED_IN_SENTENCE]]
    more = len(findings) - len(named)
    plural = "s" if len(findings) > 1 and words == "fault" else ""
    return f"{len(findings)} {words}{plural}: " + "; ".join(named) + (f"; and {more} more" if more else "")
