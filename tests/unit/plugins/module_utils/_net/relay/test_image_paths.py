# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Paths of the distribution protocol."""

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.image_paths import (
    BLOB,
    BOOT_IMAGE,
    MANIFEST,
    REFERRERS,
    ROOT,
    ImagePath,
    parse_image_path,
)

HEX = "0123456789abcdef" * 4
SIG = f"sha256-{HEX}.sig"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/v2/", ImagePath(ROOT)),
        ("/v2", ImagePath(ROOT)),
        (f"/v2/a/blobs/sha256:{HEX}", ImagePath(BLOB, HEX)),
        (f"/v2/openshift-release-dev/ocp-v4.0-art-dev/manifests/sha256:{HEX}", ImagePath(MANIFEST, HEX)),
        (f"/v2/a/b/c/manifests/sha256:{HEX}?ns=quay.io", ImagePath(MANIFEST, HEX)),
        (f"/v2/a__b/x--y/manifests/{SIG}", ImagePath(MANIFEST, tag=SIG)),
        ("/v2/a/manifests/latest", ImagePath(MANIFEST, tag="latest")),
        (f"/v2/a/referrers/sha256:{HEX}", ImagePath(REFERRERS, HEX)),
        ("/boot-images", ImagePath(BOOT_IMAGE)),
        ("/boot-images/", ImagePath(BOOT_IMAGE)),
        ("/boot-images/rhcos-9.8.iso?x=1", ImagePath(BOOT_IMAGE, file="rhcos-9.8.iso")),
    ],
)
def test_what_a_path_asks_for(path: str, expected: ImagePath) -> None:
    assert parse_image_path(path) == expected


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/v3/",
        "/v2/a",
        "/v2/a/tags/list",
        "/v2//manifests/latest",
        f"/v2/A/blobs/sha256:{HEX}",
        f"/v2/../blobs/sha256:{HEX}",
        f"/v2/a/blobs/sha256:{HEX.upper()}",
        f"/v2/a/blobs/sha512:{HEX}",
        f"/v2/a/blobs/sha256:{HEX[1:]}",
        f"/v2/a/blobs/{HEX}",
        f"/v2/a/referrers/{SIG}",
        "/v2/a/manifests/sha256:short",
        "/v2/a/manifests/.hidden",
        "/v2/a/manifests/" + "x" * 200,
        f"/v2/a/blobs/sha256:{HEX}/../../x",
        f"/index.json?/v2/a/blobs/sha256:{HEX}",
        "/boot-images/.hidden",
        "/boot-images/a/b",
        "/boot-images/" + "x" * 201,
    ],
)
def test_what_is_no_path_of_the_protocol(path: str) -> None:
    assert parse_image_path(path) is None
