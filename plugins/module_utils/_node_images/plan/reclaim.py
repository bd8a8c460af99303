# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What releases that the cluster has left behind still use on a node, and what may be removed.

An image is removed only if every name that it has is one of a release left behind. One that is needed, used or pinned
stays, and so does one of which nothing is known.
"""

from __future__ import annotations

import fnmatch
import typing as t
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.forecast import Need
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.storage_books import (
    StorageBooks,
    StoredImage,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.stored_images import StoredImages
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import format_size

USED, PINNED = "used", "pinned"


@dataclass(frozen=True)
class KnownRelease:
    """The components of one release by the names of their images (``repo@digest``); the release image is none."""

    version: str
    components: Mapping[str, str]

    @property
    def names(self) -> frozenset[str]:
        """Return the names of its images, its own among them."""
        return frozenset(self.components)

    def joined(self, other: KnownRelease) -> KnownRelease:
        """Return what both know."""
        return KnownRelease(self.version or other.version, {**other.components, **self.components})

    def within(self, repositories: Collection[str]) -> KnownRelease:
        """Return what is in ``repositories``."""
        kept = {name: one for name, one in self.components.items() if _repository_of(name) in repositories}
        return KnownRelease(self.version, kept)


UNKNOWN = KnownRelease("", {})


@dataclass(frozen=True)
class HeldBundle:
    """A staged bundle: ``sizes`` are those of its blobs by hexadecimal digest, ``names`` all images in its index.

    ``is_busy`` while a relay serves it.
    """

    folder: str
    index_digest: Digest
    release: Digest
    version: str
    names: frozenset[str]
    sizes: Mapping[str, int]
    is_busy: bool = False


@dataclass(frozen=True)
class SiteReleases:
    """What the cluster says: the release that it is at, and those that no node needs any more."""

    present: Digest
    left_behind: tuple[Digest, ...]


@dataclass(frozen=True)
class Holdings:
    """What a node holds, and what is known of it.

    ``pinned`` are names and patterns that anything pins, ``used`` what containers call their images, by name or id.
    ``wanted`` is what is needed besides: names of images, such as those of the release to come, and index digests of
    bundles, such as that to which one that is to come is a delta.
    """

    books: StorageBooks = field(default_factory=StorageBooks)
    bundles: tuple[HeldBundle, ...] = ()
    known: Mapping[Digest, KnownRelease] = field(default_factory=dict)
    pinned: frozenset[str] = frozenset()
    used: frozenset[str] = frozenset()
    wanted: frozenset[str] = frozenset()


@dataclass(frozen=True)
class RemovableImage:
    """An image that nothing needs, with the release that left it behind, of which it may be the own image."""

    image: StoredImage
    version: str
    is_release: bool = False


@dataclass(frozen=True)
class ReclaimPlan:
    """What must be removed, and how many bytes that frees; ``problem`` states why no image is removed."""

    images: tuple[RemovableImage, ...] = ()
    bundles: tuple[HeldBundle, ...] = ()
    images_size: int = 0
    bundles_size: int = 0
    lost_layers: frozenset[Digest] = frozenset()
    problem: str = ""

    @property
    def size(self) -> int:
        """Return the bytes that are free afterwards."""
        return self.images_size + self.bundles_size

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to remove."""
        return not self.images and not self.bundles

    @property
    def sentence(self) -> str:
        """Return what is removed, to follow the name of a node; empty if nothing is and there is no problem."""
        if self.is_empty:
            return f"keeps all images: {self.problem}" if self.problem else ""
        counted = [(len(self.images), "image"), (len(self.bundles), "bundle")]
        what = " and ".join(f"{count} {noun}{'s' if count > 1 else ''}" for count, noun in counted if count)
        doubt = f"; all images are kept: {self.problem}" if self.problem else ""
        return f"removes {format_size(self.size)} of {self._versions} that nothing uses ({what}){doubt}"

    @property
    def _versions(self) -> str:
        found = {one.version for one in self.images} | {one.version for one in self.bundles}
        return ", ".join(sorted(found))

    def gains(self, storage: str, bundles: str) -> tuple[Need, ...]:
        """Return the space that is freed on the file systems of the two places, as negative needs."""
        purpose = f"what {self._versions} left behind"
        places = ((storage, self.images_size), (bundles, self.bundles_size))
        return tuple(Need(purpose, path, -size) for path, size in places if size)

    def after(self, stored: StoredImages) -> StoredImages:
        """Return what the storage holds once the images are gone."""
        names = {name for one in self.images for name in one.image.names}
        return type(stored)(stored.names - names, stored.layers - self.lost_layers)

    def as_document(self) -> dict[str, t.Any]:
        """Return the plan as results show it."""
        return {
            "sentence": self.sentence,
            "problem": self.problem,
            "size": self.size,
            "images": [{"name": name, "version": one.version} for one in self.images for name in one.image.names],
            "bundles": [{"folder": one.folder, "version": one.version} for one in self.bundles],
        }


