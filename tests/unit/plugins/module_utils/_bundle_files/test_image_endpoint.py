# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The images of bundles as a registry would serve them."""

from __future__ import annotations

import json
import os
import typing as t
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.blob_proofs import (
    RENEWED_SECONDS,
    BlobProofs,
    read_proofs,
    write_proofs,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import BundleFolder
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.image_endpoint import ImageEndpoint
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.bundle_endpoint import BundleEndpoint
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import (
    BundledImage,
    BundledSignature,
    BundleIndex,
    blobs_by_digest,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.media_types import OCI_INDEX, OCI_MANIFEST
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._net.relay.sample_bundle import (
    CONFIG,
    LAYER,
    MANIFEST,
    blob_of,
    digest_of,
    index_of,
)
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils.conftest import FakeClock

SIGNATURE = json.dumps(
    {
        "mediaType": OCI_MANIFEST,
        "config": {"mediaType": "application/vnd.oci.image.config.v1+json"},
        "annotations": {"made": "by cosign"},
    }
).encode()
PAYLOAD = b"payload"
MANIFEST_PATH = f"/v2/example/release/manifests/{digest_of(MANIFEST)}"
LAYER_PATH = f"/v2/example/release/blobs/{digest_of(LAYER)}"
TAG_PATH = f"/v2/example/release/manifests/sha256-{digest_of(MANIFEST).hex}.sig"
REFERRERS_PATH = f"/v2/example/release/referrers/{digest_of(MANIFEST)}"


class Bundle:
    """A folder with a bundle of one image and its signature, and a source that serves it."""

    def __init__(self, path: Path) -> None:
        self.clock = FakeClock()
        self.folder = BundleFolder(path)
        self.index = signed(index_of(LAYER))
        written(path, self.index, MANIFEST, CONFIG, LAYER, SIGNATURE, PAYLOAD)

    def blob(self, content: bytes) -> Path:
        return self.folder.blob(digest_of(content))

    def open(self) -> ImageEndpoint:
        endpoint = BundleEndpoint(self.folder.path, self.index.digest)
        self.proofs = BlobProofs(self.clock, read_proofs(self.folder))
        return ImageEndpoint([endpoint], self.proofs)


def signed(index: BundleIndex) -> BundleIndex:
    signature = BundledSignature("cosign", digest_of(MANIFEST), (digest_of(SIGNATURE), digest_of(PAYLOAD)))
    blobs = blobs_by_digest(*index.blobs.values(), blob_of(SIGNATURE), blob_of(PAYLOAD))
    return replace(index, signatures=(signature,), blobs=blobs)


def written(path: Path, index: BundleIndex, *contents: bytes) -> None:
    (path / "blobs/sha256").mkdir(parents=True)
    for content in contents:
        (path / "blobs/sha256" / digest_of(content).hex).write_bytes(content)
    (path / "index.json").write_bytes(index.as_bytes())


def read(endpoint: ImageEndpoint, path: str) -> bytes:
    entity = endpoint.find(path)
    assert entity is not None
    with endpoint.open(path) as body:
        content = bytearray(entity.size)
        assert body.read_into(memoryview(content), 0) == entity.size
        return bytes(content)


@pytest.fixture
def bundle(tmp_path: Path) -> Bundle:
    return Bundle(tmp_path / "bundle")


@pytest.mark.parametrize(
    ("path", "media_type", "content"),
    [
        pytest.param("/v2/", "application/json", b"{}", id="root"),
        pytest.param(MANIFEST_PATH, OCI_MANIFEST, MANIFEST, id="a manifest that does not say its type"),
        pytest.param(TAG_PATH, OCI_MANIFEST, SIGNATURE, id="the tag of a signature"),
        pytest.param(LAYER_PATH, "application/octet-stream", LAYER, id="a blob"),
        pytest.param(
            LAYER_PATH.replace("example/release", "any/name"), "application/octet-stream", LAYER, id="in any repository"
        ),
    ],
)
def test_what_is_served(bundle: Bundle, path: str, media_type: str, content: bytes) -> None:
    endpoint = bundle.open()
    entity = endpoint.find(path)
    assert entity is not None
    assert (entity.tag, entity.size, entity.media_type) == (str(digest_of(content)), len(content), media_type)
    assert read(endpoint, path) == content


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(MANIFEST_PATH.replace("sha256:", "sha256:0")[:-1], id="another digest"),
        pytest.param(f"/v2/a/manifests/{digest_of(LAYER)}", id="a layer as a manifest"),
        pytest.param("/v2/a/manifests/latest", id="a tag"),
        pytest.param("/index.json", id="the index"),
        pytest.param(TAG_PATH.replace(".sig", ".att"), id="an attestation that is not there"),
    ],
)
def test_what_is_not_served(bundle: Bundle, path: str) -> None:
    assert bundle.open().find(path) is None


