# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import json
import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import PayloadError
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.manifests import (
    ImageManifest,
    ManifestList,
    instance_for,
    parse_manifest,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.architecture import Architecture
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.media_types import (
    DOCKER_LIST,
    DOCKER_MANIFEST,
    OCI_INDEX,
    OCI_MANIFEST,
)

Json = dict[str, t.Any]
X86, ARM = (Architecture.parse(name) for name in ("x86_64", "aarch64"))


def descriptor(letter: str, **more: t.Any) -> Json:
    return {"mediaType": "application/octet-stream", "size": 10, "digest": f"sha256:{letter * 64}", **more}


def image(**changes: t.Any) -> Json:
    plain = {
        "schemaVersion": 2,
        "mediaType": OCI_MANIFEST,
        "config": descriptor("c"),
        "layers": [descriptor("1"), descriptor("2"), descriptor("1")],
    }
    return {**plain, **changes}


def listing(*platforms: tuple[str, str]) -> Json:
    entries = [
        descriptor(str(number), platform={"os": os, "architecture": machine})
        for number, (os, machine) in enumerate(platforms)
    ]
    return {"schemaVersion": 2, "mediaType": DOCKER_LIST, "manifests": entries}


def parsed(document: t.Any, told: str = "") -> ImageManifest | ManifestList:
    return parse_manifest(json.dumps(document).encode(), told, on="manifest of x")


def test_an_image_lists_config_and_layers_each_once() -> None:
    found = parsed(image())
    assert isinstance(found, ImageManifest)
    assert [blob.digest.hex[0] for blob in found.blobs] == ["c", "1", "2"]
    assert len(found.layers) == 3


@pytest.mark.parametrize("told", [OCI_MANIFEST, DOCKER_MANIFEST])
def test_what_a_manifest_does_not_say_the_registry_says(told: str) -> None:
    document = image()
    del document["mediaType"]
    assert parsed(document, told).media_type == told


def test_its_own_word_counts_more_than_the_registrys() -> None:
    assert parsed(image(), OCI_INDEX).media_type == OCI_MANIFEST


def test_the_instance_of_an_architecture_is_found() -> None:
    found = parsed(listing(("linux", "amd64"), ("windows", "arm64"), ("linux", "arm64")))
    assert isinstance(found, ManifestList)
    assert instance_for(found, ARM, on="x").digest.hex[0] == "2"
    assert instance_for(found, X86, on="x").digest.hex[0] == "0"


def test_a_missing_instance_names_those_that_there_are() -> None:
    found = parsed(listing(("linux", "arm64")))
    assert isinstance(found, ManifestList)
    with pytest.raises(PayloadError, match="no instance for x86_64, only linux/arm64"):
        instance_for(found, X86, on="x")


@pytest.mark.parametrize(
    ("document", "said"),
    [
        pytest.param([], "not a mapping", id="a list"),
        pytest.param(image(schemaVersion=1), "schemaVersion is not 2", id="schema 1"),
        pytest.param(image(schemaVersion="2"), "not a whole number", id="version as text"),
        pytest.param(image(schemaVersion=True), "not a whole number", id="version as a flag"),
        pytest.param(
            image(mediaType="application/vnd.docker.distribution.manifest.v1+prettyjws"),
            "neither",
            id="signed schema 1",
        ),
        pytest.param(image(mediaType=None), "neither an image nor a list", id="nobody says"),
        pytest.param(image(config=None), "config is missing", id="no config"),
        pytest.param(image(layers={}), "layers: a mapping is not a list", id="layers as a mapping"),
        pytest.param(image(layers=["x"]), "layers[0]: 'x' is not a mapping", id="layer as text"),
        pytest.param(image(config=descriptor("c", size=-1)), "size of -1", id="negative size"),
        pytest.param(image(config=descriptor("c", size=1 << 50)), "not possible", id="absurd size"),
        pytest.param(image(config=descriptor("c", size=1.5)), "not a whole number", id="fraction"),
        pytest.param(image(config=descriptor("c", digest="sha512:" + "0" * 128)), "sha256:", id="other algorithm"),
        pytest.param(image(config=descriptor("c", digest="sha256:" + "C" * 64)), "lower-case", id="capitals"),
        pytest.param(image(config=descriptor("c", annotations={"a": 1})), "not a string", id="annotation"),
        pytest.param(image(layers=[descriptor("1")] * 1001), "1001 layers", id="too many layers"),
        pytest.param({**listing(), "manifests": [descriptor("1")] * 101}, "lists 101 manifests", id="too many"),
    ],
)
def test_other_documents_name_the_field(document: t.Any, said: str) -> None:
    with pytest.raises(PayloadError) as caught:
        parsed(document)
    assert said in str(caught.value)
    assert "manifest of x" in caught.value.on


@pytest.mark.parametrize("content", [b"", b"\xff", b"[" * 100_000, b"{"], ids=["empty", "binary", "nested", "cut"])
def test_what_is_no_json_is_told(content: bytes) -> None:
    with pytest.raises(PayloadError, match="not JSON"):
        parse_manifest(content, OCI_MANIFEST, on="x")
