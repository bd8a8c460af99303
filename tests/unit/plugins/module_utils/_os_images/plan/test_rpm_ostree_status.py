# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The status of rpm-ostree, told in the same words as bootc's."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.os_image_errors import UnknownStatusError
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.rpm_ostree_status import (
    rpm_ostree_status,
)
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._os_images.plan.os_image_samples import (
    NAME,
    NEW,
    OLD,
    OTHER,
    deployment,
    rpm_ostree_host,
)

BOOTED = deployment(booted=True)


def test_the_first_deployment_boots_next() -> None:
    staged = {**deployment(NEW, staged=True), "finalization-locked": False}
    status = rpm_ostree_host(staged, BOOTED, deployment(OTHER))
    assert (status.booted.digest, status.next_boot.digest, status.next_boot_name) == (OLD, NEW, "staged")
    assert status.rollback is not None
    assert (status.rollback.digest, status.rollback_queued) == (OTHER, False)


def test_a_settled_deployment_before_the_booted_one_is_a_queued_rollback() -> None:
    status = rpm_ostree_host(deployment(OTHER), BOOTED)
    assert (status.rollback_queued, status.next_boot.digest) == (True, OTHER)


def test_a_locked_staging_does_not_boot_next() -> None:
    locked = {**deployment(NEW, staged=True), "finalization-locked": True}
    assert rpm_ostree_host(locked, BOOTED).next_boot_name == "booted"


def test_a_deployment_of_another_stateroot_is_no_rollback() -> None:
    status = rpm_ostree_host(BOOTED, deployment(OTHER, osname="rescue"))
    assert (status.rollback, len(status.others)) == (None, 1)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("requested-packages", ["htop"]),
        ("requested-local-packages", ["a.rpm"]),
        ("requested-base-removals", ["vim"]),
        ("requested-base-local-replacements", ["b.rpm"]),
        ("regenerate-initramfs", True),
        ("initramfs-args", ["-I"]),
    ],
)
def test_local_changes_make_it_incompatible_with_bootc(key: str, value: t.Any) -> None:
    assert rpm_ostree_host(deployment(booted=True, **{key: value})).booted.incompatible


def test_layered_packages_are_told_by_name() -> None:
    packages: dict[str, t.Any] = {"requested-packages": ["htop"], "requested-local-packages": ["a-1.0-1.x86_64"]}
    assert rpm_ostree_host(deployment(booted=True, **packages)).booted.layered == ("htop", "a-1.0-1.x86_64")
    assert rpm_ostree_host(BOOTED).booted.layered == ()


def test_times_are_told_as_bootc_tells_them() -> None:
    assert rpm_ostree_host(BOOTED).booted.timestamp == "2026-11-01T12:00:00Z"


@pytest.mark.parametrize("seconds", [0, -1, True, "soon", None, 10**20])
def test_a_time_that_is_none_is_none(seconds: t.Any) -> None:
    assert rpm_ostree_host(deployment(booted=True, timestamp=seconds)).booted.timestamp is None


def test_a_plain_commit_has_no_image() -> None:
    booted = rpm_ostree_host(deployment(None, booted=True)).booted
    assert (booted.image, booted.digest) == (None, None)


@pytest.mark.parametrize(
    "document",
    [None, {}, {"deployments": {}}, {"deployments": ["x"]}, {"deployments": []}, {"deployments": [deployment()]}],
)
def test_a_document_without_a_booted_deployment_is_refused(document: t.Any) -> None:
    with pytest.raises(UnknownStatusError):
        rpm_ostree_status(document)


def test_a_reference_of_an_unknown_form_is_refused_by_name() -> None:
    with pytest.raises(UnknownStatusError, match="ostree-new-form"):
        rpm_ostree_host(deployment(booted=True, **{"container-image-reference": f"ostree-new-form:{NAME}"}))
