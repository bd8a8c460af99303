# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a bundle must hold: the release image, who vouches for it, the components it names, and the extra images."""

from __future__ import annotations

import hashlib
import typing as t
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.folder_ownership import keep_blob
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import PayloadError
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.boot_artifacts import (
    BootArtifacts,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.build_bundle import (
    BlobFetcher,
    WantedBlob,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.delta_base import delta_base
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.image_gathering import (
    ImageGatherer,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.parallel import in_parallel
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.prefetch import Prefetch
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.contents.image_check import (
    require_runnable,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.contents.layer_files import LayerFiles
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.contents.operator_images import (
    OperatorReader,
    ReadOperators,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.signatures.cosign import CosignKeys
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.signatures.gpgv import Gpgv
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.signatures.release_signatures import (
    ReleaseTrust,
    SignatureStores,
    judge_signatures,
    require_trust,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.signatures.signature_gathering import (
    SignatureGatherer,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.signatures.trusted_keys import (
    TrustedKeys,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.sources.registry_setup import required_text
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.assembly import Contents
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.boot_artifacts import STREAM
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.bundle_request import BundleRequest
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.gathered import (
    GatheredImage,
    GatheredSignature,
    ImageRequest,
    ImageSignatures,
    distinct,
    joined,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.manifests import Descriptor
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.release_payload import (
    METADATA,
    REFERENCES,
    Component,
    ReleasePayload,
    parse_payload,
    parse_references,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.trust.attached_signatures import COSIGN
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.trust.signature_demands import (
    require_demanded,
    unknown_images,
    unknown_sentence,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.update_path import UpdatePath
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.architecture import Architecture
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import (
    GPG_SIGNATURE,
    Blob,
    BundledRelease,
    BundleIndex,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock

_Item = t.TypeVar("_Item")
_Found = t.TypeVar("_Found")


@dataclass(frozen=True)
class ReadContents:
    """The contents of a bundle to be, who vouches for its release, and whose signatures are not known."""

    contents: Contents
    trust: ReleaseTrust
    signatures_unknown: list[dict[str, str]]
    blobs: Mapping[Digest, Blob]
    operators: ReadOperators


@dataclass(frozen=True)
class ReadRelease:
    """A release whose payload was read: the ``components`` that travel, its signatures, and some of its ``files``."""

    version: str
    previous: tuple[str, ...]
    image: GatheredImage
    components: tuple[Component, ...]
    messages: tuple[bytes, ...]
    trust: ReleaseTrust
    files: Mapping[str, bytes]

    def bundled(self, machines: Sequence[Architecture], *, is_only: bool) -> Iterator[BundledRelease]:
        """Yield the entries of the index, the first of ``machines`` last; one that ``is_only`` need not list images."""
        listed = [self.image.name.digest, *(component.image.digest for component in self.components)]
        images = () if is_only else tuple(dict.fromkeys(digest for digest in listed if digest is not None))
        for machine in reversed(machines):
            yield BundledRelease(self.version, machine, self.image.name, self.previous, images)


@dataclass(frozen=True)
class ContentsReader:
    """Resolves a request, with all releases of ``path`` if there is one.

    ``fetcher`` brings the layers that have to be read, into its own folder. ``resolved`` is called with what all names
    have led to, before the blobs are fetched.
    """

    request: BundleRequest
    gatherer: ImageGatherer
    stores: SignatureStores
    keys: TrustedKeys
    fetcher: BlobFetcher
    boot: BootArtifacts
    previous: BundleIndex | None
    clock: Clock
    writes: bool
    resolved: Callable[[Contents], object]
    path: UpdatePath | None = None

    def read(self) -> ReadContents:
        """Return everything that is to travel. Raises SignatureError before anything of a foreign release is read."""
        say = self.fetcher.progress.say
        releases = [self._release(version, reference) for version, reference in self._wanted_releases()]
        requests = [_request_of(component) for one in releases for component in one.components]
        requests += [ImageRequest(reference, "extra") for reference in self.request.extra_references()]
        operators = OperatorReader(self.request, self.gatherer, self.fetcher, self.previous).read()
        requests += operators.requests
        requests += [ImageRequest(reference, "file") for reference in self.request.file_references()]
        say(f"resolving {len(requests)} images of {releases[-1].version}")
        machines = self.request.machines
        images = joined(image for machine in machines for image in self._images(machine, releases, requests))
        boot = self._boot_images(releases[-1].image, releases[-1].files)
        unsigned = Contents(
            releases=self._bundled(releases),
            images=(*images, *operators.catalogs, *boot),
            base=delta_base(self.request, self.clock),
            path=self.path.edges if self.path is not None else (),
        )
        self.resolved(unsigned)
        with Prefetch(self.fetcher if self.writes else None, unsigned) as prefetch:
            attached = self._attached(images)
        signatures = [self._kept_signature(one.image, message) for one in releases for message in one.messages]
        signatures += [signature for one in attached for signature in one.signatures]
        unknown = self._unknown(images, attached)
        contents = replace(unsigned, signatures=tuple(signatures), signatures_unknown=unknown)
        signers = tuple(dict.fromkeys(signer for one in releases for signer in one.trust.fingerprints))
        return ReadContents(contents, ReleaseTrust(signers), unknown_images(attached), prefetch.blobs, operators)

    def _images(
        self, machine: Architecture, releases: Sequence[ReadRelease], requests: Sequence[ImageRequest]
    ) -> tuple[GatheredImage, ...]:
        """Return the images with what nodes of ``machine`` run; raise PayloadError for those that they cannot run."""
        gatherer = self.gatherer.of(machine)
        own = [one.image for one in releases]
        if machine != self.request.machine:
            own = self._each(gatherer.gather, [ImageRequest(image.name, "release") for image in own])
        images = distinct([*own, *self._each(gatherer.gather, requests)])
        self.fetcher.progress.say(f"checking that {machine} nodes can run {len(images)} images")
        require_runnable(images, machine, gatherer, self.fetcher)
        return images

    def _bundled(self, releases: Sequence[ReadRelease]) -> tuple[BundledRelease, ...]:
        machines = self.request.machines
        is_only = len(releases) * len(machines) == 1
        return tuple(entry for one in releases for entry in one.bundled(machines, is_only=is_only))

    def _wanted_releases(self) -> Sequence[tuple[str | None, ImageReference]]:
        """Return the versions that the releases must have, and their images, the target last."""
        if self.path is not None:
            return tuple(self.path.releases.items())
        return ((self.request.version, self.request.release_reference),)

    def _release(self, version: str | None, reference: ImageReference) -> ReadRelease:
        say = self.fetcher.progress.say
        say(f"resolving the release image {reference}")
        release = self.gatherer.gather(ImageRequest(reference, "release"))
        say(f"looking for signatures of {release.name}")
        messages, trust = self._trusted(release)
        say(f"reading the payload of {release.name}")
        require_runnable([release], self.request.machine, self.gatherer, self.fetcher)
        files = self._payload_files(release)
        payload = self._payload(release, files, version)
        components = self.request.selection.chosen(self._components(payload, release))
        return ReadRelease(payload.version, payload.previous, release, components, messages, trust, files)

    @property
    def _signature_gatherer(self) -> SignatureGatherer:
        return SignatureGatherer(self.gatherer, self.fetcher, self.previous, self.request.attestations)

    def _attached(self, images: Sequence[GatheredImage]) -> list[ImageSignatures]:
        """Return what is attached to ``images``; raise SignatureError where a signature is demanded and not there."""
        if not self.request.image_signatures:
            return []
        self.fetcher.progress.say(f"looking for signatures of {len(images)} images")
        attached = self._signature_gatherer.gather(images)
        require_demanded(attached, self.request.policies)
        unknown = unknown_sentence(attached)
        if unknown:
            self.fetcher.progress.say(unknown)
        return attached

    def _unknown(self, images: Sequence[GatheredImage], attached: Sequence[ImageSignatures]) -> tuple[Digest, ...]:
        """Return what the next build has to ask again: everything, where nothing was asked."""
        failed = [one.image for one in attached if one.failure is not None]
        unasked = () if self.request.image_signatures else images
        return tuple(sorted({blob.digest for image in (*failed, *unasked) for blob in image.manifests}))

    def _each(self, work: Callable[[_Item], _Found], items: Sequence[_Item]) -> list[_Found]:
        return in_parallel(work, items, workers=self.fetcher.connections, stop=self.fetcher.stop)

    def _trusted(self, release: GatheredImage) -> tuple[tuple[bytes, ...], ReleaseTrust]:
        digest = release.manifests[0].digest
        gpgv = Gpgv(self.keys.ring, self.clock)
        known = tuple(self._known_messages(digest))
        trust = judge_signatures(known, digest, gpgv) if self.keys.ring else ReleaseTrust()
        if trust.fingerprints or (known and not self.keys.ring and not self.keys.pem):
            return known, trust
        found = self.stores.find(digest, deadline=self.fetcher.deadline)
        if self.keys.ring:
            trust = judge_signatures(found.messages, digest, gpgv)
        if self.keys.pem and not trust.fingerprints:
            trust = ReleaseTrust(self._cosign_signers(release), trust.refusals)
        if self.keys.ring or self.keys.pem:
            require_trust(trust, found, on=str(release.name))
        return found.messages, trust

    def _cosign_signers(self, release: GatheredImage) -> tuple[str, ...]:
        attached = self._signature_gatherer.gather([release])
        require_demanded(attached, ())
        keys, named = CosignKeys(self.keys.pem), release.manifests[0].digest
        signers: list[str] = []
        for one in attached[0].signatures:
            if (one.kind, one.image) == (COSIGN, named):
                self.fetcher.fetch([WantedBlob(blob, release.name) for blob in one.blobs[1:]])
                signers += keys.signers(one.image, one.manifest, self.fetcher.folder.read_blob)
        return tuple(dict.fromkeys(signers))

    def _known_messages(self, digest: Digest) -> Iterator[bytes]:
        for signature in self.previous.signatures if self.previous is not None else ():
            if (signature.kind, signature.image) == ("gpg", digest):
                content = self.gatherer.folder.read_blob(signature.blobs[0])
                if content is not None and _digest(content) == signature.blobs[0]:
                    yield content

    def _kept_signature(self, release: GatheredImage, message: bytes) -> GatheredSignature:
        digest = _digest(message)
        if self.writes:
            keep_blob(self.gatherer.folder, digest, message)
        blob = Descriptor(digest, len(message), GPG_SIGNATURE)
        return GatheredSignature("gpg", release.manifests[0].digest, None, (blob,))

    def _boot_images(self, release: GatheredImage, files: Mapping[str, bytes]) -> list[GatheredImage]:
        """Return what new machines boot. Nothing is attached to it: the release vouches for it by its stream."""
        if not self.request.boot_images:
            return []
        self.fetcher.progress.say(f"requesting the boot images of {', '.join(self.request.boot_images)}")
        folder = self.gatherer.folder if self.writes else None
        return self.boot.images(files[STREAM], folder, on=f"{STREAM} of {release.name}")

    def _payload_files(self, release: GatheredImage) -> Mapping[str, bytes]:
        wanted = (REFERENCES, METADATA, *((STREAM,) if self.request.boot_images else ()))
        found = LayerFiles(on=str(release.name), folders=wanted)
        found.read(self.fetcher.layers_from_top(release), enough=lambda files: all(name in files for name in wanted))
        missing = [name for name in wanted if name not in found.files]
        if missing == [STREAM]:
            raise found.broken(f"it has no {STREAM}, so the boot images of its machines are unknown")
        if missing:
            raise found.broken(f"it has no {' and no '.join(missing)}, so it is not a release image")
        return found.files

    def _payload(self, release: GatheredImage, files: Mapping[str, bytes], version: str | None) -> ReleasePayload:
        payload = parse_payload(files[REFERENCES], files[METADATA], on=str(release.name))
        if version not in (None, payload.version):
            raise PayloadError(
                "use the release image",
                on=str(release.name),
                seen=f"it is version {payload.version}, not {version}",
                advice="Check version and image. A tag may refer to a different image than its name suggests.",
            )
        return payload

    def _components(self, payload: ReleasePayload, release: GatheredImage) -> tuple[Component, ...]:
        path = self.request.image_references
        if path is None:
            return payload.components
        version, components = parse_references(required_text(path, "image_references").encode(), on=path)
        if version != payload.version:
            raise PayloadError(
                "use the image references",
                on=path,
                seen=f"they have version {version}, but the release image {release.name} is {payload.version}",
                advice="Use image references and a release image of the same version.",
            )
        return components


def _request_of(component: Component) -> ImageRequest:
    return ImageRequest(component.image, "os_image" if component.is_os_image else "component", component.name)


def _digest(content: bytes) -> Digest:
    return Digest(hashlib.sha256(content).hexdigest())
