# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A choice among the images of a bundle as a play gets it."""

from __future__ import annotations

import typing as t

import pytest
from ansible.errors import AnsibleFilterError

from ansible_collections.fieldops.openshift.plugins.filter.chosen_images import chosen_images

ETCD, CLI = (f"quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:{digit * 64}" for digit in "ab")
IMAGES = [{"name": ETCD, "component": "etcd"}, {"name": CLI, "component": "cli"}]


@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        pytest.param(["cli"], [CLI], id="a list"),
        pytest.param([], [ETCD, CLI], id="an empty list"),
        pytest.param({"worker": ["cli"], "master": []}, {"worker": [CLI], "master": [ETCD, CLI]}, id="by pool"),
        pytest.param({}, {}, id="no pool"),
    ],
)
def test_plain_data(choice: t.Any, expected: t.Any) -> None:
    assert chosen_images(IMAGES, choice) == expected


@pytest.mark.parametrize(
    ("images", "choice", "message"),
    [
        pytest.param(IMAGES, ["ose-cli"], "ose-cli.*has no image of that name", id="unknown"),
        pytest.param(IMAGES, {"worker": ["ose-cli"]}, "ose-cli.*has no image of that name", id="unknown of a pool"),
        pytest.param([ETCD], ["etcd"], "etcd.*has no image of that name", id="a component of mere names"),
        pytest.param(IMAGES, "cli", "lists of names are needed", id="a word"),
        pytest.param(IMAGES, None, "lists of names are needed", id="nothing"),
        pytest.param([{}], ["cli"], "images and lists", id="no image"),
    ],
)
def test_what_cannot_be_chosen(images: t.Any, choice: t.Any, message: str) -> None:
    with pytest.raises(AnsibleFilterError, match=message):
        chosen_images(images, choice)
