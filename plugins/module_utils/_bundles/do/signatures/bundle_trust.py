# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Why a bundle is believed: its index has the vetted digest, or carries a signature of a trusted key.

Both are proofs over bytes and are judged before anything parses them.
"""

from __future__ import annotations

import hashlib
import typing as t
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import BundleFolder
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.signatures.cosign import CosignKeys
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.signatures.gpgv import Gpgv
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.signatures.release_signatures import (
    ReleaseTrust,
    judge_signatures,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.signatures.trusted_keys import (
    TrustedKeys,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.trust.gpg_verdict import GpgVerdict
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import BundleIndex
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.vetted_digest import VettedDigest

NOTHING_VOUCHES = "No digest and no key was specified: this bundle is not verified."
NO_INDEX_KEY = "The trusted keys are for images only, and no digest was specified: this bundle is not verified."


@dataclass(frozen=True)
class IndexTrust:
    """Whether the index with ``digest`` is trusted, None when neither a digest nor a key for it was given.

    ``by`` is what proves it. ``signers`` are primary fingerprints of trusted keys; ``trust_problem`` says why it is not
    trusted, and ``warnings`` what a person has to know although it is not refused.
    """

    digest: Digest
    trusted: bool | None
    by: str = ""
    signers: tuple[str, ...] = ()
    trust_problem: str = ""
    warnings: tuple[str, ...] = ()

    def as_data(self) -> dict[str, t.Any]:
        """Return the trust as modules report it."""
        return {
            "index_digest": str(self.digest),
            "trusted": self.trusted,
            "trusted_by": self.by,
            "trust_problem": self.trust_problem,
            "index_signers": list(self.signers),
            "trust_warnings": list(self.warnings),
        }


def judge_index(
    content: bytes, signature: bytes | None, *, vetted: VettedDigest | None, keys: TrustedKeys, clock: Clock
) -> IndexTrust:
    """Return whether to trust the bytes of an index, before they are parsed.

    A ``vetted`` digest is a demand: an index with another one is not trusted, whichever key has signed it, and the one
    that has it is trusted; a signature adds who signed. Without a digest, one of ``keys`` must have signed the index.
    """
    digest = Digest(hashlib.sha256(content).hexdigest())
    if vetted is None and not keys.ring:
        return IndexTrust(digest, None, warnings=(NO_INDEX_KEY if keys.pem else NOTHING_VOUCHES,))
    verdict = _verdict(content, signature, keys, clock)
    if vetted is not None and not vetted.matches(digest):
        return IndexTrust(
            digest, False, signers=verdict.signers, trust_problem=f"its index has the digest {digest}, not {vetted}"
        )
    if vetted is not None:
        doubts = (f"{_sentence(verdict.problem)} It is verified by its digest only.",) if verdict.problem else ()
        return IndexTrust(digest, True, "index_digest", verdict.signers, warnings=doubts)
    if verdict.is_good:
        return IndexTrust(digest, True, "index_signature", verdict.signers)
    return IndexTrust(digest, False, trust_problem=verdict.problem)


def _verdict(content: bytes, signature: bytes | None, keys: TrustedKeys, clock: Clock) -> GpgVerdict:
    """Return what to report about the signature; nothing where there are no keys to judge it by."""
    if not keys.ring:
        return GpgVerdict((), "")
    if signature is None:
        return GpgVerdict((), "its index is not signed")
    verdict = Gpgv(keys.ring, clock).verify_detached(content, signature)
    if verdict.is_good:
        return verdict
    return GpgVerdict((), f"the signature of its index is not valid: {verdict.problem}", verdict.others)


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."


def image_signers(source: BundleFolder, index: BundleIndex, keys: TrustedKeys) -> list[dict[str, t.Any]]:
    """Return the images that carry a signature of cosign, each with those of ``keys`` that made one."""
    signatures = [one for one in index.signatures if one.kind == "cosign"]
    if not keys.pem or not signatures:
        return []
    cosign = CosignKeys(keys.pem)
    return [
        {
            "image": str(one.image),
            "signers": cosign.signers(one.image, source.read_blob(one.blobs[0]) or b"", source.read_blob),
        }
        for one in signatures
    ]


def judge_release(source: BundleFolder, index: BundleIndex, keys: TrustedKeys, clock: Clock) -> ReleaseTrust:
    """Return who of ``keys`` signed releases inside the bundle; none if one of the releases is not signed by them."""
    trusts = [_judged_release(source, index, release.image.digest, keys, clock) for release in index.releases]
    signers = dict.fromkeys(signer for trust in trusts for signer in trust.fingerprints)
    refusals = tuple(refusal for trust in trusts for refusal in trust.refusals)
    return ReleaseTrust(tuple(signers) if all(trust.fingerprints for trust in trusts) else (), refusals)


def _judged_release(
    source: BundleFolder, index: BundleIndex, release: Digest | None, keys: TrustedKeys, clock: Clock
) -> ReleaseTrust:
    found = [one.blobs[0] for one in index.signatures if one.kind == "gpg" and one.image == release]
    if release is None or not keys.ring or not found:
        return ReleaseTrust()
    messages = [source.read_blob(digest) or b"" for digest in found]
    return judge_signatures(messages, release, Gpgv(keys.ring, clock))
