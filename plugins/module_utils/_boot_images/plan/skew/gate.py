# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Skew as a gate before an update: may it begin, as far as boot images go?

Source: cluster-version-operator, pkg/payload/precondition/clusterversion/upgradeable.go: ``Upgradeable=False`` stops
updates to another minor version and no others.
"""

from __future__ import annotations

import typing as t
from dataclasses import dataclass, replace

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.skew.known_failures import (
    KnownFailure,
    known_failures,
    warning_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.skew.limits import GIVEN
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.skew.report import SkewReport
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.skew.versions import (
    less_than,
    parse_generic,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError


@dataclass(frozen=True)
class UpdateGate:
    """The answer for an update ``to`` a version.

    ``minor`` says whether it is one that skew can stop at all, ``blocked`` whether it is stopped: by the operator, or
    where a limit was given by that. ``later`` says that this update goes through, but that the release it leads to
    will stop the next one. ``known`` are failures of machines from the recorded image, see ``known_failures.py``.
    """

    to: str
    minor: bool
    blocked: bool
    later: bool
    sentence: str
    known: tuple[KnownFailure, ...] = ()

    def as_data(self) -> dict[str, t.Any]:
        """Return it as results show it."""
        shown = {name: value for name, value in vars(self).items() if name != "known"}
        return {**shown, "known_failures": [one.as_data() for one in self.known]}


def judge_update(report: SkewReport, running: str, to: str) -> UpdateGate:
    """Return whether the update from ``running`` ``to`` another version may begin.

    Raise InvalidInputError where ``to`` is no version. A running version that cannot be read stops nothing less.
    """
    gate, mode = _judged(report, running, to), report.current or report.determined
    known = known_failures(to, ocp_version=mode.ocp_version, rhcos_version=mode.rhcos_version)
    if gate.blocked or not known:
        return gate
    words = f"{gate.sentence}; of the boot image {mode.rhcos_version or mode.ocp_version}: {warning_of(known)}"
    return replace(gate, sentence=words, known=known)


def _judged(report: SkewReport, running: str, to: str) -> UpdateGate:
    wanted, now = parse_generic(to), parse_generic(running)
    if wanted is None:
        raise InvalidInputError(
            "evaluate an update",
            on="target_version",
            seen=f"{to[:40]!r} is not a version",
            advice="Use a version such as 4.22.3, in quotes.",
        )
    minor = now is None or less_than(now[:2], wanted[:2])
    if not minor:
        words = f"boot images never block an update within a minor version, such as from {running} to {to}"
        return UpdateGate(to, minor, blocked=False, later=False, sentence=words)
    blocked = report.present.blocked or (report.limit.source == GIVEN and report.forecast.blocked)
    later = not blocked and report.forecast.blocked
    if blocked:
        judged = report.present if report.present.blocked else report.forecast
        return UpdateGate(to, minor, blocked, later, judged.message)
    if later:
        words = f"boot images do not block the update to {to}, but that release will block the next one"
        return UpdateGate(to, minor, blocked, later, f"{words}: {report.forecast.detail}")
    return UpdateGate(to, minor, blocked, later, report.sentence)
