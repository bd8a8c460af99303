# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""One bundle out of several: a delta with its base, or a release with images that were bundled apart."""

from __future__ import annotations

import typing as t
from collections.abc import Sequence
from dataclasses import replace

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_errors import BundleError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import (
    Blob,
    BundleIndex,
    blobs_by_digest,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest


def merged_index(indexes: Sequence[BundleIndex]) -> BundleIndex:
    """Return the index of all that ``indexes`` hold together; the first one names the release.

    Another one of the same release adds its images and signatures. Any other one must be a base, direct or not, of
    what is there already, and adds blobs that are needed. The result is a delta only where a base is still missing.
    Raises BundleError for a bundle that has nothing to do with the others.
    """
    first, *others = indexes
    merged = first
    bases = {first.base}
    for other in others:
        if (other.releases, other.path) == (first.releases, first.path):
            merged = replace(
                merged,
                images=_joined(merged.images, other.images),
                signatures=_joined(merged.signatures, other.signatures),
                stores=_joined(merged.stores, other.stores),
                signatures_unknown=_joined(merged.signatures_unknown, other.signatures_unknown),
            )
        elif other.digest not in bases:
            raise _unrelated(first, other)
        bases.add(other.base)
    return _with_blobs(merged, indexes, bases)


def _with_blobs(merged: BundleIndex, indexes: Sequence[BundleIndex], bases: set[Digest | None]) -> BundleIndex:
    needed = set(merged.needed())
    blobs: dict[Digest, Blob] = {}
    for index in indexes:
        blobs.update({digest: blob for digest, blob in index.blobs.items() if digest in needed})
    there = {index.digest for index in indexes}
    open_bases = sorted(base for base in bases if base is not None and base not in there)
    is_complete = needed <= set(blobs)
    if not is_complete and len(open_bases) != 1:
        raise BundleError(
            "merge the bundles",
            on=str(merged.release),
            seen=f"{len(needed - set(blobs))} blobs are in none of them, and their bases "
            f"{', '.join(map(str, open_bases)) or 'are unknown'}",
            advice="Add the base bundles of these deltas to the sources.",
        )
    return replace(merged, blobs=blobs_by_digest(*blobs.values()), base=None if is_complete else open_bases[0])


_Member = t.TypeVar("_Member")


def _joined(first: tuple[_Member, ...], second: tuple[_Member, ...]) -> tuple[_Member, ...]:
    known = {getattr(member, "name", member) for member in first}
    return (*first, *(member for member in second if getattr(member, "name", member) not in known))


def _unrelated(first: BundleIndex, other: BundleIndex) -> BundleError:
    return BundleError(
        "merge the bundles",
        on=str(other.release),
        seen=f"the bundle {other.digest} of {other.version} is neither of the release {first.version} nor a base of it",
        advice="Keep bundles of different releases in different folders. Only a delta can be merged with its base.",
    )
