# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.release_request import (
    ReleaseRequest,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.version_state import VersionState
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

IMAGE = "quay.io/openshift-release-dev/ocp-release@sha256:" + "a" * 64
OTHER = "quay.io/openshift-release-dev/ocp-release@sha256:" + "b" * 64
MIRROR = "registry.site.example/ocp/release@sha256:" + "a" * 64


def cluster(desired: str, **request: t.Any) -> VersionState:
    return VersionState.of({"spec": {"desiredUpdate": request or None}, "status": {"desired": {"image": desired}}})


@pytest.mark.parametrize(
    "image",
    [
        pytest.param("quay.io/openshift-release-dev/ocp-release:4.21.5-x86_64", id="a tag can move"),
        pytest.param(IMAGE.replace("@", ":4.21.5@"), id="nodes hold it under the name without the tag"),
        pytest.param("quay.io/openshift-release-dev/ocp-release", id="no digest"),
    ],
)
def test_only_a_digest_is_asked_for(image: str) -> None:
    with pytest.raises(InvalidInputError, match="of the form repository@digest"):
        ReleaseRequest.of(image, "4.21.5")


def test_a_version_that_is_none_is_refused() -> None:
    with pytest.raises(InvalidInputError, match=r"4\.21 or so"):
        ReleaseRequest.of(IMAGE, "4.21 or so")


def test_a_request_takes_back_all_that_an_earlier_one_said() -> None:
    request = ReleaseRequest.of(IMAGE, "4.21.5").as_patch()["spec"]["desiredUpdate"]
    assert request == {
        "image": IMAGE,
        "version": "4.21.5",
        "force": None,
        "architecture": None,
        "acceptRisks": None,
        "mode": None,
    }


def test_a_request_without_a_version_takes_back_an_earlier_version() -> None:
    assert ReleaseRequest.of(IMAGE, "").as_patch()["spec"]["desiredUpdate"]["version"] is None


@pytest.mark.parametrize(
    ("seen", "requested"),
    [
        pytest.param(cluster(OTHER, image=IMAGE), True, id="asked for by image"),
        pytest.param(cluster(OTHER, image=IMAGE, force=True), False, id="forced: to be asked for without"),
        pytest.param(cluster(OTHER, image=OTHER), False, id="another image"),
        pytest.param(cluster(OTHER, image=MIRROR), False, id="the same content under a name that nodes do not hold"),
        pytest.param(cluster(IMAGE, version="4.21.5"), True, id="asked for by version, and it is this image"),
        pytest.param(cluster(OTHER, version="4.21.5"), False, id="asked for by version, the image is not known yet"),
        pytest.param(cluster(IMAGE, version="4.21.6"), False, id="another version"),
        pytest.param(cluster(IMAGE), True, id="it is there and nobody asked for another"),
        pytest.param(cluster(OTHER), False, id="nobody asked"),
    ],
)
def test_whether_the_cluster_has_been_asked(seen: VersionState, requested: bool) -> None:
    assert ReleaseRequest.of(IMAGE, "4.21.5").is_requested(seen) is requested


def test_a_release_without_a_version_is_called_by_its_digest() -> None:
    assert ReleaseRequest.of(IMAGE, "").name == "the release sha256:aaaaaaaaaaaa"
