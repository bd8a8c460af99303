# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Releases of RHEL CoreOS in their two forms, what nodes booted from, what clouds say of images."""

from __future__ import annotations

import json
import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.aleph import aleph_data
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.cloud_images import cloud_images
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.rhcos_release import (
    is_newer,
    openshift_version_of,
    parse_release,
    release_of_google_image,
    release_within,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

Json = dict[str, t.Any]


@pytest.mark.parametrize(
    ("text", "openshift"),
    [
        ("9.6.20260112-0", ""),
        ("418.94.202501221327-0", "4.18"),
        ("46.82.202010091720-0", "4.6"),
        ("4.18.2025031114", "4.18"),
        ("417.94.20240701", "4.17"),
        ("9.6.20251015", ""),
        ("10.2.20260701-0", ""),
        ("x", ""),
        ("", ""),
    ],
)
def test_the_version_of_openshift_behind_a_release(text: str, openshift: str) -> None:
    assert openshift_version_of(text) == openshift


@pytest.mark.parametrize("text", ["9.6.20260112-0", "418.94.202501221327-0", "9.6.20251015", "4.18.2025031114"])
def test_a_release_is_shown_as_it_was_read(text: str) -> None:
    assert str(parse_release(text)) == text


@pytest.mark.parametrize(
    "text", ["9.6", "9.6.2026-0", "4.18.2025031114-0", "v9.6.20260112-0", "९.६.20260112-0", "9.6.20260112-0 x"]
)
def test_what_is_no_release(text: str) -> None:
    assert parse_release(text) is None


def test_releases_within_other_texts() -> None:
    assert str(release_within("OpenShift 4 9.6.20260112-0 x86_64")) == "9.6.20260112-0"
    assert str(release_of_google_image("rhcos-418-94-202501221327-0-gcp-x86-64")) == "418.94.202501221327-0"


FILES: dict[str, tuple[object, str, str, str]] = {
    "today": (
        {"build": "9.6.20260112-0", "version": "9.6.20260112-0", "ref": "docker://ostree-image-signed:x"},
        "9.6.20260112-0",
        "",
        "docker://ostree-image-signed:x",
    ),
    "years ago": ({"build": "46.82.202010091720-0", "imgid": "x"}, "46.82.202010091720-0", "4.6", ""),
    "as text": (json.dumps({"version": "9.6.20260112-0"}), "9.6.20260112-0", "", ""),
    "no JSON": ("{", "", "", ""),
    "a list": ([], "", "", ""),
    "another type": ({"version": 5}, "", "", ""),
    "nothing": (None, "", "", ""),
}


@pytest.mark.parametrize(("held", "release", "openshift", "ref"), FILES.values(), ids=FILES)
def test_what_a_node_booted_from(held: object, release: str, openshift: str, ref: str) -> None:
    found = aleph_data("worker-0", held)
    assert (found["release"], found["openshift"], found["ref"]) == (release, openshift, ref)
    assert bool(found["reason"]) is (release == "")


@pytest.mark.parametrize("entry", ["ami-1", 5, {}, {"image_id": ""}, {"owner_id": "1"}])
def test_what_says_nothing_of_an_image(entry: object) -> None:
    with pytest.raises(InvalidInputError, match="cloud_images"):
        cloud_images([entry])


def test_the_release_of_an_image_is_in_its_description() -> None:
    found = cloud_images([{"image_id": "ami-1", "description": "OpenShift 4 9.6.20260112-0 x86_64"}])
    assert found.release_of("ami-1") == "9.6.20260112-0"
    assert found.release_of("ami-2") == ""


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("9.6.20251023-0", "9.6.20250826-1", True),
        ("9.6.20250826-1", "9.6.20251023-0", False),
        ("9.6.20250826-1", "9.6.20250826-1", False),
        ("9.6.20250826-1", "418.94.202601221327-0", True),
        ("418.94.202501221327-0", "413.92.202307260246-0", True),
        ("", "9.6.20250826-1", False),
    ],
)
def test_a_release_is_newer_by_rhel_and_then_by_the_day(one: str, other: str, expected: bool) -> None:
    assert is_newer(one, other) is expected
