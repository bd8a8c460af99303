# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import json
import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import PayloadError
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.release_payload import (
    Component,
    parse_payload,
    parse_references,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference

DIGEST = "sha256:" + "a" * 64
ART = "quay.io/openshift-release-dev/ocp-v4.0-art-dev"
Json = dict[str, t.Any]


def tag(name: str, image: str = f"{ART}@{DIGEST}", kind: str = "DockerImage") -> Json:
    return {"name": name, "from": {"kind": kind, "name": image}}


def references(*tags: Json, **changes: t.Any) -> bytes:
    document = {
        "kind": "ImageStream",
        "apiVersion": "image.openshift.io/v1",
        "metadata": {"name": "4.21.3"},
        "spec": {"tags": list(tags) or [tag("etcd"), tag("cli")]},
    }
    return json.dumps({**document, **changes}).encode()


def metadata(**changes: t.Any) -> bytes:
    plain = {"kind": "cincinnati-metadata-v0", "version": "4.21.3", "previous": ["4.21.2", "4.20.9"], "next": []}
    return json.dumps({**plain, **changes}).encode()


def test_components_come_in_order_and_the_history_is_kept() -> None:
    payload = parse_payload(references(), metadata(), on="release")
    assert payload.version == "4.21.3"
    assert [component.name for component in payload.components] == ["cli", "etcd"]
    assert payload.previous == ("4.21.2", "4.20.9")


def test_a_release_without_history_has_none() -> None:
    assert parse_payload(references(), metadata(previous=None), on="release").previous == ()


def test_a_tag_beside_the_digest_is_dropped() -> None:
    _version, (component,) = parse_references(references(tag("etcd", f"{ART}:4.21@{DIGEST}")), on="x")
    assert str(component.image) == f"{ART}@{DIGEST}"


@pytest.mark.parametrize(
    ("name", "is_os"),
    [
        ("rhel-coreos", True),
        ("rhel-coreos-8", True),
        ("rhel-coreos-extensions", True),
        ("rhel-coreos-10-extensions", True),
        ("stream-coreos", True),
        ("fedora-coreos", True),
        ("machine-os-content", True),
        ("machine-os-images", False),
        ("coredns", False),
        ("etcd", False),
    ],
)
def test_os_images_go_by_their_names(name: str, is_os: bool) -> None:
    assert Component(name, ImageReference.parse(f"{ART}@{DIGEST}")).is_os_image is is_os


@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param(references(kind="List"), "ImageStream", id="kind"),
        pytest.param(references(apiVersion="v1"), "ImageStream", id="API version"),
        pytest.param(references(spec={"tags": []}), "0 tags", id="empty"),
        pytest.param(references(spec={"tags": [tag("a")] * 2001}), "2001 tags", id="too many"),
        pytest.param(references(tag("etcd"), tag("etcd")), "listed twice", id="twice"),
        pytest.param(references(tag("../../etc")), "characters that are not allowed in a tag", id="path"),
        pytest.param(references(tag("etcd", kind="ImageStreamTag")), "not a DockerImage", id="other source"),
        pytest.param(references(tag("etcd", f"{ART}:4.21")), "not named by digest", id="tag"),
        pytest.param(references(tag("etcd", "etcd@" + DIGEST)), "registry host", id="unqualified"),
        pytest.param(references(metadata={"name": "4.21; rm"}), "not a version", id="version"),
        pytest.param(references(metadata={}), "name is missing", id="no version"),
    ],
)
def test_image_references_that_cannot_be_right_are_refused(content: bytes, said: str) -> None:
    with pytest.raises(PayloadError, match=said):
        parse_references(content, on="image-references")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"kind": "x"}, "its kind is 'x'"),
        ({"version": "4.21.4"}, "that of image-references '4.21.3'"),
        ({"previous": "4.21.2"}, "not a list"),
        ({"previous": ["../4"]}, "not a version"),
    ],
)
def test_metadata_that_cannot_be_right_is_refused(changes: Json, said: str) -> None:
    with pytest.raises(PayloadError, match=said):
        parse_payload(references(), metadata(**changes), on="release")
