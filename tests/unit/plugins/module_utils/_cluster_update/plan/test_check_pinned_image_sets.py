# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""From which release to which PinnedImageSets are of use."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.check_pinned_image_sets import (
    pinned_image_set_findings,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import POOL_ROLE_LABEL


def pinned_set(count: int, pool: str = "master") -> dict[str, t.Any]:
    names = [{"name": f"quay.io/a/b@sha256:{number:064x}"} for number in range(count)]
    return {"metadata": {"name": "others", "labels": {POOL_ROLE_LABEL: pool}}, "spec": {"pinnedImages": names}}


@pytest.mark.parametrize(
    ("running", "target", "images", "expected"),
    [
        pytest.param("4.15.40", "4.16.3", 0, ["fault pinned_image_sets_unused"], id="4.15 to 4.16"),
        pytest.param("4.16.30", "4.17.9", 0, ["fault pinned_image_sets_unused"], id="4.16 to 4.17"),
        pytest.param("4.17.20", "4.18.4", 0, ["fault pinned_image_sets_unused"], id="4.17 to 4.18"),
        pytest.param("4.18.20", "4.19.11", 0, ["fault pinned_image_sets_unused"], id="4.18 to a 4.19 without the API"),
        pytest.param("4.18.20", "4.19.14", 0, ["notice pinned_image_sets_later"], id="4.18 to 4.19"),
        pytest.param("4.19.11", "4.19.14", 0, ["notice pinned_image_sets_later"], id="within 4.19"),
        pytest.param("4.19.14", "4.20.3", 250, [], id="4.19 to 4.20"),
        pytest.param("4.20.3", "4.21.3", 300, ["fault pinned_image_sets_beyond_limit"], id="4.20 to 4.21, many images"),
        pytest.param("4.21.3", "4.22.3", 300, ["fault pinned_image_sets_beyond_limit"], id="only 4.22 has the room"),
        pytest.param("4.22.3", "4.23.0", 300, [], id="4.22 to 4.23"),
        pytest.param("4.22.3", "5.0.0", 0, [], id="4.22 to 5.0"),
    ],
)
def test_paths(running: str, target: str, images: int, expected: list[str]) -> None:
    sets = [pinned_set(images)] if images else []
    found = pinned_image_set_findings(running, target, sets)
    assert [f"{one.severity} {one.code}" for one in found] == expected
