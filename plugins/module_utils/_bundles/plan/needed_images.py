# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which images of a bundle a site needs, by what runs there now and by what the release's own manifests name.

An image is left out only with a reason: it is for another platform, only manifests of capabilities name it that are
switched off, or no manifest names it. What runs now is never left out.
"""

from __future__ import annotations

import re
import typing as t
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import (
    BundledImage,
    BundleIndex,
)

CAPABILITY = "capability.openshift.io/name"
"""The annotation that names the capabilities, joined by ``+``, all of which a manifest needs in order to be applied.

Source: openshift/library-go ``pkg/manifest/manifest.go``.
"""

PLATFORMS: Mapping[str, frozenset[str]] = {
    "alibaba": frozenset({"AlibabaCloud"}),
    "aws": frozenset({"AWS"}),
    "azure": frozenset({"Azure"}),
    "csi-driver-manila": frozenset({"OpenStack"}),
    "gcp": frozenset({"GCP"}),
    "ibm": frozenset({"IBMCloud", "PowerVS"}),
    "ibmcloud": frozenset({"IBMCloud", "PowerVS"}),
    "kubevirt": frozenset({"KubeVirt"}),
    "libvirt": frozenset({"Libvirt"}),
    "nutanix": frozenset({"Nutanix"}),
    "openstack": frozenset({"OpenStack"}),
    "ovirt": frozenset({"oVirt"}),
    "powervs": frozenset({"IBMCloud", "PowerVS"}),
    "vsphere": frozenset({"VSphere"}),
}
"""The platforms that components serve whose names begin so. Source: the names in image-references of 4.16 to 4.21, and
PlatformType in openshift/api ``config/v1/types_infrastructure.go``."""

JUDGED = frozenset({"None", "BareMetal"}.union(*PLATFORMS.values()))
"""Platforms of which it is known that they need nothing of others; ``External`` and later ones are not."""

_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
_DEEPEST = 60


@dataclass(frozen=True)
class Mention:
    """One manifest of a release: the digests that it names, and the capabilities that it is applied with."""

    digests: frozenset[str]
    capabilities: tuple[str, ...] = ()


@dataclass(frozen=True)
class SiteFacts:
    """What a cluster is: its platform, its capabilities, and the components of its release that run there now.

    ``problem`` says why the last is not known.
    """

    platform: str
    enabled: frozenset[str]
    known: frozenset[str]
    used: frozenset[str]
    problem: str = ""

    def applies(self, mention: Mention) -> bool:
        """Whether the manifest is applied there. A capability that only the next release knows may be switched on."""
        return all(one in self.enabled or one not in self.known for one in mention.capabilities)


@dataclass(frozen=True)
class LeftOut:
    """An image that is not needed, and why."""

    image: BundledImage
    reason: str


@dataclass(frozen=True)
class NeededImages:
    """The images of a bundle that a site needs, and the bytes of those alone that it does not.

    ``lacking`` are, by pool, components that run on its nodes and that the site's own list for it leaves out.
    """

    images: tuple[BundledImage, ...]
    left_out: tuple[LeftOut, ...] = ()
    saved: int = 0
    problem: str = ""
    lacking: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def as_document(self) -> dict[str, t.Any]:
        """Return it as results show it."""
        return {
            "images": [str(image.name) for image in self.images],
            "left_out": [
                {"name": str(one.image.name), "component": one.image.component, "reason": one.reason}
                for one in self.left_out
            ],
            "saved": self.saved,
            "problem": self.problem,
            "lacking": [{"pool": pool, "components": list(names)} for pool, names in self.lacking.items()],
        }


def needed_images(index: BundleIndex, mentions: Sequence[Mention], site: SiteFacts) -> NeededImages:
    """Return the images of the bundle that the site needs; all of them where that is unknown."""
    problem = site.problem or ("" if mentions else "the release image of the bundle has no readable manifests")
    reasons = [("" if problem else reason_against(image, mentions, site)) for image in index.images]
    kept = tuple(image for image, reason in zip(index.images, reasons) if not reason)
    left = tuple(LeftOut(image, reason) for image, reason in zip(index.images, reasons) if reason)
    carried = {digest for image in kept for digest in image.blobs()}
    spared = {digest for one in left for digest in one.image.blobs()} - carried
    saved = sum(index.blobs[digest].size for digest in spared if digest in index.blobs)
    return NeededImages(kept, left, saved, problem)


def reason_against(image: BundledImage, mentions: Sequence[Mention], site: SiteFacts) -> str:
    """Return why the site does not need an image; nothing for one that it may need."""
    component = image.component or ""
    if image.reason != "component" or component in site.used:
        return ""
    platforms = next((served for name, served in PLATFORMS.items() if f"{component}-".startswith(f"{name}-")), None)
    if platforms is not None and site.platform in JUDGED - platforms:
        return f"for platform {' and '.join(sorted(platforms))}"
    naming = [one for one in mentions if str(image.name.digest) in one.digests]
    if any(site.applies(one) for one in naming):
        return ""
    off = sorted({one for mention in naming for one in mention.capabilities} & (site.known - site.enabled))
    return f"only for capability {', '.join(off)}, which is disabled" if off else "no manifest contains it"


def used_components(used: Collection[str], present: Mapping[str, str]) -> frozenset[str]:
    """Return the components that run: ``used`` are names of images, ``present`` components by the names of theirs."""
    digests = {match for name in used for match in _DIGEST.findall(name)}
    return frozenset(one for name, one in present.items() if not digests.isdisjoint(_DIGEST.findall(name)) and one)


def lacking_by_pool(
    index: BundleIndex, lists: Mapping[str, Collection[str]], used: Mapping[str, Collection[str]]
) -> dict[str, tuple[str, ...]]:
    """Return the components that run in each pool and that its list, if it has one, leaves out of the bundle's.

    ``lists`` are names or components by pool, ``used`` the components that run there.
    """
    lacking: dict[str, tuple[str, ...]] = {}
    for pool, words in sorted(lists.items()):
        runs = [image for image in index.images if image.component in used.get(pool, ())]
        names = {image.component or "" for image in runs if not {str(image.name), image.component} & set(words)}
        if words and names:
            lacking[pool] = tuple(sorted(names))
    return lacking


def mention_in(document: t.Any) -> Mention:
    """Return what one document of a manifest names, wherever it stands in it."""
    metadata = document.get("metadata") if isinstance(document, dict) else None
    annotations = metadata.get("annotations") if isinstance(metadata, dict) else None
    named = annotations.get(CAPABILITY) if isinstance(annotations, dict) else None
    capabilities = tuple(named.split("+")) if isinstance(named, str) and named else ()
    return Mention(frozenset(_digests(document, _DEEPEST)), capabilities)


def mention_of(text: str) -> Mention:
    """Return what a manifest names that cannot be read otherwise; it counts as applied everywhere."""
    return Mention(frozenset(_DIGEST.findall(text)))


def _digests(value: t.Any, depth: int) -> Iterator[str]:
    if isinstance(value, str):
        yield from _DIGEST.findall(value)
    elif depth and isinstance(value, (list, dict)):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _digests(inner, depth - 1)
