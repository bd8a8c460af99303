# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What crictl lists."""

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.runtime_images import (
    RuntimeImages,
    used_names,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

# As crictl 1.34 prints it, shortened.
LISTED = {
    "images": [
        {"id": "c4c1", "repoTags": [], "repoDigests": ["quay.io/a/b@sha256:1", "quay.io/a/b@sha256:2"], "pinned": True},
        {"id": "d5d2", "repoTags": ["registry.example/app:1"], "repoDigests": [], "pinned": False, "size": "123"},
        {"id": "e6e3", "repoTags": None, "repoDigests": None},
    ]
}
IMAGES = RuntimeImages.of(LISTED)


def test_every_name_of_an_image_counts() -> None:
    assert IMAGES.pinned == {
        "quay.io/a/b@sha256:1": True,
        "quay.io/a/b@sha256:2": True,
        "registry.example/app:1": False,
    }


def test_lacking_and_unpinned_keep_the_order() -> None:
    asked = ("z", "registry.example/app:1", "quay.io/a/b@sha256:2")
    assert IMAGES.lacking(asked) == ("z",)
    assert IMAGES.unpinned(asked) == ("registry.example/app:1",)


def test_no_images_at_all() -> None:
    assert RuntimeImages.of({}).lacking(["a"]) == ("a",)


def test_an_image_is_in_use_by_every_name_that_a_container_has_for_it() -> None:
    listed = {"containers": [{"imageRef": "quay.io/a/b@sha256:1", "imageId": "c4c1", "image": {"image": "d5d2"}}, {}]}
    assert used_names(listed) == {"quay.io/a/b@sha256:1", "c4c1", "d5d2"}


@pytest.mark.parametrize("listed", [None, [], {"images": {}}, {"images": [None]}, {"images": [{"repoTags": [5]}]}])
def test_another_form_is_refused(listed: object) -> None:
    with pytest.raises(InvalidInputError, match="images that crictl lists"):
        RuntimeImages.of(listed)
