# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Whether the cluster is healthy and settled: the evaluation of what was read, with a reason for each finding."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.basic_findings import (
    node_findings,
    operator_findings,
    pool_findings,
    version_findings,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.broken_before import (
    with_broken_before,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.expected_findings import (
    with_expected,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.finding import (
    FAULT,
    UNSETTLED,
    Finding,
    ranked,
    with_allowances,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.version_state import (
    VersionState,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_state import NodeState
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.operator_state import OperatorState
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.pool_state import PoolState

_NAMED_IN_SENTENCE = 3


@dataclass(frozen=True)
class ClusterObservation:
    """What was read of a cluster; ``version`` is None where no ClusterVersion exists, as on plain Kubernetes."""

    version: VersionState | None
    nodes: tuple[NodeState, ...]
    pools: tuple[PoolState, ...]
    operators: tuple[OperatorState, ...]


@dataclass(frozen=True)
class Health:
    """The judgement: ``healthy`` without faults, ``settled`` when nothing is in progress either.

    What the site allows, and what was broken before, does not count. ``idle_allowances`` are those that matched no
    finding.
    """

    findings: tuple[Finding, ...]
    summary: str
    idle_allowances: tuple[str, ...] = ()

    @property
    def healthy(self) -> bool:
        """Whether no finding is a fault."""
        return not self._counting(FAULT)

    @property
    def settled(self) -> bool:
        """Whether the cluster is healthy and nothing is in progress."""
        return self.healthy and not self._counting(UNSETTLED)

    @property
    def sentence(self) -> str:
        """Return the state in one line: the faults first, then what is in progress, then the summary."""
        for severity, words in ((FAULT, "fault"), (UNSETTLED, "change in progress")):
            found = self._counting(severity)
            if found:
                return _enumerate(found, words)
        return f"healthy and settled: {self.summary}"

    def _counting(self, severity: str) -> list[Finding]:
        found = (finding for finding in self.findings if finding.severity == severity)
        return [finding for finding in found if not (finding.allowed or finding.broken_before)]


def assess(
    seen: ClusterObservation, further: Iterable[Finding] = (), allowed: Sequence[str] = (), broken_before: str = ""
) -> Health:
    """Judge what was read; findings come faults first and then in the order version, operators, pools, nodes.

    ``further`` are the findings of other checks, ``allowed`` the site's allowances, see ``finding.with_allowances``.
    ``broken_before`` is an instant or empty, see ``with_broken_before``.
    """
    findings = chain(
        version_findings(seen.version),
        *(operator_findings(operator) for operator in seen.operators),
        *(pool_findings(pool) for pool in seen.pools),
        *(node_findings(node) for node in seen.nodes),
        further,
    )
    known = with_expected(findings, seen.version, seen.operators, seen.pools)
    marked, idle = with_allowances(ranked(known), allowed)
    marked = with_broken_before(marked, broken_before)
    return Health(findings=marked, summary=_summary(seen), idle_allowances=idle)


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
    named = [f"{finding.object_name} {finding.seen}" for finding in findings[:_NAMED_IN_SENTENCE]]
    more = len(findings) - len(named)
    plural = "s" if len(findings) > 1 and words == "fault" else ""
    return f"{len(findings)} {words}{plural}: " + "; ".join(named) + (f"; and {more} more" if more else "")
