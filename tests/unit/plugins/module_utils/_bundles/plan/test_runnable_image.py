# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import json
import typing as t
from dataclasses import replace

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import PayloadError
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.gathered import GatheredImage
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.manifests import Descriptor, Platform
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.runnable_image import (
    LARGEST_CONFIG,
    RefusedImage,
    config_problem,
    manifest_problem,
    refusal,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.architecture import Architecture
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference

X86, ARM, POWER = (Architecture.parse(name) for name in ("x86_64", "aarch64", "ppc64le"))
OCI_CONFIG, DOCKER_CONFIG = "application/vnd.oci.image.config.v1+json", "application/vnd.docker.container.image.v1+json"
LAYER = "application/vnd.oci.image.layer.v1.tar+gzip"


def digest(letter: str) -> Digest:
    return Digest(letter * 64)


def image(config_type: str = OCI_CONFIG, layer: str = LAYER, size: int = 10, **changes: t.Any) -> GatheredImage:
    """Return an image with two layers, the second one of type ``layer``."""
    layers = (Descriptor(digest("1"), 10, LAYER), Descriptor(digest("2"), 10, layer))
    config = Descriptor(digest("c"), size, config_type)
    name = ImageReference("quay.io", "a/b", digest=digest("a"))
    manifest = Descriptor(digest("a"), 10, "application/vnd.oci.image.manifest.v1+json")
    plain = GatheredImage(name, "extra", None, None, (manifest,), (config, *layers), layers)
    return replace(plain, **changes)


def config(**changes: t.Any) -> bytes:
    rootfs = {"type": "layers", "diff_ids": [f"sha256:{'d' * 64}", f"sha256:{'e' * 64}"]}
    document = {"os": "linux", "architecture": "amd64", "rootfs": rootfs, **changes}
    return json.dumps({key: value for key, value in document.items() if value is not None}).encode()


@pytest.mark.parametrize("config_type", [OCI_CONFIG, DOCKER_CONFIG])
@pytest.mark.parametrize(
    "layer",
    [
        "application/vnd.oci.image.layer.v1.tar",
        "application/vnd.oci.image.layer.v1.tar+gzip",
        "application/vnd.oci.image.layer.v1.tar+zstd",
        "application/vnd.docker.image.rootfs.diff.tar",
        "application/vnd.docker.image.rootfs.diff.tar.gzip",
    ],
)
def test_a_manifest_of_an_image_is_accepted(config_type: str, layer: str) -> None:
    assert manifest_problem(image(config_type, layer)) == ""


MANIFESTS: dict[str, tuple[GatheredImage, str]] = {
    "chart": (image("application/vnd.cncf.helm.config.v1+json"), "it is not an image: its config is of type"),
    "artifact": (image("application/vnd.oci.empty.v1+json"), "it is not an image: its config is of type"),
    "signature": (image(layer="application/vnd.dev.cosign.simplesigning.v1+json"), "a node cannot unpack its layer"),
    "attestation": (image(layer="application/vnd.in-toto+json"), "a node cannot unpack its layer"),
    "encrypted": (image(layer="application/vnd.oci.image.layer.v1.tar+gzip+encrypted"), "a node cannot unpack"),
    "foreign": (
        image(layer="application/vnd.docker.image.rootfs.foreign.diff.tar.gzip"),
        f"the bytes of its layer sha256:{'2' * 64} are not in its registry",
    ),
    "nondistributable": (
        image(layer="application/vnd.oci.image.layer.nondistributable.v1.tar+gzip"),
        "are not in its registry",
    ),
    "large config": (image(size=LARGEST_CONFIG + 1), f"its config has {LARGEST_CONFIG + 1} bytes"),
}


@pytest.mark.parametrize(("wrong", "said"), MANIFESTS.values(), ids=MANIFESTS)
def test_what_is_no_image_is_told_by_its_manifest(wrong: GatheredImage, said: str) -> None:
    assert said in manifest_problem(wrong)


@pytest.mark.parametrize(
    ("machine", "changes"),
    [
        pytest.param(X86, {}, id="amd64"),
        pytest.param(X86, {"variant": "v1"}, id="amd64 v1"),
        pytest.param(ARM, {"architecture": "arm64"}, id="arm64"),
        pytest.param(ARM, {"architecture": "arm64", "variant": "v8"}, id="arm64 v8"),
        pytest.param(POWER, {"architecture": "ppc64le"}, id="ppc64le"),
    ],
)
def test_a_config_for_the_machine_is_accepted(machine: Architecture, changes: dict[str, str]) -> None:
    assert config_problem(image(), config(**changes), machine) == ""


CONFIGS: dict[str, tuple[dict[str, t.Any], str]] = {
    "other machine": ({"architecture": "arm64"}, "it is built for 'linux/arm64', not for 'linux/amd64'"),
    "windows": ({"os": "windows"}, "it is built for 'windows/amd64', not for 'linux/amd64'"),
    "newer processors": ({"variant": "v3"}, "it is built for 'linux/amd64/v3', not for 'linux/amd64'"),
    "no architecture": ({"architecture": None}, "architecture is missing"),
    "no system": ({"os": None}, "os is missing"),
    "no root file system": ({"rootfs": None}, "rootfs is missing"),
    "other root file system": ({"rootfs": {"type": "x", "diff_ids": []}}, "of type 'x', not 'layers'"),
    "fewer layers": ({"rootfs": {"type": "layers", "diff_ids": []}}, "its manifest has 2 layers, its config 0"),
    "no digests": ({"rootfs": {"type": "layers", "diff_ids": ["x"]}}, "rootfs.diff_ids[0]"),
}


@pytest.mark.parametrize(("changes", "said"), CONFIGS.values(), ids=CONFIGS)
def test_a_config_that_no_node_can_use_is_told(changes: dict[str, t.Any], said: str) -> None:
    assert said in config_problem(image(), config(**changes), X86)


@pytest.mark.parametrize("content", [b"", b"{}", b"{}" * 2, b'{"os":"linux","os":"linux"}'])
def test_a_config_that_cannot_be_read_is_told(content: bytes) -> None:
    assert config_problem(image(), content, X86).startswith(f"config of quay.io/a/b@sha256:{'a' * 64}")


@pytest.mark.parametrize(
    ("listed", "changes", "said"),
    [
        pytest.param(Platform("amd64", "linux"), {}, "", id="agreeing"),
        pytest.param(Platform("arm64", "linux", "v8"), {"architecture": "arm64"}, "", id="variant told once"),
        pytest.param(Platform("amd64", "linux"), {"architecture": "arm64"}, "built for 'linux/arm64'", id="lying"),
        pytest.param(Platform("amd64", "linux"), {"variant": "v1"}, "", id="variant of the config alone"),
        pytest.param(
            Platform("amd64", "windows"), {}, "list says that it is built for 'windows/amd64'", id="lying the other way"
        ),
        pytest.param(None, {}, "", id="a list that says nothing"),
    ],
)
def test_a_list_must_not_contradict_the_config(listed: Platform | None, changes: dict[str, str], said: str) -> None:
    machine = ARM if changes.get("architecture") == "arm64" and listed and listed.architecture == "arm64" else X86
    problem = config_problem(image(platform=listed), config(**changes), machine)
    assert said in problem
    assert bool(problem) == bool(said)


@pytest.mark.parametrize(
    ("reason", "component", "words"),
    [
        ("release", None, "release image"),
        ("component", "etcd", "component etcd"),
        ("os_image", "rhel-coreos", "OS image rhel-coreos"),
        ("extra", None, "extra image"),
        ("catalog", None, "catalog"),
        ("operator", "odf", "operator odf"),
    ],
)
def test_a_refusal_names_image_and_reason(reason: str, component: str | None, words: str) -> None:
    refused = RefusedImage(image(reason=reason, component=component), "it is not an image")
    error = refusal([refused], X86)
    assert isinstance(error, PayloadError)
    assert (
        f"1 image cannot run on these nodes: quay.io/a/b@sha256:{'a' * 64} ({words}): it is not an image" in error.seen
    )
    assert error.partial["refused_images"] == [refused.as_data()]


def test_a_refusal_names_twenty_and_counts_the_rest() -> None:
    error = refusal([RefusedImage(image(), "it is not an image")] * 23, X86)
    assert error.seen.startswith("23 images cannot run on these nodes")
    assert error.seen.count("it is not an image") == 20
    assert error.seen.endswith("and 3 more")
    assert len(error.partial["refused_images"]) == 23
