# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The path of updates from what a site runs to the release that it is to run, with the known risks of each update."""

from __future__ import annotations

import typing as t
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class RiskRule:
    """When a risk applies to a cluster: ``type`` is ``Always``, or ``PromQL`` with a query that returns 1."""

    type: str
    promql: str = ""


@dataclass(frozen=True)
class UpdateRisk:
    """A known problem of an update, as the update graph publishes it. It applies where one of its rules does."""

    name: str
    message: str
    url: str
    rules: tuple[RiskRule, ...]

    @property
    def always_applies(self) -> bool:
        """Whether it applies to every cluster."""
        return any(rule.type == "Always" for rule in self.rules)

    def as_data(self) -> dict[str, t.Any]:
        """Return the risk as indexes and results show it."""
        return {
            "name": self.name,
            "message": self.message,
            "url": self.url,
            "rules": [{"type": rule.type, "promql": rule.promql} for rule in self.rules],
        }


@dataclass(frozen=True)
class PathEdge:
    """One update of a path, between two versions."""

    start: str
    end: str
    risks: tuple[UpdateRisk, ...] = ()

    def as_data(self) -> dict[str, t.Any]:
        """Return the edge as indexes and results show it."""
        return {"from": self.start, "to": self.end, "risks": [risk.as_data() for risk in self.risks]}


def risk_sentences(edges: Sequence[PathEdge]) -> list[str]:
    """Return a sentence for each risk of each update."""
    found = []
    for edge in edges:
        for risk in edge.risks:
            applies = "applies to every cluster" if risk.always_applies else "may apply"
            where = f" ({risk.url})" if risk.url else ""
            found.append(f"update from {edge.start} to {edge.end}: risk {risk.name} {applies}: {risk.message}{where}")
    return found


def hops_from(edges: Sequence[PathEdge], version: str) -> tuple[PathEdge, ...]:
    """Return the updates that lead from ``version`` to the end of the path; none if it is not on the path.

    At most one edge leads away from each version.
    """
    following = {edge.start: edge for edge in edges}
    hops = []
    while version in following:
        edge = following.pop(version)
        hops.append(edge)
        version = edge.end
    return tuple(hops)
