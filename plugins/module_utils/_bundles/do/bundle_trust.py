# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""Why a bundle is believed: its index is the one that somebody vetted, or a trusted key has signed it."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.cosign import CosignKeys
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.gpgv import Gpgv
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.release_signatures import (
    ReleaseTrust,
    judge_signatures,
)

if t.TYPE_CHECKING:
    from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import BundleFolder
    from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.trusted_keys import TrustedKeys
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import BundleIndex
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock


@dataclass(frozen=True)
class IndexTrust:
    """``trusted`` is None when nobody asked. ``signers`` are primary fingerprints; ``distrust`` says what is wrong."""

    trusted: bool | None
    by: str = ""
    signers: tuple[str, ...] = ()
    distrust: str = ""


def judge_index(
    source: BundleFolder, index: BundleIndex, *, vetted: Digest | None, keys: TrustedKeys, clock: Clock
) -> IndexTrust:
    """Return whether the index is the ``vetted`` one or carries a signature by one of ``keys``; either is enough."""
    if vetted is not None and vetted == index.digest:
        return IndexTrust(True, by="index_digest")
    if vetted is None and not keys.ring:
        return IndexTrust(None)
    reasons = [] if vetted is None else [f"its index has the digest {index.digest}, not {vetted}"]
    if keys.ring:
        signature = source.index_signature()
        if signature is None:
            reasons.append("its index is not signed")
        else:
            verdict = Gpgv(keys.ring, clock).verify_detached(index.as_bytes(), signature)
            if verdict.is_good:
                return IndexTrust(True, by="index_signature", signers=verdict.signers)
            reasons.append(f"the signature of its index does not count: {verdict.problem}")
    return IndexTrust(False, distrust="; ".join(reasons))


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
    """Return who of ``keys`` signed the release inside the bundle."""
    release = index.release.digest
    found = [one.blobs[0] for one in index.signatures if one.kind == "gpg" and one.image == release]
    if release is None or not keys.ring or not found:
        return ReleaseTrust()
    messages = [source.read_blob(digest) or b"" for digest in found]
    return judge_signatures(messages, release, Gpgv(keys.ring, clock))
