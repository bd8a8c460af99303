# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Signatures of images travel as far as registries tell of them; what a policy demands must be there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import SignatureError
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.bundle_request import BundleRequest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.tests.integration.bundles.artifacts import Artifacts, Published
from ansible_collections.fieldops.openshift.tests.integration.bundles.builder import Builder
from ansible_collections.fieldops.openshift.tests.lab.registry import faults
from ansible_collections.fieldops.openshift.tests.lab.registry.cosign import CosignKey, cosign_signature
from ansible_collections.fieldops.openshift.tests.lab.registry.images import OCI, descriptor
from ansible_collections.fieldops.openshift.tests.lab.registry.release import Release
from ansible_collections.fieldops.openshift.tests.lab.registry.server import Registry

AMD64 = {"os": "linux", "architecture": "amd64"}
BUNDLE = "application/vnd.dev.sigstore.bundle.v0.3+json"
POLICY = {"name": "ClusterImagePolicy edge", "scopes": ["registry.partner.example/odd"]}


@pytest.fixture
def artifacts(registry: Registry, release: Release) -> Artifacts:
    return Artifacts(release.pool, registry)


@pytest.fixture(scope="module")
def cosign_key(tmp_path_factory: pytest.TempPathFactory) -> CosignKey:
    return CosignKey.create(tmp_path_factory.mktemp("cosign"))


@pytest.fixture
def listed(artifacts: Artifacts) -> Published:
    return artifacts.listing("listed", (artifacts.image("listed"), AMD64))


def sign(artifacts: Artifacts, key: CosignKey, image: Published, digest: Digest) -> None:
    reference = image.reference.by_digest(digest)
    artifacts.registry.storage.publish(artifacts.pool, [cosign_signature(artifacts.pool, key, reference)])


def refer(artifacts: Artifacts, image: Published, digest: Digest, content: bytes) -> Published:
    """Attach a Sigstore bundle as cosign 3 does where a registry has no API for referrers."""
    subject = {"mediaType": OCI.manifest, "size": 10, "digest": str(digest)}
    name = image.reference.repository.rpartition("/")[2]
    bundle = artifacts.artifact(name, BUNDLE, content, subject=subject)
    entry = {**descriptor(OCI.manifest, bundle.manifests[0]), "artifactType": BUNDLE}
    document = {"schemaVersion": 2, "mediaType": OCI.list, "manifests": [entry]}
    referrers = artifacts.publish(name, document, bundle.blobs, bundle.manifests)
    artifacts.registry.storage.tag(image.reference.repository, f"sha256-{digest.hex}", referrers.digest)
    return bundle


def carried(builder: Builder, image: Published) -> set[tuple[str, Digest]]:
    own = {blob.digest for blob in image.manifests}
    return {(one.kind, one.image) for one in builder.index.signatures if one.image in own}


@pytest.mark.parametrize("signed", [(0,), (1,), (0, 1)], ids=["list", "instance", "list and instance"])
def test_list_and_instance_keep_their_signatures(
    builder: Builder, artifacts: Artifacts, cosign_key: CosignKey, listed: Published, signed: tuple[int, ...]
) -> None:
    digests = [listed.manifests[number].digest for number in signed]
    for digest in digests:
        sign(artifacts, cosign_key, listed, digest)
    result = builder.build(extra_images=[listed.pinned])
    assert carried(builder, listed) == {("cosign", digest) for digest in digests}
    assert result["signatures_unknown"] == []
    assert not builder.damages()


def test_a_sigstore_bundle_travels(builder: Builder, artifacts: Artifacts, listed: Published) -> None:
    bundle = refer(artifacts, listed, listed.manifests[1].digest, b'{"mediaType":"x"}')
    builder.build(extra_images=[listed.pinned])
    assert carried(builder, listed) == {("sigstore", listed.manifests[1].digest)}
    assert {blob.digest for blob in (*bundle.manifests, *bundle.blobs)} <= set(builder.index.blobs)
    assert not builder.damages()


def test_a_signature_that_cannot_be_had_is_told_and_asked_for_again(
    builder: Builder, artifacts: Artifacts, cosign_key: CosignKey, listed: Published
) -> None:
    sign(artifacts, cosign_key, listed, listed.digest)
    tag = artifacts.registry.storage.root / "docker/registry/v2/repositories/odd/listed/_manifests/tags"
    link = next(tag.glob(f"sha256-{listed.digest.hex}.sig")) / "current/link"
    signature = link.read_text().partition(":")[2]
    content = artifacts.pool.directory.joinpath(signature).read_bytes()
    artifacts.registry.storage.overwrite(type(listed.digest)(signature), b"damaged")
    result = builder.build(extra_images=[listed.pinned])
    (unknown,) = result["signatures_unknown"]
    assert unknown["image"] == listed.pinned
    assert builder.index.signatures_unknown == tuple(sorted(blob.digest for blob in listed.manifests))
    artifacts.registry.storage.overwrite(type(listed.digest)(signature), content)
    again = builder.build(extra_images=[listed.pinned])
    assert (again["changed"], again["signatures_unknown"]) == (True, [])
    assert carried(builder, listed) == {("cosign", listed.digest)}


def test_a_release_whose_signature_cannot_be_had_ends_the_build(
    builder: Builder, artifacts: Artifacts, cosign_key: CosignKey, release: Release
) -> None:
    signature = cosign_signature(release.pool, cosign_key, release.reference)
    artifacts.registry.storage.publish(release.pool, [signature])
    faults.truncate_blob(artifacts.registry.storage, signature.image.digest)
    with pytest.raises(SignatureError, match="is unknown, and it is the release image"):
        builder.build()
    assert not builder.folder.index_path.exists()


def test_a_policy_is_met_by_a_signature_of_the_instance(
    builder: Builder, artifacts: Artifacts, cosign_key: CosignKey, listed: Published
) -> None:
    for digest, said in ((None, "none was found"), (listed.digest, "only for the list")):
        if digest is not None:
            sign(artifacts, cosign_key, listed, digest)
        with pytest.raises(SignatureError, match=said):
            builder.build(extra_images=[listed.pinned], policies=[POLICY])
    sign(artifacts, cosign_key, listed, listed.manifests[1].digest)
    builder.build(extra_images=[listed.pinned], policies=[POLICY])
    assert len(carried(builder, listed)) == 2


def test_a_policy_without_signatures_is_a_contradiction(builder: Builder) -> None:
    request = builder.document(policies=[POLICY], image_signatures=False)
    with pytest.raises(InvalidInputError, match="image_signatures is false"):
        BundleRequest.from_document(request).check()


def test_what_was_left_is_asked_for_once_it_is_wanted(
    builder: Builder, artifacts: Artifacts, cosign_key: CosignKey, listed: Published
) -> None:
    sign(artifacts, cosign_key, listed, listed.digest)
    builder.build(extra_images=[listed.pinned], image_signatures=False)
    assert carried(builder, listed) == set()
    builder.build(extra_images=[listed.pinned])
    assert carried(builder, listed) == {("cosign", listed.digest)}
    builder.registry.stop()
    assert builder.build(extra_images=[listed.pinned])["changed"] is False


def test_the_index_tells_the_site_what_is_not_known(builder: Builder) -> None:
    builder.build(image_signatures=False)
    document = json.loads(Path(builder.folder.index_path).read_bytes())
    manifests = sorted({digest for image in document["images"] for digest in image["manifests"]})
    assert document["signaturesUnknown"] == manifests