def test_referrers_are_what_is_attached(bundle: Bundle) -> None:
    endpoint = bundle.open()
    (entry,) = json.loads(read(endpoint, REFERRERS_PATH))["manifests"]
    assert entry == {
        "mediaType": OCI_MANIFEST,
        "digest": str(digest_of(SIGNATURE)),
        "size": len(SIGNATURE),
        "artifactType": "application/vnd.oci.image.config.v1+json",
        "annotations": {"made": "by cosign"},
    }
    nothing = json.loads(read(endpoint, REFERRERS_PATH.replace("sha256:", "sha256:0")[:-1]))
    assert (nothing["mediaType"], nothing["manifests"]) == (OCI_INDEX, [])


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda path: path.unlink(), id="absent"),
        pytest.param(lambda path: path.rename(path.with_name(f"{path.name}.part")), id="half staged"),
        pytest.param(lambda path: path.write_bytes(LAYER[:-1]), id="too short"),
        pytest.param(lambda path: path.write_bytes(LAYER[:-1] + b"?"), id="one byte altered"),
    ],
)
@pytest.mark.parametrize("recorded", [True, False], ids=["recorded", "not recorded"])
def test_a_manifest_is_not_there_while_a_blob_is_not(
    bundle: Bundle, spoil: Callable[[Path], object], recorded: bool
) -> None:
    if recorded:
        write_proofs(bundle.folder, bundle.index.blobs, {})
    os.utime(bundle.blob(LAYER), ns=(1, 1))
    spoil(bundle.blob(LAYER))
    endpoint = bundle.open()
    assert endpoint.find(MANIFEST_PATH) is None
    assert endpoint.find(LAYER_PATH) is None
    assert endpoint.find(TAG_PATH) is not None, "what is whole is served"


def test_a_blob_that_arrives_brings_its_manifest(bundle: Bundle) -> None:
    part = bundle.blob(LAYER).with_suffix(".part")
    bundle.blob(LAYER).rename(part)
    endpoint = bundle.open()
    assert endpoint.find(MANIFEST_PATH) is None
    part.rename(bundle.blob(LAYER))
    assert endpoint.find(MANIFEST_PATH) is not None


def test_a_record_spares_reading(bundle: Bundle) -> None:
    write_proofs(bundle.folder, bundle.index.blobs, {})
    seen = bundle.blob(LAYER).stat()
    bundle.blob(LAYER).write_bytes(LAYER[:-1] + b"?")
    os.utime(bundle.blob(LAYER), ns=(seen.st_atime_ns, seen.st_mtime_ns))
    assert bundle.open().find(MANIFEST_PATH) is not None, "a disk that lies about time is met below"


def test_what_a_client_asks_for_again_is_read_again(bundle: Bundle) -> None:
    """A client that found the bytes wrong comes back; nothing on the disk says that they rotted."""
    write_proofs(bundle.folder, bundle.index.blobs, {})
    endpoint = bundle.open()
    assert read(endpoint, LAYER_PATH) == LAYER
    seen = bundle.blob(LAYER).stat()
    bundle.blob(LAYER).write_bytes(LAYER[:-1] + b"?")
    os.utime(bundle.blob(LAYER), ns=(seen.st_atime_ns, seen.st_mtime_ns))
    assert endpoint.find(MANIFEST_PATH) is not None
    assert read(endpoint, LAYER_PATH) != LAYER
    bundle.clock.advance(RENEWED_SECONDS + 1)
    assert endpoint.find(MANIFEST_PATH) is None
    assert endpoint.find(LAYER_PATH) is None
    assert bundle.proofs.damaged == (digest_of(LAYER).hex,)


@pytest.mark.parametrize(
    "record",
    ["", "[]", '{"files": 3}', '{"files": {"x": "y"}}', "{" * 5000],
    ids=["empty", "a list", "no files", "no numbers", "deep"],
)
def test_a_damaged_record_only_costs_reading(bundle: Bundle, record: str) -> None:
    (bundle.folder.path / "proofs.json").write_text(record)
    assert read_proofs(bundle.folder) == {}
    assert bundle.open().find(MANIFEST_PATH) is not None


def test_a_delta_is_served_with_its_base_and_not_without(tmp_path: Path) -> None:
    base = index_of(LAYER)
    delta = replace(base, serial=2, base=base.digest, blobs=blobs_by_digest(blob_of(MANIFEST), blob_of(CONFIG)))
    written(tmp_path / "base", base, LAYER)
    written(tmp_path / "delta", delta, MANIFEST, CONFIG)
    shelves = [BundleEndpoint(tmp_path / "delta", delta.digest)]
    assert ImageEndpoint(shelves, BlobProofs(FakeClock(), {})).find(MANIFEST_PATH) is None
    shelves.append(BundleEndpoint(tmp_path / "base", base.digest))
    assert ImageEndpoint(shelves, BlobProofs(FakeClock(), {})).find(MANIFEST_PATH) is not None


