# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which program is used on a host, and on which host none."""

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.os_image_errors import (
    ManagedByOperatorError,
    NotImageBasedError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.detection import (
    Findings,
    choose,
    refuse_managed,
)
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._os_images.plan.os_image_samples import (
    bootc_host,
    deployment,
    entry,
    rpm_ostree_host,
)

BOOTC = bootc_host(entry())
ON_COMMIT = bootc_host(entry(None))
LAYERED = bootc_host(entry(None, incompatible=True))
RPM_OSTREE = rpm_ostree_host(deployment(booted=True), driver="Zincati")
ALL = ("auto", "bootc", "rpm_ostree")


@pytest.mark.parametrize(
    ("findings", "wanted", "expected"),
    [
        (Findings(bootc=BOOTC), "auto", "bootc"),
        (Findings(bootc=BOOTC, rpm_ostree=RPM_OSTREE), "auto", "bootc"),
        (Findings(bootc=BOOTC, rpm_ostree=RPM_OSTREE), "rpm_ostree", "rpm_ostree"),
        (Findings(bootc=ON_COMMIT, rpm_ostree=RPM_OSTREE), "auto", "rpm_ostree"),
        (Findings(bootc=ON_COMMIT, rpm_ostree=RPM_OSTREE), "bootc", "bootc"),
        (Findings(bootc=ON_COMMIT), "auto", "bootc"),
        (Findings(bootc=LAYERED, rpm_ostree=RPM_OSTREE), "auto", "rpm_ostree"),
        (Findings(rpm_ostree=RPM_OSTREE), "auto", "rpm_ostree"),
    ],
)
def test_the_program_that_knows_the_host_is_used(findings: Findings, wanted: str, expected: str) -> None:
    assert choose(findings, wanted).backend.value == expected


@pytest.mark.parametrize(
    ("findings", "wanted", "seen"),
    [
        (Findings(), "auto", "neither bootc nor rpm-ostree reports a booted deployment"),
        (Findings(said="bootc: it reports no deployment"), "auto", "it reports no deployment"),
        (Findings(rpm_ostree=RPM_OSTREE), "bootc", "bootc reports no booted deployment"),
        (Findings(bootc=BOOTC), "rpm_ostree", "rpm-ostree reports no booted deployment"),
        (Findings(bootc=LAYERED, rpm_ostree=RPM_OSTREE), "bootc", "local changes"),
        (Findings(bootc=LAYERED), "auto", "rpm-ostree does not answer"),
    ],
)
def test_no_program_is_used_that_cannot(findings: Findings, wanted: str, seen: str) -> None:
    with pytest.raises(NotImageBasedError, match=seen):
        choose(findings, wanted)


def test_a_driver_that_only_rpm_ostree_knows_is_kept() -> None:
    assert choose(Findings(bootc=BOOTC, rpm_ostree=RPM_OSTREE), "auto").update_driver == "Zincati"


def test_a_host_of_the_operator_is_refused_with_the_supported_way() -> None:
    refuse_managed(Findings(bootc=BOOTC))
    with pytest.raises(ManagedByOperatorError, match="MachineOSConfig"):
        refuse_managed(Findings(bootc=BOOTC, operator_mark="/etc/machine-config-daemon/currentconfig"))
