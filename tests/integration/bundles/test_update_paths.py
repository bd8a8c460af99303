# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""One bundle with the releases of an update path, and one without what a site holds already."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import SignatureError
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.bundle_objects import bundle_objects
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.signatures.signing import sign_content
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.site_inventory import SiteInventory
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_errors import BundleError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import KIB
from ansible_collections.fieldops.openshift.tests.integration.bundles.builder import Builder, tree_digest
from ansible_collections.fieldops.openshift.tests.lab.registry.keyring import Keyring, SigningKey
from ansible_collections.fieldops.openshift.tests.lab.registry.release import Release, ReleaseFactory
from ansible_collections.fieldops.openshift.tests.lab.registry.release_signatures import SignatureStore
from ansible_collections.fieldops.openshift.tests.lab.registry.release_spec import ReleaseSpec

START, PATH = "4.18.20", ("4.18.30", "4.19.14", "4.20.3")
MOST_COST = 1.35
"""What a path of three releases may cost, in sizes of its last release, when they share 70 % of their layers."""
EVEN_COST = 1.6


EVEN = ReleaseSpec(
    PATH[0],
    components=120,
    base_layers=(70 * KIB, 20 * KIB, 10 * KIB, 5 * KIB),
    own_layers=(80 * KIB,),
    os_layers=(600 * KIB,),
    compressible=0.1,
)
"""In thousandths of real sizes (185 images, 16 GB): four base layers for all images, and 80 MB of its own in each."""


def three_releases(factory: ReleaseFactory, first: ReleaseSpec) -> Mapping[str, Release]:
    """Generate the releases of the path. From one to the next, 28 % of the images are rebuilt on the same bases."""
    keeps = len(first.base_layers)
    second = first.next_z_stream(PATH[1], share=0.28, keeps=keeps)
    third = second.next_z_stream(PATH[2], share=0.28, keeps=keeps)
    return {spec.version: factory.release(spec) for spec in (first, second, third)}


@pytest.fixture(scope="module")
def releases(factory: ReleaseFactory) -> Mapping[str, Release]:
    """Three releases of 40 images: two large base layers for all images, and a small layer in each image.

    The base layers and the OS image are somewhat more than half of the bytes.
    """
    bases = (1200 * KIB, 400 * KIB)
    return three_releases(
        factory,
        ReleaseSpec(PATH[0], components=40, base_layers=bases, own_layers=(48 * KIB,), compressible=0.1),
    )


@pytest.fixture
def path(
    releases: Mapping[str, Release], builder: Builder, tmp_path: Path, keyring: Keyring, key: SigningKey
) -> Builder:
    """A builder of the path, which has a risk in its last update; the first is also possible in one jump."""
    return builder_of(releases, builder, tmp_path, keyring, key)


def builder_of(
    releases: Mapping[str, Release], builder: Builder, tmp_path: Path, keyring: Keyring, key: SigningKey
) -> Builder:
    store = SignatureStore(tmp_path / "signatures")
    for release in releases.values():
        builder.registry.publish(release)
        store.sign(keyring, key, release.reference)
    builder.settings = {
        "release": str(releases[PATH[-1]].reference),
        "version": PATH[-1],
        "update_from": [START],
        "update_graph": str(write_graph(tmp_path / "graph.json", releases)),
        "image_signatures": False,
    }
    return builder


def write_graph(file: Path, releases: Mapping[str, Release]) -> Path:
    versions = (START, *PATH)
    payloads = {version: str(release.reference.by_digest()) for version, release in releases.items()}
    start = f"quay.io/openshift-release-dev/ocp-release@sha256:{'0' * 64}"
    risk = {
        "name": "Alpha",
        "message": "It stops.",
        "url": "https://issues.example/Alpha",
        "matchingRules": [{"type": "Always"}],
    }
    document = {
        "version": 1,
        "nodes": [{"version": version, "payload": payloads.get(version, start)} for version in versions],
        "edges": [[0, 1], [1, 2]],
        "conditionalEdges": [{"edges": [{"from": PATH[1], "to": PATH[2]}], "risks": [risk]}],
    }
    file.write_text(json.dumps(document))
    return file


def test_all_releases_are_in_it_and_each_blob_once(path: Builder, releases: Mapping[str, Release]) -> None:
    built = path.build()
    index = path.index
    assert [release.version for release in index.releases] == list(PATH)
    assert {blob.digest for release in releases.values() for blob in release.blobs} <= set(index.blobs)
    assert path.folder.blob_digests() == set(index.blobs)
    assert not path.damages()
    assert len(built["signers"]) == 1
    for bundled, release in zip(index.releases, releases.values()):
        listed = {image.name.digest for image in index.images_of(bundled)}
        assert listed == {image.reference.digest for image in release.images}


def test_it_is_idempotent_without_the_graph(path: Builder) -> None:
    path.build()
    before = tree_digest(path.path)
    (path.path.parent / "graph.json").unlink()
    assert path.build()["changed"] is False
    assert tree_digest(path.path) == before


def test_its_risks_are_forecast_and_carried(path: Builder) -> None:
    forecast = path.forecast()
    assert (len(forecast["risks"]), forecast["version"]) == (1, PATH[-1])
    path.build()
    objects = bundle_objects(path.folder, path.index)
    assert [edge["risks"][0]["name"] for edge in objects["bundle"]["update_path"] if edge["risks"]] == ["Alpha"]