def test_of_two_bundles_with_an_image_either_serves_it(tmp_path: Path) -> None:
    one, two = index_of(LAYER), replace(index_of(LAYER), serial=2)
    for name, index in (("one", one), ("two", two)):
        written(tmp_path / name, index, MANIFEST, CONFIG, LAYER)
    endpoint = ImageEndpoint(
        [BundleEndpoint(tmp_path / "one", one.digest), BundleEndpoint(tmp_path / "two", two.digest)],
        BlobProofs(FakeClock(), {}),
    )
    assert read(endpoint, LAYER_PATH) == LAYER
    (tmp_path / "one/blobs/sha256" / digest_of(LAYER).hex).unlink()
    assert read(endpoint, MANIFEST_PATH) == MANIFEST
    assert read(endpoint, LAYER_PATH) == LAYER


ISO, OVA, EMPTY = b"live image" * 1000, b"template" * 1000, b"{}"
TITLE = "org.opencontainers.image.title"


def artifact(**changes: t.Any) -> bytes:
    """Return the manifest of a platform's boot images; ``LAYER`` is named by it and no part of the image."""
    files = {"rhcos-9.8.iso": ISO, "rhcos-9.8.ova": OVA, "other": LAYER}
    layers = [{"digest": str(digest_of(content)), "annotations": {TITLE: name}} for name, content in files.items()]
    document = {"artifactType": "application/vnd.fieldops.boot-images.v1", "layers": layers}
    return json.dumps({**document, **changes}).encode()


def carrying(path: Path, manifest: bytes, *contents: bytes) -> ImageEndpoint:
    """Return what serves a bundle with boot images of which ``contents`` are there."""
    whole = index_of(LAYER)
    image = BundledImage(
        ImageReference.parse(f"boot-images.fieldops.invalid/metal@{digest_of(manifest)}"),
        "file",
        None,
        (digest_of(manifest),),
        tuple(map(digest_of, (EMPTY, ISO, OVA))),
    )
    made = map(blob_of, (manifest, EMPTY, ISO, OVA))
    index = replace(whole, images=(*whole.images, image), blobs=blobs_by_digest(*whole.blobs.values(), *made))
    written(path, index, manifest, *contents)
    return ImageEndpoint([BundleEndpoint(path, index.digest)], BlobProofs(FakeClock(), {}))


def test_boot_images_are_served_by_the_names_of_their_files(tmp_path: Path) -> None:
    endpoint = carrying(tmp_path / "bundle", artifact(), ISO, OVA, LAYER)
    assert read(endpoint, "/boot-images/rhcos-9.8.iso") == ISO
    listed = json.loads(read(endpoint, "/boot-images/"))["files"]
    iso = {"name": "rhcos-9.8.iso", "digest": str(digest_of(ISO)), "size": len(ISO)}
    assert listed == [iso, {"name": "rhcos-9.8.ova", "digest": str(digest_of(OVA)), "size": len(OVA)}]
    assert [endpoint.find(f"/boot-images/{name}") for name in ("other", "rhcos-9.9.iso")] == [None, None]


def test_a_boot_image_that_is_not_here_or_damaged_is_not_served(tmp_path: Path) -> None:
    endpoint = carrying(tmp_path / "bundle", artifact(), ISO[:-1] + b"?")
    assert json.loads(read(endpoint, "/boot-images"))["files"] == []
    assert [endpoint.find(f"/boot-images/rhcos-9.8.{end}") for end in ("iso", "ova")] == [None, None]


@pytest.mark.parametrize(
    "manifest",
    [artifact(artifactType="of another"), artifact(layers=[{}]), artifact(layers=5), b"{", b"[]"],
    ids=["another type", "no names", "no layers", "not JSON", "a list"],
)
def test_a_manifest_of_another_form_names_no_boot_images(tmp_path: Path, manifest: bytes) -> None:
    endpoint = carrying(tmp_path / "bundle", manifest, ISO, OVA)
    assert json.loads(read(endpoint, "/boot-images"))["files"] == []


def test_a_bundle_without_boot_images_lists_none(bundle: Bundle) -> None:
    assert json.loads(read(bundle.open(), "/boot-images")) == {"files": []}


def test_a_blob_that_vanished_is_an_error_of_the_moment(bundle: Bundle) -> None:
    endpoint = bundle.open()
    assert endpoint.find(LAYER_PATH) is not None
    bundle.blob(LAYER).unlink()
    with pytest.raises(FileNotFoundError), endpoint.open(LAYER_PATH):
        pass
