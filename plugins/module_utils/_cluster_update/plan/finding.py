# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A doubt about a cluster, and what a site has decided to live with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import ObjectKind

FAULT = "fault"
"""Something does not work and will not repair by waiting alone."""

UNSETTLED = "unsettled"
"""A change is in progress that ends by itself."""

NOTICE = "notice"
"""Worth knowing; neither health nor rest depends on it."""

_RANK = {FAULT: 0, UNSETTLED: 1, NOTICE: 2}


@dataclass(frozen=True)
class Finding:
    """One doubt: ``severity`` is FAULT, UNSETTLED or NOTICE; ``seen`` and ``advice`` are for a person.

    ``code`` is for programs. ``since`` is when it began, by the clock of who reports it, empty where that is unknown.
    ``allowed`` ones count neither as a fault nor as in progress, nor do those that were ``broken_before``.
    """

    severity: str
    kind: str
    name: str
    seen: str
    advice: str
    code: str = ""
    namespace: str = ""
    since: str = ""
    allowed: bool = False
    broken_before: bool = False

    @property
    def address(self) -> str:
        """Return what an allowance is compared with, such as ``pull_always:shop/web`` or ``node_cordoned:w-1``."""
        return f"{self.code}:{self.namespace}/{self.name}" if self.namespace else f"{self.code}:{self.name}"

    @property
    def object_name(self) -> str:
        """Return the object for a sentence, such as ``Deployment shop/web``."""
        return f"{self.kind} {self.namespace}/{self.name}" if self.namespace else f"{self.kind} {self.name}"


def fault(
    code: str, kind: ObjectKind, name: str, seen: str, advice: str, namespace: str = "", since: str = ""
) -> Finding:
    """Return a finding that keeps a cluster from being healthy."""
    return Finding(FAULT, kind.kind, name, seen, advice, code, namespace, since)


def unsettled(code: str, kind: ObjectKind, name: str, seen: str, advice: str, *, since: str = "") -> Finding:
    """Return a finding that keeps a healthy cluster from being settled."""
    return Finding(UNSETTLED, kind.kind, name, seen, advice, code, since=since)


def notice(code: str, kind: ObjectKind, name: str, seen: str, advice: str, namespace: str = "") -> Finding:
    """Return a finding that is merely worth knowing."""
    return Finding(NOTICE, kind.kind, name, seen, advice, code, namespace)


def ranked(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return the findings faults first, otherwise in their order."""
    return tuple(sorted(findings, key=lambda finding: _RANK[finding.severity]))


def with_allowances(findings: Sequence[Finding], allowed: Sequence[str]) -> tuple[tuple[Finding, ...], tuple[str, ...]]:
    """Return the findings with those marked that the site allows, and the allowances that matched none.

    An allowance is a code, for all of its findings, or a code and an object: ``pull_always:openshift-marketplace/*``.
    """
    marked = tuple(
        replace(finding, allowed=any(_matches(finding, pattern) for pattern in allowed)) for finding in findings
    )
    idle = tuple(pattern for pattern in allowed if not any(_matches(finding, pattern) for finding in findings))
    return marked, idle


def _matches(finding: Finding, pattern: str) -> bool:
    return fnmatchcase(finding.address if ":" in pattern else finding.code, pattern)
