# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What had been broken for some time when a node was started, so that it does not count against the node afterwards."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.expected_findings import (
    MACHINE_CONFIG,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.finding import (
    NOTICE,
    Finding,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.micro_time import instant_of

LONG_SECONDS = 300
"""What had lasted for a shorter time may have been about to pass, and clocks differ."""


def with_broken_before(findings: Iterable[Finding], before: str) -> tuple[Finding, ...]:
    """Return the findings with those marked that had lasted for some minutes at ``before``, an instant or empty.

    The machine-config operator changes nodes: a fault of it counts however long it lasts. Raise InvalidInputError.
    """
    if not before:
        return tuple(findings)
    started = instant_of(before)
    if started is None:
        raise InvalidInputError(
            "judge what was broken before",
            on="broken_before",
            seen=f"{before[:40]!r} is not an instant",
            advice="Use an instant such as 2026-11-21T22:00:00Z.",
        )

    def had_lasted(finding: Finding) -> bool:
        since = instant_of(finding.since)
        counts = finding.severity == NOTICE or finding.name == MACHINE_CONFIG
        return not counts and since is not None and (started - since).total_seconds() >= LONG_SECONDS

    return tuple(replace(finding, broken_before=had_lasted(finding)) for finding in findings)
