# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Requests, sentences, reports and lists: what people write and read."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import PayloadError
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.bundle_report import (
    bundle_report,
    comparison,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.bundle_request import (
    BundleRequest,
    MirrorOption,
    RegistryOptions,
    listed_images,
    release_name,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.gathered import (
    GatheredImage,
    blobs_of,
    distinct,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.manifests import Descriptor
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._terms.bundle_samples import (
    digest,
    sample_index,
)

REQUEST = BundleRequest(release="quay.io/a/b:4.21.3-x86_64", architecture="x86_64")


class TestRequests:
    def test_a_request_survives_the_way_to_the_job(self) -> None:
        mirrors = (MirrorOption("quay.io", ("mirror.example",), insecure=True),)
        request = BundleRequest(
            release="quay.io/a/b:1",
            architecture="aarch64",
            extra_images=("quay.io/c/d:2",),
            registry=RegistryOptions(pull_secret="/secret", mirrors=mirrors),
        )
        document = request.as_document()
        assert BundleRequest.from_document(document) == request

    def test_a_version_is_the_image_that_red_hat_publishes(self) -> None:
        assert release_name("4.20.1", ["arm64"]) == "quay.io/openshift-release-dev/ocp-release:4.20.1-aarch64"
        several = release_name("4.20.1", ["x86_64", "aarch64"])
        assert several == "quay.io/openshift-release-dev/ocp-release:4.20.1-multi"

    @pytest.mark.parametrize(
        ("changes", "said"),
        [
            ({"release": "quay.io/a/b"}, "neither a tag nor a digest"),
            ({"release": "ocp-release:4"}, "registry host"),
            ({"architecture": "multi"}, "no release"),
            ({"extra_images": ("busybox",)}, "registry host"),
            ({"platforms": ("mars",)}, "mars is unknown"),
        ],
    )
    def test_mistakes_are_told_before_anything_is_asked(self, changes: dict[str, t.Any], said: str) -> None:
        with pytest.raises(InvalidInputError, match=said):
            BundleRequest(**{"release": REQUEST.release, "architecture": "x86_64", **changes}).check()

    def test_a_list_of_images_may_have_comments(self) -> None:
        text = "# ours\nquay.io/a/b:1\n\n  quay.io/c/d:2  # the gateway\n"
        assert listed_images(text) == ("quay.io/a/b:1", "quay.io/c/d:2")


class TestReports:
    def test_a_bundle_is_told_with_its_images(self) -> None:
        index = sample_index()
        report = bundle_report(index, "/mnt/disk", signed=True)
        assert (report["index_digest"], report["blobs"], report["signed"]) == (str(index.digest), 8, True)
        etcd = report["images"][1]
        assert (etcd["component"], etcd["size"]) == ("etcd", 700 + 300 + 4096 + index.blobs[digest("large")].size)

    def test_what_is_added_to_a_base_is_told(self) -> None:
        index = sample_index()
        assert comparison(index, index)["size"] == 0
        other = sample_index(images=index.images[:1], blobs={})
        added = comparison(index, other)
        assert (added["size"], added["shared"], len(added["images"])) == (index.size, 0, 1)


class TestGathering:
    def gathered(self, name: str, reason: str, size: int = 10) -> GatheredImage:
        reference = ImageReference("quay.io", "a/b", digest=digest(name))
        manifest = Descriptor(digest(name), 5, "application/x")
        return GatheredImage(reference, reason, None, None, (manifest,), (Descriptor(digest("base"), size, "a/b"),))

    def test_an_image_that_was_asked_for_twice_travels_once_and_the_release_comes_first(self) -> None:
        images = [self.gathered("x", "extra"), self.gathered("r", "release"), self.gathered("x", "operator")]
        assert [(one.name.digest, one.reason) for one in distinct(images)] == [
            (digest("r"), "release"),
            (digest("x"), "extra"),
        ]

    def test_shared_blobs_are_there_once(self) -> None:
        assert len(blobs_of([self.gathered("x", "extra"), self.gathered("y", "extra")])) == 3

    def test_contradicting_sizes_are_refused(self) -> None:
        with pytest.raises(PayloadError, match="has 10 bytes, another says 11"):
            blobs_of([self.gathered("x", "extra"), self.gathered("y", "extra", size=11)])