NOTHING_LEAVES = ReclaimPlan()


def plan_reclaim(site: SiteReleases, held: Holdings) -> ReclaimPlan:
    """Return what may be removed from a node that holds ``held``."""
    left = frozenset(site.left_behind) - {site.present}
    bundles = tuple(one for one in held.bundles if may_go(one, left, held))
    kept_bundles = [one for one in held.bundles if one not in bundles]
    kept_blobs = {name for one in kept_bundles for name in one.sizes}
    sizes = {name: size for one in bundles for name, size in one.sizes.items() if name not in kept_blobs}
    images, problem = _images(site, left, held, kept_bundles)
    layers = held.books.freed_by(one.image for one in images)
    return ReclaimPlan(
        images=images,
        bundles=bundles,
        images_size=held.books.size_of(layers),
        bundles_size=sum(sizes.values()),
        lost_layers=held.books.pulled_as(layers),
        problem=problem,
    )


def may_go(bundle: HeldBundle, left: frozenset[Digest], held: Holdings) -> bool:
    """Whether a staged bundle is of a release left behind, at rest, and of no use for what is to come."""
    return bundle.release in left and not bundle.is_busy and str(bundle.index_digest) not in held.wanted


def reason_to_keep(image: StoredImage, left: Mapping[str, str], needed: frozenset[str], held: Holdings) -> str:
    """Return why an image stays; empty for one that may be removed.

    ``left`` are versions by the names of images that releases left behind have, ``needed`` digests of images that
    something needs.
    """
    digests = {_digest_of(name) for name in image.names}
    if not image.names or not all(name in left for name in image.names):
        return "of no release left behind"
    if not digests.isdisjoint(needed):
        return "needed"
    if image.image_id in held.books.held or any(_means(one, image, digests) for one in held.used):
        return USED
    if any(fnmatch.fnmatchcase(name, pattern) for name in image.names for pattern in held.pinned):
        return PINNED
    return ""


def known_together(
    own: Mapping[Digest, KnownRelease], told: Iterable[tuple[Digest, KnownRelease]], present: Digest
) -> dict[Digest, KnownRelease]:
    """Return what a node itself and other nodes know of releases.

    What other nodes report keeps more images; only images in repositories of releases known here are removed.
    """
    usual = {_repository_of(name) for one in own.values() for name in one.names}
    together = dict(own)
    for digest, one in told:
        heard = one if digest == present else one.within(usual)
        if heard.components:
            together[digest] = together.get(digest, UNKNOWN).joined(heard)
    return together


def _images(
    site: SiteReleases, left: frozenset[Digest], held: Holdings, kept_bundles: Iterable[HeldBundle]
) -> tuple[tuple[RemovableImage, ...], str]:
    gone = [held.known[one] for one in sorted(left) if one in held.known]
    leaving = {name: one.version for one in gone for name in one.names}
    present = held.known.get(site.present)
    if not leaving:
        return (), ""
    if present is None:
        return (), f"the images of the present release {site.present.short} are unknown"
    needed = {*present.names, *held.wanted, *(name for one in kept_bundles for name in one.names)}
    needed |= {name for digest, one in held.known.items() if digest not in left for name in one.names}
    digests = frozenset(_digest_of(name) for name in needed)
    reasons = {one: reason_to_keep(one, leaving, digests, held) for one in held.books.images}
    # What is used or pinned now may go later, and only the image of its release says then that it is of it.
    later = {leaving[one.names[0]] for one, reason in reasons.items() if reason in (USED, PINNED)}
    going = [RemovableImage(one, leaving[one.names[0]], _is_one(one, left)) for one, why in reasons.items() if not why]
    going = [one for one in going if not (one.is_release and one.version in later)]
    return tuple(sorted(going, key=lambda one: (one.is_release, one.image.names))), ""


def _is_one(image: StoredImage, releases: Iterable[Digest]) -> bool:
    digests = {_digest_of(name) for name in image.names}
    return any(str(release) in digests for release in releases)


def _means(reference: str, image: StoredImage, digests: Iterable[str]) -> bool:
    """Whether a container that was made from ``reference`` was made from ``image``, under whatever name."""
    last = reference.rpartition(":")[2]
    known = {image.image_id, *(digest.rpartition(":")[2] for digest in digests)}
    return reference in image.names or last in known


def _repository_of(name: str) -> str:
    return name.partition("@")[0]


def _digest_of(name: str) -> str:
    return name.rpartition("@")[2]
