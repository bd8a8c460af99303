# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Signatures are found in every form in which registries keep them, for the list and for the instance."""

from __future__ import annotations

import json
import typing as t
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import BundleFolder
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.folder_ownership import prepare
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.transfer_progress import TransferProgress
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.build_bundle import BlobFetcher
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.image_gathering import (
    ImageGatherer,
    KnownTags,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.parallel import StopSign
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.bundle_objects import NoProgress
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.signatures.signature_gathering import (
    SignatureGatherer,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.assembly import Contents, assemble
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.gathered import (
    GatheredImage,
    ImageRequest,
    ImageSignatures,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.trust.attached_signatures import (
    SIGN_PREDICATE,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._net.http_client import HttpClient
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.registry_access import RegistrySettings
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.registry_client import RegistryClient
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.architecture import Architecture
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import BundledRelease, BundleIndex
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.media_types import (
    COSIGN_PAYLOAD,
    OCI_INDEX,
    OCI_MANIFEST,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.mirror_rules import (
    Mirror,
    MirrorRule,
    MirrorRules,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._net.certificates import (
    CertificateAuthority,
    Identity,
    server_context,
)
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._net.registry.played_registry import (
    PlayedRegistry,
    digest_of,
)
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._net.scripted_server import (
    ScriptedServer,
    reply,
)

Json = dict[str, t.Any]
REPOSITORY = "quay.io/edge/gateway"
X86 = Architecture.parse("x86_64")
BUNDLE = "application/vnd.dev.sigstore.bundle.v0.3+json"
COSIGN_ARTIFACT = "application/vnd.dev.cosign.artifact.sig.v1+json"
EMPTY = "application/vnd.oci.empty.v1+json"
ENVELOPE = "application/vnd.dsse.envelope.v1+json"
SLSA = {"dev.sigstore.bundle.predicateType": "https://slsa.dev/provenance/v1"}
SIGNED = {"dev.sigstore.bundle.predicateType": SIGN_PREDICATE}


def descriptor(content: bytes, media_type: str, **more: t.Any) -> Json:
    return {"mediaType": media_type, "size": len(content), "digest": str(digest_of(content)), **more}


class Site:
    """A registry with an image, a list over it, and whatever a test attaches to them."""

    def __init__(self, folder: Path, identity: Identity, clock: Clock) -> None:
        self.played = PlayedRegistry()
        self.server = ScriptedServer((self.played,), tls=server_context(identity))
        mirror = Mirror(f"127.0.0.1:{self.server.port}", insecure=True)
        rules = MirrorRules((MirrorRule("quay.io", "quay.io", blocked=True, mirrors=(mirror,)),))
        self.client = RegistryClient(RegistrySettings(rules=rules), clock)
        self.folder = BundleFolder(folder)
        prepare(self.folder)
        self._clock = clock
        self.instance = self.played.add_manifest(self.image("gateway"))
        entry = {"mediaType": OCI_MANIFEST, "size": 10, "digest": str(self.instance)}
        platform = {"os": "linux", "architecture": "amd64"}
        document = {"schemaVersion": 2, "mediaType": OCI_INDEX, "manifests": [{**entry, "platform": platform}]}
        self.list = self.played.add_manifest(json.dumps(document).encode())

    def image(self, name: str) -> bytes:
        document = {
            "schemaVersion": 2,
            "mediaType": OCI_MANIFEST,
            "config": descriptor(name.encode(), "application/vnd.oci.image.config.v1+json"),
            "layers": [],
        }
        return json.dumps(document).encode()

    def gatherer(self, previous: BundleIndex | None = None, *, attestations: bool = False) -> SignatureGatherer:
        deadline = Deadline(600, self._clock)
        images = ImageGatherer(
            self.folder, self.client, X86, KnownTags(), previous=previous, base=None, writes=True, deadline=deadline
        )
        progress = TransferProgress(NoProgress(), self._clock, "fetched")
        fetcher = BlobFetcher(self.folder, self.client, HttpClient(self._clock), progress, StopSign(), 4, deadline)
        return SignatureGatherer(images, fetcher, previous, attestations)

    def gathered(self, digest: Digest) -> GatheredImage:
        reference = ImageReference.parse(f"{REPOSITORY}@{digest}")
        return self.gatherer().gatherer.gather(ImageRequest(reference, "extra"))

    def signed(self, previous: BundleIndex | None = None, *, attestations: bool = False) -> ImageSignatures:
        """Return what is found for the list."""
        image = self.gathered(self.list)
        self.server.asked.clear()
        return self.gatherer(previous, attestations=attestations).gather([image])[0]

    def attach(self, kind: str, content: bytes, **more: t.Any) -> bytes:
        """Keep what is attached in the registry and return its manifest."""
        config = b"{}"
        for blob in (config, content):
            self.played.add_blob(blob)
        document = {
            "schemaVersion": 2,
            "mediaType": OCI_MANIFEST,
            "config": descriptor(config, EMPTY),
            "layers": [descriptor(content, kind)],
            **more,
        }
        manifest = json.dumps(document).encode()
        self.played.add_manifest(manifest)
        return manifest

    def tag(self, subject: Digest, suffix: str, kind: str) -> bytes:
        """Attach by tag, as cosign does."""
        manifest = self.attach(kind, f"{suffix} of {subject}".encode())
        self.played.add_manifest(manifest, f"sha256-{subject.hex}.{suffix}")
        return manifest

    def refer(
        self, subject: Digest, kind: str, told: str, *, api: bool = True, about: Digest | None = None, **more: t.Any
    ) -> bytes:
        """Attach as a referrer; ``told`` is the artifact type that the list gives, ``about`` what the manifest says."""
        said = {"mediaType": OCI_INDEX, "size": 10, "digest": str(about or subject)}
        manifest = self.attach(kind, f"{kind} for {subject} {more}".encode(), subject=said, **more)
        entry = descriptor(manifest, OCI_MANIFEST, annotations=more.get("annotations", {}))
        entry.update({"artifactType": told} if told else {})
        listed = json.dumps({"schemaVersion": 2, "mediaType": OCI_INDEX, "manifests": [entry]}).encode()
        if api:
            self.played.referrers = {**(self.played.referrers or {}), str(subject): listed}
        else:
            self.played.add_manifest(listed, f"sha256-{subject.hex}")
        return manifest

    def targets(self) -> list[str]:
        """Return what was asked for, by the last two parts of the path; those that prove who asks are left out."""
        return ["/".join(one.target.split("/")[-2:]) for one in self.server.asked if one.target != "/v2/"]


@pytest.fixture(scope="module")
def identity(tmp_path_factory: pytest.TempPathFactory) -> Identity:
    return CertificateAuthority(tmp_path_factory.mktemp("authority"), "registry-ca").identity


@pytest.fixture
def site(tmp_path: Path, identity: Identity, clock: Clock) -> Iterator[Site]:
    made = Site(tmp_path / "bundle", identity, clock)
    yield made
    made.client.__exit__()
    made.server.close()


def index_of(image: GatheredImage, found: ImageSignatures, unknown: tuple[Digest, ...] = ()) -> BundleIndex:
    """Return the index of a bundle with this image alone."""
    contents = Contents((BundledRelease("4.21.3", X86, image.name),), (image,), found.signatures, unknown)
    blobs = {digest: blob.as_blob() for digest, blob in contents.blobs.items()}
    return assemble(contents, blobs, built="2026-11-23T14:30:00Z", serial=1)


@pytest.mark.parametrize(
    "signed", [("list",), ("instance",), ("list", "instance"), ()], ids=lambda one: "+".join(one) or "none"
)
def test_list_and_instance_are_signed_apart(site: Site, signed: tuple[str, ...]) -> None:
    wanted = {getattr(site, name) for name in signed}
    for subject in wanted:
        site.tag(subject, "sig", COSIGN_PAYLOAD)
    found = site.signed()
    assert {(one.kind, one.image) for one in found.signatures} == {("cosign", subject) for subject in wanted}
    assert found.failure is None
    assert all(site.folder.read_blob(blob.digest) is not None for one in found.signatures for blob in one.blobs)


FORMS: dict[str, tuple[Callable[[Site], bytes], str]] = {
    "tag": (lambda s: s.tag(s.instance, "sig", COSIGN_PAYLOAD), "cosign"),
    "cosign's referrer": (lambda s: s.refer(s.instance, COSIGN_PAYLOAD, COSIGN_ARTIFACT), "cosign"),
    "bundle": (lambda s: s.refer(s.instance, BUNDLE, BUNDLE, annotations=SIGNED), "sigstore"),
    "bundle without annotations": (lambda s: s.refer(s.instance, BUNDLE, BUNDLE), "sigstore"),
    "bundle without the API": (lambda s: s.refer(s.instance, BUNDLE, BUNDLE, api=False), "sigstore"),
    "bundle under the type of its config": (
        lambda s: s.refer(s.instance, BUNDLE, EMPTY, annotations=SIGNED),
        "sigstore",
    ),
    "bundle of no told type": (lambda s: s.refer(s.instance, BUNDLE, "", annotations=SIGNED), "sigstore"),
}


@pytest.mark.parametrize(("attach", "kind"), FORMS.values(), ids=FORMS)
def test_a_signature_is_found_in_each_form(site: Site, attach: Callable[[Site], bytes], kind: str) -> None:
    manifest = attach(site)
    (signature,) = site.signed().signatures
    assert (signature.kind, signature.image, signature.manifest) == (kind, site.instance, manifest)
    layers = [one["digest"] for one in json.loads(manifest)["layers"]]
    expected = [str(digest_of(manifest)), *layers, str(digest_of(b"{}"))]
    assert [str(blob.digest) for blob in signature.blobs] == expected


ATTESTATIONS: dict[str, Callable[[Site], bytes]] = {
    "tag": lambda s: s.tag(s.instance, "att", ENVELOPE),
    "bundle": lambda s: s.refer(s.instance, BUNDLE, BUNDLE, annotations=SLSA),
    "bundle under the type of its config": lambda s: s.refer(s.instance, BUNDLE, EMPTY, annotations=SLSA),
    "envelope": lambda s: s.refer(s.instance, ENVELOPE, "application/vnd.in-toto+json"),
}


@pytest.mark.parametrize("attach", ATTESTATIONS.values(), ids=ATTESTATIONS)
@pytest.mark.parametrize("wanted", [False, True], ids=["left", "carried"])
def test_attestations_travel_where_they_are_wanted(site: Site, attach: Callable[[Site], bytes], wanted: bool) -> None:
    manifest = attach(site)
    found = site.signed(attestations=wanted)
    assert [(one.kind, one.manifest) for one in found.signatures] == [("attestation", manifest)] * wanted
    assert found.failure is None


OTHERS: dict[str, Callable[[Site], object]] = {
    "another type": lambda s: s.refer(s.instance, "application/spdx+json", "application/spdx+json"),
    "a signature of another kind": lambda s: s.refer(
        s.instance, "application/jose+json", "application/vnd.cncf.notary.signature"
    ),
    "a signature of something else": lambda s: s.refer(s.instance, BUNDLE, BUNDLE, about=Digest("0" * 64)),
    "an image under the tag": lambda s: s.played.add_manifest(s.image("x"), f"sha256-{s.instance.hex}.sig"),
}


@pytest.mark.parametrize("attach", OTHERS.values(), ids=OTHERS)
def test_what_is_no_signature_of_the_image_stays(site: Site, attach: Callable[[Site], object]) -> None:
    attach(site)
    found = site.signed(attestations=True)
    assert (found.signatures, found.failure) == ((), None)


FAILURES = {"401": reply(401), "403": reply(403), "429": reply(429), "500": reply(500), "no JSON": reply(200, b"{")}


@pytest.mark.parametrize("answer", FAILURES.values(), ids=FAILURES)
@pytest.mark.parametrize("path", [".sig", "/referrers/"])
def test_a_registry_that_does_not_answer_leaves_the_image_unknown(site: Site, answer: t.Any, path: str) -> None:
    site.played.referrers = {}
    if path == "/referrers/" and answer is FAILURES["no JSON"]:
        site.played.referrers = {str(site.list): b"{"}
    else:
        site.played.faults += [(path, answer)] * 50
    found = site.signed()
    assert found.failure is not None
    assert found.signatures == ()


def test_a_signature_whose_blob_is_lost_is_not_carried(site: Site) -> None:
    whole, lost = site.tag(site.list, "sig", COSIGN_PAYLOAD), site.tag(site.instance, "sig", COSIGN_PAYLOAD)
    del site.played.blobs[json.loads(lost)["layers"][0]["digest"]]
    found = site.signed()
    assert [one.manifest for one in found.signatures] == [whole]
    assert found.failure is not None
    assert json.loads(lost)["layers"][0]["digest"] in str(found.failure)


def test_too_large_a_signature_leaves_the_image_unknown(site: Site) -> None:
    manifest = json.loads(site.tag(site.list, "sig", COSIGN_PAYLOAD))
    manifest["layers"][0]["size"] = 1 << 30
    site.played.add_manifest(json.dumps(manifest).encode(), f"sha256-{site.list.hex}.sig")
    found = site.signed()
    assert found.signatures == ()
    assert "more than 16777216" in str(found.failure)


def test_a_registry_is_asked_once_for_an_api_that_it_does_not_have(site: Site) -> None:
    site.signed()
    tags = [f"manifests/sha256-{one.hex}" for one in (site.list, site.instance)]
    api = f"referrers/{site.list}"
    assert site.targets() == [f"{tags[0]}.sig", api, tags[0], f"{tags[1]}.sig", tags[1]]


def test_an_api_that_is_there_makes_its_tag_needless(site: Site) -> None:
    site.played.referrers = {}
    site.signed()
    tags = [f"manifests/sha256-{one.hex}.sig" for one in (site.list, site.instance)]
    assert site.targets() == [tags[0], f"referrers/{site.list}", tags[1], f"referrers/{site.instance}"]


@pytest.mark.parametrize("is_signed", [True, False], ids=["signed", "unsigned"])
def test_what_the_bundle_knows_is_not_asked_again(site: Site, is_signed: bool) -> None:
    if is_signed:
        site.tag(site.instance, "sig", COSIGN_PAYLOAD)
    first = site.signed()
    second = site.signed(index_of(site.gathered(site.list), first))
    assert site.targets() == []
    assert [one.image for one in second.signatures] == [one.image for one in first.signatures]


def test_what_was_not_known_is_asked_again(site: Site) -> None:
    site.played.faults += [(".sig", reply(403))]
    first = site.signed()
    site.tag(site.instance, "sig", COSIGN_PAYLOAD)
    previous = index_of(site.gathered(site.list), first, (site.list, site.instance))
    assert [one.image for one in site.signed(previous).signatures] == [site.instance]


def test_attestations_that_were_not_wanted_before_are_asked_for(site: Site) -> None:
    site.tag(site.instance, "att", ENVELOPE)
    previous = index_of(site.gathered(site.list), site.signed())
    assert [one.kind for one in site.signed(previous, attestations=True).signatures] == ["attestation"]


def test_attestations_that_are_not_wanted_any_more_stay(site: Site) -> None:
    site.tag(site.instance, "att", ENVELOPE)
    previous = index_of(site.gathered(site.list), site.signed(attestations=True))
    assert site.signed(previous).signatures == ()


def test_an_image_beside_one_that_fails_keeps_its_signature(site: Site) -> None:
    site.tag(site.instance, "sig", COSIGN_PAYLOAD)
    site.played.faults += [(f"{site.list.hex}.sig", reply(403))]
    images = [site.gathered(site.list), replace(site.gathered(site.instance))]
    failed, signed = site.gatherer().gather(images)
    assert (failed.signatures, signed.failure) == ((), None)
    assert [one.image for one in signed.signatures] == [site.instance]
