# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which version can do what, held to the programs that play them in the lab."""

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.program_traits import (
    BOOTC,
    RPM_OSTREE,
    Programs,
    Trait,
    bootc_version,
    rpm_ostree_version,
    written,
)
from ansible_collections.fieldops.openshift.tests.lab.actors import bootc, rpm_ostree

BOOTED_BY = "bootc 1.1.6\n"
YAML = "rpm-ostree:\n Version: '2024.7'\n Git: 5ab2f1\n Features:\n  - rust\n"


def test_versions_are_read_from_what_the_programs_print() -> None:
    assert (bootc_version(BOOTED_BY), rpm_ostree_version(YAML)) == ((1, 1, 6), (2024, 7))
    assert (bootc_version("error"), rpm_ostree_version("")) == (None, None)
    assert (written((2025, 11)), written(None)) == ("2025.11", None)


@pytest.mark.parametrize(
    ("trait", "version", "expected"),
    [
        (Trait.TAG_BESIDE_DIGEST, (1, 1, 7), False),
        (Trait.TAG_BESIDE_DIGEST, (1, 2, 0), True),
        (Trait.SOFT_REBOOT, (1, 6, 9), False),
        (Trait.SOFT_REBOOT, (1, 7), False),
        (Trait.SOFT_REBOOT, (1, 7, 0), True),
        (Trait.DELETE_DEPLOYMENT, (1, 11, 3), False),
        (Trait.DELETE_DEPLOYMENT, (1, 16, 9), True),
        (Trait.DELETE_DEPLOYMENT, None, False),
        (Trait.UPGRADE_TAG, (1, 14, 9), False),
        (Trait.UPGRADE_TAG, (1, 15, 0), True),
        (Trait.LOADER_ENTRIES, (1, 15, 1), False),
        (Trait.LOADER_ENTRIES, (1, 15, 2), True),
    ],
)
def test_a_trait_begins_with_a_release_of_bootc(trait: Trait, version: tuple[int, ...] | None, expected: bool) -> None:
    assert Programs(bootc=version).can(trait) is expected


@pytest.mark.parametrize(
    ("version", "expected"), [((2023, 11), False), ((2025, 6), False), ((2025, 7), True), ((2026, 5), True)]
)
def test_a_trait_begins_with_a_release_of_rpm_ostree(version: tuple[int, ...], expected: bool) -> None:
    assert Programs(rpm_ostree=version).can(Trait.DIGEST_AS_REVISION) is expected


def test_the_programs_of_the_lab_begin_with_the_same_releases() -> None:
    assert BOOTC[Trait.TAG_BESIDE_DIGEST].version == bootc.SINCE_TAG_BESIDE_DIGEST
    assert BOOTC[Trait.SOFT_REBOOT].version == bootc.FLAGS["--soft-reboot"]
    assert BOOTC[Trait.DOWNLOAD_ONLY].version == bootc.FLAGS["--from-downloaded"]
    assert BOOTC[Trait.PULL].version == bootc.SINCE_PULL
    assert BOOTC[Trait.LOADER_ENTRIES].version == bootc.FLAGS["loader-entries"]
    assert RPM_OSTREE[Trait.DIGEST_AS_REVISION].version == rpm_ostree.SINCE_REVISION
