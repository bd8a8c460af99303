# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What is attached to an image in its registry: signatures and attestations, by tag or as referrers.

Source: sigstore/cosign ``specs/SIGNATURE_SPEC.md``, ``specs/ATTESTATION_SPEC.md``, ``specs/BUNDLE_SPEC.md``,
``pkg/oci/remote/write.go``. cosign 3 signs with a statement whose predicate type is SIGN_PREDICATE.
"""

from __future__ import annotations

import re

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.manifests import (
    Descriptor,
    ImageManifest,
    ListedInstance,
    ManifestList,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.payload_document import PayloadDocument
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.media_types import COSIGN_PAYLOAD, IMAGE_CONFIGS
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import MIB

COSIGN, SIGSTORE, ATTESTATION = "cosign", "sigstore", "attestation"
SIGN_PREDICATE = "https://sigstore.dev/cosign/sign/v1"
MOST_REFERRERS = 50
LARGEST = {COSIGN: 16 * MIB, SIGSTORE: 16 * MIB, ATTESTATION: 256 * MIB}
"""Bytes that one manifest may refer to; software bills of materials are the large ones."""

_BUNDLE = re.compile(r"application/vnd\.dev\.sigstore\.bundle\.v0\.[0-9]{1,3}\+json", re.ASCII)
_ENVELOPES = ("application/vnd.dsse.envelope.v1+json", "application/vnd.in-toto+json")
_COSIGN_ARTIFACT = "application/vnd.dev.cosign.artifact.sig.v1+json"
_EMPTY = "application/vnd.oci.empty.v1+json"
_PREDICATE, _CONTENT = "dev.sigstore.bundle.predicateType", "dev.sigstore.bundle.content"


def referrers_to_read(listed: ManifestList, *, attestations: bool, on: str) -> tuple[Descriptor, ...]:
    """Return the manifests in a list of referrers that may be signatures, or attestations where those are wanted.

    Some registries give the type of the config instead of the artifact's; only the manifest itself shows it then.
    """
    found = {one.manifest.digest: one.manifest for one in listed.instances if _may_be_wanted(one, attestations)}
    if len(found) > MOST_REFERRERS:
        raise PayloadDocument(None, on).broken(f"it lists {len(found)} signatures, more than {MOST_REFERRERS}")
    return tuple(found.values())


def kind_of(manifest: ImageManifest) -> str | None:
    """Return which kind of signature ``manifest`` holds, None for something else."""
    kinds = {layer.media_type for layer in manifest.layers}
    if COSIGN_PAYLOAD in kinds:
        return COSIGN
    if any(_BUNDLE.fullmatch(kind) for kind in kinds):
        predicate = manifest.annotations.get(_PREDICATE, SIGN_PREDICATE)
        is_signature = predicate == SIGN_PREDICATE or manifest.annotations.get(_CONTENT) == "message-signature"
        return SIGSTORE if is_signature else ATTESTATION
    return ATTESTATION if kinds & set(_ENVELOPES) else None


def carried_blobs(manifest: ImageManifest, kind: str, *, on: str) -> tuple[Descriptor, ...]:
    """Return what of ``manifest`` travels besides itself; raise PayloadError for what is too large for its kind.

    A signature by cosign is what can be read as one; other layers of such a manifest stay where they are.
    """
    layers = [one for one in manifest.layers if kind != COSIGN or one.media_type == COSIGN_PAYLOAD]
    blobs = tuple({one.digest: one for one in (*layers, manifest.config)}.values())
    size = sum(blob.size for blob in blobs)
    if size > LARGEST[kind]:
        raise PayloadDocument(None, on).broken(f"it has {size} bytes, more than {LARGEST[kind]}")
    return blobs


def _may_be_wanted(entry: ListedInstance, attestations: bool) -> bool:
    kind = entry.artifact_type
    is_untold = kind in ("", _EMPTY) or kind in IMAGE_CONFIGS
    is_signature = kind == _COSIGN_ARTIFACT or _BUNDLE.fullmatch(kind) is not None
    predicate = entry.manifest.annotations.get(_PREDICATE, SIGN_PREDICATE)
    if is_signature and predicate != SIGN_PREDICATE:
        return attestations
    return is_untold or is_signature or (attestations and kind in _ENVELOPES)