def test_the_cluster_gets_the_signatures_of_all_releases(path: Builder, releases: Mapping[str, Release]) -> None:
    path.build()
    config_maps = bundle_objects(path.folder, path.index)["signature_config_maps"]
    names = [f"sha256-{release.image.digest.hex}" for release in releases.values()]
    assert [one["metadata"]["name"] for one in config_maps] == names
    assert [list(one["binaryData"]) for one in config_maps] == [[f"{name}-1"] for name in names]


def test_a_release_of_the_path_that_is_not_signed_is_refused(
    path: Builder, releases: Mapping[str, Release], tmp_path: Path
) -> None:
    (folder,) = tmp_path.glob(f"signatures/sha256={releases[PATH[1]].image.digest.hex}")
    (folder / "signature-1").unlink()
    with pytest.raises(SignatureError):
        path.build()


def shares(path: Builder) -> list[float]:
    """Return which share of its layers each release has in common with the one before it."""
    index = path.index
    layers = [
        {digest for image in index.images_of(release) for digest in image.content[1:]} for release in index.releases
    ]
    return [len(before & after) / len(after) for before, after in zip(layers, layers[1:])]


def test_what_releases_share_is_paid_once(path: Builder, releases: Mapping[str, Release]) -> None:
    path.build()
    cost = path.index.size / releases[PATH[-1]].size
    assert all(0.70 <= share < 0.75 for share in shares(path)), shares(path)
    assert cost <= MOST_COST, f"{cost:.2f} times the last release"


def test_a_path_costs_the_bytes_that_are_rebuilt_whatever_their_share_of_layers(
    factory: ReleaseFactory, builder: Builder, tmp_path: Path, keyring: Keyring, key: SigningKey
) -> None:
    """Where each image brings as many bytes as any other, the same share of layers does not keep the goal."""
    releases = three_releases(factory, EVEN)
    path = builder_of(releases, builder, tmp_path, keyring, key)
    path.build()
    assert all(0.70 <= share < 0.75 for share in shares(path)), shares(path)
    once = {blob.digest: blob.size for release in releases.values() for blob in release.blobs}
    signatures = {digest for one in path.index.signatures for digest in one.blobs}
    assert {digest: blob.size for digest, blob in path.index.blobs.items() if digest not in signatures} == once
    cost = path.index.size / releases[PATH[-1]].size
    assert MOST_COST < cost < EVEN_COST, f"{cost:.2f} times the last release"


@pytest.fixture
def held(path: Builder, tmp_path: Path) -> tuple[Builder, SiteInventory]:
    """A bundle of the first release, and the inventory of nodes that hold it; one of them lacks a blob."""
    base = path.elsewhere(tmp_path / "base")
    base.settings = {"release": path.settings["release"], "image_signatures": False}
    base.build()
    blobs = frozenset(base.index.blobs)
    nodes = {"master-0": blobs, "worker-0": blobs - {min(blobs)}}
    return base, SiteInventory("2026-11-26T18:00:00Z", "", PATH[-1], (), nodes)


def test_exactly_what_every_node_has_is_left_out(
    path: Builder, held: tuple[Builder, SiteInventory], tmp_path: Path
) -> None:
    base, inventory = held
    file = tmp_path / "inventory.json"
    file.write_bytes(inventory.as_bytes())
    path.build(inventory=str(file))
    left_out = set(path.index.needed()) - set(path.index.blobs)
    assert left_out == inventory.common & {digest for image in path.index.images for digest in image.blobs()}
    assert min(base.index.blobs) in path.index.blobs
    assert not path.damages()
    objects = bundle_objects(path.folder, path.index)
    reported = {digest for image in objects["bundle"]["images"] for digest in image["left_out"]}
    assert reported == {str(digest) for digest in left_out}
    signatures = [data for one in objects["signature_config_maps"] for data in one["binaryData"].values()]
    assert len(signatures) == len(PATH)
    assert all(signatures), "signatures travel even if nodes have them"


def test_an_inventory_is_verified_where_keys_are_given(
    path: Builder, held: tuple[Builder, SiteInventory], tmp_path: Path, key: SigningKey, keyring: Keyring
) -> None:
    content = held[1].as_bytes()
    file = tmp_path / "inventory.json"
    file.write_bytes(content)
    keys = [path.trusted_key]
    with pytest.raises(SignatureError, match=r"there is no inventory\.json\.asc"):
        path.build(inventory=str(file), inventory_keys=keys)
    secret = keyring.export_secret(key, tmp_path / "secret.asc")
    signature = sign_content(content, secret, None, SystemClock())
    file.with_name("inventory.json.asc").write_bytes(signature)
    assert path.build(inventory=str(file), inventory_keys=keys)["changed"] is True
    file.write_bytes(replace(held[1], version="4.20.9").as_bytes())
    with pytest.raises(SignatureError, match="verify the inventory"):
        path.build(inventory=str(file), inventory_keys=keys)


def test_a_file_that_is_no_inventory_is_refused(path: Builder, tmp_path: Path) -> None:
    with pytest.raises(BundleError, match="there is no such file"):
        path.build(inventory=str(tmp_path / "nowhere.json"))
