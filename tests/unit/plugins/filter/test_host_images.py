# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The images of PinnedImageSets as a play gets them."""

from __future__ import annotations

import typing as t

import pytest
from ansible.errors import AnsibleFilterError

from ansible_collections.fieldops.openshift.plugins.filter.host_images import host_images

POD = {"name": f"quay.io/a/b@sha256:{'0' * 64}", "component": "pod", "reason": "component", "media_type": None}


def test_plain_data() -> None:
    assert host_images([POD], ["worker"]) == {"by_pool": {"worker": [POD["name"]]}, "left_out": {}}


@pytest.mark.parametrize(
    ("images", "by_pool", "message"),
    [
        pytest.param([], {}, "none of the images that hosts need", id="none"),
        pytest.param([POD["name"]], {}, "name, component and reason are needed", id="mere names"),
        pytest.param([POD], ["cli"], "name, component and reason are needed", id="no pools"),
    ],
)
def test_what_cannot_be_told(images: t.Any, by_pool: t.Any, message: str) -> None:
    with pytest.raises(AnsibleFilterError, match=message):
        host_images(images, ["worker"], by_pool)
