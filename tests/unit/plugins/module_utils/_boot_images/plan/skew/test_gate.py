# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which updates boot images stop; source: cluster-version-operator, precondition Upgradeable, minor versions only."""

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.skew.enforcement import enforce
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.skew.gate import judge_update
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.skew.limits import (
    OPERATOR_LIMIT,
    SkewLimit,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.skew.mode import SkewMode
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.skew.report import SkewReport
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

NEXT = SkewLimit(ocp="4.18.0", rhel="9.6", source="given")


def report(recorded: str, limit: SkewLimit = OPERATOR_LIMIT, *, enforced: bool = True) -> SkewReport:
    """Return the skew of a cluster in mode Manual that records ``recorded``."""
    mode = SkewMode("Manual", recorded)
    judged = enforce(mode, {}, limit, "4.22.3")
    now = judged if enforced else enforce(None, {}, limit, "4.21.3")
    return SkewReport(enforced, mode if enforced else None, mode, limit, now, judged, recorded)


UPDATES: dict[str, tuple[SkewReport, str, str, tuple[bool, bool, bool]]] = {
    "too old for the next minor": (report("4.12.1"), "4.22.3", "4.23.0", (True, True, False)),
    "too old, within the minor": (report("4.12.1"), "4.22.3", "4.22.9", (False, False, False)),
    "too old, back to an older one": (report("4.12.1"), "4.22.3", "4.21.9", (False, False, False)),
    "recent enough": (report("4.20.1"), "4.22.3", "4.23.0", (True, False, False)),
    "new major version": (report("4.12.1"), "4.23.3", "5.0.0", (True, True, False)),
    "not enforced yet, but by the release to come": (
        report("4.12.1", enforced=False),
        "4.21.3",
        "4.22.0",
        (True, False, True),
    ),
    "too old for a limit that was given": (report("4.17.1", NEXT), "4.22.3", "4.23.0", (True, True, False)),
    "that limit counts where nothing is enforced, too": (
        report("4.17.1", NEXT, enforced=False),
        "4.21.3",
        "4.22.0",
        (True, True, False),
    ),
    "a running version that cannot be read": (report("4.12.1"), "", "4.23.0", (True, True, False)),
}


@pytest.mark.parametrize(("found", "running", "to", "expected"), UPDATES.values(), ids=UPDATES)
def test_update(found: SkewReport, running: str, to: str, expected: tuple[bool, bool, bool]) -> None:
    gate = judge_update(found, running, to)
    assert (gate.minor, gate.blocked, gate.later) == expected
    assert gate.sentence


def test_a_stop_is_in_the_operators_words() -> None:
    gate = judge_update(report("4.12.1"), "4.22.3", "4.23.0")
    assert gate.sentence.startswith("Upgrades have been disabled because the cluster is using OCP boot image version")


@pytest.mark.parametrize("to", ["next", "4", "sha256:0", "4.23.0\n"])
def test_what_is_no_version_is_refused(to: str) -> None:
    with pytest.raises(InvalidInputError):
        judge_update(report("4.12.1"), "4.22.3", to)


def test_an_image_that_passes_and_is_known_to_fail_is_told_by_the_gate() -> None:
    gate = judge_update(report("4.13.0"), "4.23.3", "5.0.0")
    assert not gate.blocked
    assert "known to fail" in gate.sentence
    assert [one["source"][:13] for one in gate.as_data()["known_failures"]] == ["OCPBUGS-86768"]
