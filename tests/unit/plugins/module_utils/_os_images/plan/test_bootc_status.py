# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The status of bootc, in every version of its document."""

from __future__ import annotations

import json
import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.os_image_errors import UnknownStatusError
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.bootc_status import (
    bootc_status,
    is_empty,
    read_document,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.host_status import Backend
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._os_images.plan.os_image_samples import (
    NAME,
    NEW,
    OLD,
    OTHER,
    VERSIONS,
    bootc_document,
    bootc_host,
    entry,
)


@pytest.mark.parametrize("version", VERSIONS, ids=lambda version: ".".join(map(str, version)))
def test_each_version_says_what_is_booted_and_what_comes_next(version: tuple[int, ...]) -> None:
    parts = (entry(version=version), entry(NEW, version=version), entry(OTHER, version=version))
    document = bootc_document(*parts, others=(entry(OTHER, version=version),), version=version)
    status = bootc_status(read_document(json.dumps(document)))
    assert status.backend is Backend.BOOTC
    assert (status.booted.digest, status.next_boot.digest, status.next_boot_name) == (OLD, NEW, "staged")
    assert status.rollback is not None
    assert status.rollback.digest == OTHER
    assert len(status.others) == (1 if version >= (1, 3, 0) else 0)


@pytest.mark.parametrize(
    ("key", "field", "since"),
    [("softRebootCapable", "soft_reboot_capable", (1, 7, 0)), ("downloadOnly", "download_only", (1, 12, 0))],
)
@pytest.mark.parametrize("version", VERSIONS, ids=lambda version: ".".join(map(str, version)))
def test_what_a_version_does_not_know_is_none_and_not_false(
    key: str, field: str, since: tuple[int, ...], version: tuple[int, ...]
) -> None:
    document = bootc_document({**entry(version=version), **({key: True} if version >= since else {})}, version=version)
    assert getattr(bootc_status(document).booted, field) is (True if version >= since else None)


def test_only_what_the_schema_promises_is_needed() -> None:
    bare = {"incompatible": False, "pinned": False}
    status = bootc_status({"apiVersion": "org.containers.bootc/v1", "kind": "BootcHost", "status": {"booted": bare}})
    assert (status.booted.image, status.booted.digest, status.next_boot_name) == (None, None, "booted")


def test_a_locked_staging_does_not_boot_next() -> None:
    status = bootc_host(entry(), entry(NEW, downloadOnly=True))
    assert (status.armed, status.next_boot_name) == (None, "booted")


def test_a_queued_rollback_boots_next_unless_something_is_staged() -> None:
    assert bootc_host(entry(), None, entry(OTHER), queued=True).next_boot.digest == OTHER
    assert bootc_host(entry(), entry(NEW), entry(OTHER), queued=True).next_boot.digest == NEW


def test_a_host_on_a_plain_commit_with_a_staged_image_is_read() -> None:
    status = bootc_host(entry(None), entry(NEW))
    assert (status.booted.image, status.next_boot.digest) == (None, NEW)


def test_a_cached_update_is_that_of_the_image_that_was_asked_about() -> None:
    update: dict[str, t.Any] = {"cachedUpdate": {"imageDigest": NEW}}
    beside = bootc_host(entry(**update), entry(name=f"{NAME}:stable", **update), entry(OTHER, **update))
    assert beside.staged is not None
    assert beside.rollback is not None
    found = (beside.booted.cached_digest, beside.staged.cached_digest, beside.rollback.cached_digest)
    assert found == (None, NEW, None)


def test_a_cached_update_of_the_same_digest_is_none() -> None:
    image = entry()["image"]
    assert bootc_host(entry(cachedUpdate=image)).booted.as_document()["cached_update_digest"] is None
    other = {**image, "imageDigest": NEW}
    assert bootc_host(entry(cachedUpdate=other)).booted.as_document()["cached_update_digest"] == NEW


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        ({}, None),
        ({"signature": "insecure"}, "insecure"),
        ({"signature": "containerPolicy"}, "containerPolicy"),
        ({"signature": {"ostreeRemote": "site"}}, "ostreeRemote:site"),
    ],
)
def test_policies_on_signatures_are_read(policy: dict[str, t.Any], expected: str | None) -> None:
    image = bootc_host(entry(policy=policy)).booted.image
    assert image is not None
    assert image.signature == expected


def test_a_composefs_host_is_told_by_its_key() -> None:
    composefs = {"verity": "ab", "bootType": "Bls", "bootloader": "grub", "bootDigest": None}
    status = bootc_host(entry(ostree=None, composefs={**composefs, "missingVerityAllowed": True}))
    assert (status.booted.is_composefs, status.booted.checksum) == (True, None)


@pytest.mark.parametrize("before", ["", "Waiting for sysroot lock...\n", "  \n"])
def test_words_before_the_document_are_passed_over(before: str) -> None:
    document = bootc_document(entry())
    assert read_document(before + json.dumps(document)) == document


@pytest.mark.parametrize(
    ("output", "seen"),
    [
        ("", "not JSON"),
        ("System is not deployed via bootc.\n", "not JSON"),
        ("apiVersion: org.containers.bootc/v1\nspec:\n  image: !ostreeRemote {a: b}\n", "not JSON"),
        ('{"apiVersion": "org.containers.bootc/v1"', "not JSON"),
        ('{"apiVersion": "org.containers.bootc/v1", "kind": "Other"}', "not a BootcHost"),
        ('{"apiVersion": "org.containers.bootc/v2", "kind": "BootcHost"}', "bootc/v2"),
        ("[1]", "not JSON"),
        ("{" * 100000, "not JSON"),
    ],
)
def test_another_document_is_refused_and_quoted(output: str, seen: str) -> None:
    with pytest.raises(UnknownStatusError, match=seen):
        read_document(output)


@pytest.mark.parametrize(
    "damage",
    [
        {"booted": "yes"},
        {"booted": entry(), "staged": []},
        {"booted": entry(image={"image": {"image": 5, "transport": "registry"}})},
        {"booted": entry(image={"image": {"transport": "registry"}})},
        {"booted": entry(), "otherDeployments": {"one": 1}},
        {"booted": entry(policy={"signature": 7})},
    ],
)
def test_a_document_of_another_shape_is_refused(damage: dict[str, t.Any]) -> None:
    with pytest.raises(UnknownStatusError):
        bootc_status({"status": damage})


@pytest.mark.parametrize("document", [bootc_document(None), {"status": {}}, {}])
def test_a_document_of_nulls_is_empty(document: dict[str, t.Any]) -> None:
    assert is_empty(document)


def test_an_image_at_a_path_keeps_it() -> None:
    image = bootc_host(entry(name="/srv/image", transport="oci")).booted.image
    assert str(image) == "oci:/srv/image"
    assert NAME not in str(image)
