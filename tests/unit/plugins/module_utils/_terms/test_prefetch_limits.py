# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the machine-config daemons of releases are sure to complete of PinnedImageSets."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import POOL_ROLE_LABEL
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.prefetch_limits import PrefetchLimits

REPOSITORY = "quay.io/openshift-release-dev/ocp-v4.0-art-dev"


def pinned_set(pool: str, first: int, count: int) -> dict[str, t.Any]:
    names = [{"name": f"{REPOSITORY}@sha256:{first + number:064x}"} for number in range(count)]
    return {"metadata": {"name": pool, "labels": {POOL_ROLE_LABEL: pool}}, "spec": {"pinnedImages": names}}


@pytest.mark.parametrize(
    ("version", "remembered"),
    [
        ("4.16.40", None),
        ("4.18.30", None),
        ("4.19.11", None),
        ("4.19.12", 256),
        ("4.20.1", 256),
        ("4.21.30", 256),
        ("4.22.0-rc.1", 1024),
        ("4.22.3", 1024),
        ("5.0.0", 1024),
        ("latest", None),
    ],
)
def test_what_a_release_remembers(version: str, remembered: int | None) -> None:
    limits = PrefetchLimits.of(version)
    assert (limits.remembered if limits else None) == remembered


@pytest.mark.parametrize(
    ("version", "sets", "pools"),
    [
        pytest.param("4.21.3", [("master", 0, 255)], [], id="as many as it remembers"),
        pytest.param("4.21.3", [("master", 0, 256)], ["master"], id="one more"),
        pytest.param("4.21.3", [("master", 0, 190), ("master", 190, 190)], ["master"], id="two releases"),
        pytest.param("4.22.1", [("master", 0, 190), ("master", 190, 190)], [], id="two releases on 4.22"),
        pytest.param("4.21.3", [("master", 0, 190), ("master", 0, 190)], [], id="the same images twice"),
        pytest.param("4.21.3", [("master", 0, 190), ("worker", 190, 190)], [], id="each pool for itself"),
        pytest.param(
            "4.21.3", [("infra", 0, 190), ("worker", 190, 190)], ["infra"], id="a custom pool has the workers'"
        ),
    ],
)
def test_pools_whose_sets_are_too_large(version: str, sets: list[tuple[str, int, int]], pools: list[str]) -> None:
    limits = PrefetchLimits.of(version)
    assert limits is not None
    assert [*limits.beyond([pinned_set(*one) for one in sets])] == pools


def test_what_is_too_much_is_told() -> None:
    seen = PrefetchLimits("4.20.1").beyond([pinned_set("master", 0, 190), pinned_set("master", 190, 190)])
    assert seen == {
        "master": "its nodes would have to keep 380 images of 2 PinnedImageSets, and a machine-config daemon of 4.20.1 "
        "remembers 256 images and sets"
    }
