# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""How daemons of several releases find the next OS image."""

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.os_image_lookup import (
    OsImageLookup,
)


@pytest.mark.parametrize(
    ("version", "lookup"),
    [
        ("4.14.3", OsImageLookup.REGISTRY),
        ("4.16.40", OsImageLookup.REGISTRY),
        ("4.18.0", OsImageLookup.REGISTRY),
        ("4.19.11", OsImageLookup.REGISTRY),
        ("4.19.12", OsImageLookup.PINNED_IMAGE_SET),
        ("4.20.0-rc.1", OsImageLookup.PINNED_IMAGE_SET),
        ("4.20.0", OsImageLookup.PINNED_IMAGE_SET),
        ("4.22.1", OsImageLookup.PINNED_IMAGE_SET),
        ("4.23.0-ec.1", OsImageLookup.CONTAINER_STORAGE),
        ("5.0.0", OsImageLookup.CONTAINER_STORAGE),
        ("latest", OsImageLookup.REGISTRY),
    ],
)
def test_where_a_daemon_looks(version: str, lookup: OsImageLookup) -> None:
    assert OsImageLookup.of(version) is lookup
