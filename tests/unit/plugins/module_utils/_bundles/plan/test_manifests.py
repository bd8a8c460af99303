# Copyright (c) 2026 fieldops.openshift contributors
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
    assert instance_for(found, ARM, on="x").manifest.digest.hex[0] == "2"
    assert instance_for(found, X86, on="x").manifest.digest.hex[0] == "0"


def entry(number: int, platform: str = "", **more: t.Any) -> Json:
    """Return an entry of a list for ``os/architecture/variant``."""
    if not platform:
        return descriptor(str(number), **more)
    names = dict(zip(("os", "architecture", "variant"), platform.split("/")))
    return descriptor(str(number), platform=names, **more)


ZSTD = {"annotations": {"io.github.containers.compression.zstd": "true"}}
CHOICES: dict[str, tuple[Architecture, list[Json], int]] = {
    "arm64 by its variant": (ARM, [entry(0, "linux/arm64"), entry(1, "linux/arm64/v8")], 1),
    "arm64 without a variant": (ARM, [entry(0, "linux/arm64/v9"), entry(1, "linux/arm64")], 1),
    "amd64 above the base": (X86, [entry(0, "linux/amd64/v3"), entry(1, "linux/amd64")], 1),
    "zstd before gzip": (X86, [entry(0, "linux/amd64"), entry(1, "linux/amd64", **ZSTD)], 1),
    "the first of equals": (X86, [entry(0, "linux/amd64"), entry(1, "linux/amd64")], 0),
    "an entry without a platform comes last": (X86, [entry(0), entry(1, "linux/amd64")], 1),
    "an entry without a platform": (X86, [entry(0, "linux/arm64"), entry(1)], 1),
    "attestations of a builder": (X86, [entry(0, "unknown/unknown"), entry(1, "linux/amd64")], 1),
}


@pytest.mark.parametrize(("machine", "entries", "chosen"), CHOICES.values(), ids=CHOICES)
def test_the_instance_is_the_one_that_a_node_chooses(machine: Architecture, entries: list[Json], chosen: int) -> None:
    found = parsed({"schemaVersion": 2, "mediaType": OCI_INDEX, "manifests": entries})
    assert isinstance(found, ManifestList)
    assert instance_for(found, machine, on="x") == found.instances[chosen]


@pytest.mark.parametrize(
    ("media_type", "entries", "there"),
    [
        pytest.param(OCI_INDEX, [entry(0, "unknown/unknown")], "unknown/unknown", id="attestations alone"),
        pytest.param(OCI_INDEX, [entry(0, "linux/amd64/v1")], "linux/amd64/v1", id="a variant that no node asks for"),
        pytest.param(OCI_INDEX, [], "none", id="empty"),
        pytest.param(DOCKER_LIST, [entry(0)], "unknown", id="no platform in Docker's format"),
    ],
)
def test_an_entry_that_no_node_chooses_is_not_chosen(media_type: str, entries: list[Json], there: str) -> None:
    found = parsed({"schemaVersion": 2, "mediaType": media_type, "manifests": entries})
    assert isinstance(found, ManifestList)
    with pytest.raises(PayloadError, match=f"no instance for x86_64, only {there}"):
        instance_for(found, X86, on="x")


AMBIGUOUS: dict[str, Json] = {
    "layers in a list": {**listing(("linux", "amd64")), "layers": []},
    "config in a list": {**listing(("linux", "amd64")), "config": descriptor("c")},
    "manifests in an image": image(manifests=[]),
    "manifests in an image, in capitals": image(Manifests=[]),
    "layers in two spellings": image(Layers=[]),
    "layers of schema 1": image(fsLayers=[]),
    "history of schema 1": image(history=[]),
    "null is there as well": image(manifests=None),
    "an image that says that it is a list": image(mediaType=OCI_INDEX),
    "a list that says that it is an image": {**listing(("linux", "amd64")), "mediaType": OCI_MANIFEST},
}


@pytest.mark.parametrize("document", AMBIGUOUS.values(), ids=AMBIGUOUS)
@pytest.mark.parametrize("told", ["", OCI_MANIFEST, OCI_INDEX])
def test_what_can_be_read_in_two_ways_is_refused(document: Json, told: str) -> None:
    with pytest.raises(PayloadError, match="it is ambiguous"):
        parsed(document, told)


@pytest.mark.parametrize("told", [OCI_MANIFEST, OCI_INDEX, DOCKER_MANIFEST, DOCKER_LIST])
def test_without_a_type_of_its_own_both_kinds_together_are_refused(told: str) -> None:
    document = {**image(manifests=[]), "mediaType": None}
    with pytest.raises(PayloadError, match="it is ambiguous"):
        parsed(document, told)


def test_a_key_that_is_given_twice_is_refused() -> None:
    content = json.dumps(image()).encode()[:-1] + b',"layers":[]}'
    with pytest.raises(PayloadError, match="the key 'layers' is given twice"):
        parse_manifest(content, "", on="x")


def test_an_artifact_says_what_it_is_and_to_what_it_belongs() -> None:
    found = parsed(image(artifactType="application/x", subject=descriptor("5"), annotations={"k": "v"}))
    assert isinstance(found, ImageManifest)
    assert found.subject is not None
    assert (found.artifact_type, found.subject.hex[0], found.annotations) == ("application/x", "5", {"k": "v"})


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
        pytest.param({**listing(), "manifests": [descriptor("1")] * 1001}, "lists 1001 manifests", id="too many"),
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
