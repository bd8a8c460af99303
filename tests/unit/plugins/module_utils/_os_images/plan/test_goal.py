# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What may be asked of an OS image, and what is refused before anything is looked at."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._os_images.plan.os_image_samples import (
    NAME,
    NEW,
    OLD,
    bootc_host,
    entry,
    goal,
)

IMAGE = f"{NAME}:9"


@pytest.mark.parametrize(
    ("asked", "seen"),
    [
        ({"state": "staged"}, "requires one"),
        ({"state": "booted"}, "requires one"),
        ({"state": "downloaded"}, "requires one"),
        ({"state": "rolled_back"}, "toggles"),
        ({"state": "downloaded", "image": "oci:/srv/os"}, "already a path on the host"),
        ({"image": IMAGE, "mirror": "192.0.2.7:5000/os\n[[registry]]"}, "not of the form host/repository"),
        ({"image": IMAGE, "mirror": '"'}, "not of the form host/repository"),
        ({"image": "oci:/srv/os", "mirror": "192.0.2.7/os"}, "not of the form host/repository"),
        ({"image": "oci:/srv/os", "source": "container_storage"}, "has no registry and repository"),
        ({"image": IMAGE, "kernel_arguments": ["a"], "kernel_arguments_absent": ["a"]}, "present and absent"),
        ({"image": IMAGE, "kernel_arguments": ["a b"]}, "contains spaces"),
        ({"image": IMAGE, "kernel_arguments": [""]}, "empty"),
        ({"image": IMAGE, "kernel_arguments": ["ostree=/boot"]}, "managed by ostree"),
        ({"image": IMAGE, "digest": "sha256:12"}, "64 lower-case"),
        ({"image": f"{IMAGE}@{OLD}", "digest": NEW}, "the option digest"),
        ({"state": "rolled_back", "leave_digest": "old"}, "64 lower-case"),
        ({"image": "$(reboot)"}, "registry host"),
    ],
)
def test_what_nobody_can_do_is_refused(asked: dict[str, t.Any], seen: str) -> None:
    with pytest.raises(InvalidInputError, match=seen):
        goal(**asked)


@pytest.mark.parametrize(
    ("asked", "digest", "name", "expected"),
    [
        ({"image": IMAGE}, OLD, IMAGE, True),
        ({"image": IMAGE}, OLD, f"{NAME}:8", False),
        ({"image": IMAGE, "digest": OLD}, OLD, IMAGE, True),
        ({"image": IMAGE, "digest": OLD}, NEW, IMAGE, False),
        ({"image": f"{NAME}@{OLD}"}, OLD, f"{NAME}:other", True),
        ({"image": f"{NAME}@{OLD}"}, NEW, f"{NAME}@{OLD}", True),
        ({"image": f"{NAME}@{OLD}"}, OLD, "quay.io/else/os:9", False),
    ],
)
def test_a_deployment_meets_it_by_name_and_digest(
    asked: dict[str, t.Any], digest: str, name: str, expected: bool
) -> None:
    assert goal(**asked).is_met_by(bootc_host(entry(digest, name)).booted) is expected


def test_nothing_and_a_plain_commit_meet_no_goal() -> None:
    assert not goal(image=IMAGE).is_met_by(None)
    assert not goal(image=IMAGE).is_met_by(bootc_host(entry(None)).booted)
