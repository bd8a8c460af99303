# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The verdict on the boot image of one resource, and what a platform needs to know for it."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping
from dataclasses import dataclass, field

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.cloud_images import CloudImages
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.documents import Document
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.field_changes import FieldChange
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.machine_resource import (
    MachineResource,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.site_images import SiteImages
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.streams import Artifact, Stream
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.architecture import Architecture

CURRENT = "current"
OUTDATED = "outdated"
LEFT_ALONE = "left_alone"
NEEDS_IMAGE = "needs_image"
FAULT = "fault"
STANDINGS = (CURRENT, OUTDATED, NEEDS_IMAGE, LEFT_ALONE, FAULT)


@dataclass(frozen=True)
class Image:
    """A boot image as its platform names it, with its release where that is known."""

    reference: str = ""
    release: str = ""


NO_IMAGE = Image()


@dataclass(frozen=True)
class Verdict:
    """``standing`` is one of STANDINGS.

    CURRENT boots the right image, OUTDATED another one that ``changes`` of the provider's specification replace,
    NEEDS_IMAGE waits for an image that a person has to bring into the site's cloud (``artifact``, ``steps``),
    LEFT_ALONE is not ours to change, FAULT cannot be judged. ``code`` is a word for programs, ``reason`` for people.
    """

    standing: str
    code: str = ""
    reason: str = ""
    current: Image = NO_IMAGE
    target: Image = NO_IMAGE
    changes: tuple[FieldChange, ...] = ()
    artifact: Artifact | None = None
    steps: tuple[str, ...] = ()


@dataclass(frozen=True)
class Sources:
    """A resource, its provider's specification, and all that its image is judged by.

    ``vouched`` are images that count as standard ones, with their releases: known from streams and history, or named
    by the site.
    """

    resource: MachineResource
    provider: Document = field(repr=False)
    stream: Stream
    architecture: Architecture
    cloud: CloudImages
    site: SiteImages
    infrastructure: Mapping[str, t.Any] = field(default_factory=dict)
    vouched: Mapping[str, str] = field(default_factory=dict)

    def release_of(self, reference: str) -> str:
        """Return the release of an image, empty where it is not known."""
        return self.vouched.get(reference, "") or self.cloud.release_of(reference)


def settle(current: Image, target: Image, changes: tuple[FieldChange, ...]) -> Verdict:
    """Return that the image is the right one, or that ``changes`` make it so."""
    if not changes:
        return Verdict(CURRENT, "current", "", current, target)
    shown = target.release or target.reference
    return Verdict(OUTDATED, "outdated", f"the correct image is {shown}", current, target, changes)


def left_alone(code: str, reason: str, current: Image | None = None) -> Verdict:
    """Return that the image is not ours to change."""
    return Verdict(LEFT_ALONE, code, reason, current or NO_IMAGE)


def fault(code: str, reason: str, current: Image | None = None) -> Verdict:
    """Return the verdict that the image cannot be evaluated because something is broken."""
    return Verdict(FAULT, code, reason, current or NO_IMAGE)


def missing_from_stream(sources: Sources, what: str, current: Image) -> Verdict:
    """Return that the stream has no image to compare with."""
    place = f"stream {sources.stream.name or 'of the cluster'} has no {what} for {sources.architecture}"
    return left_alone("not_in_stream", place, current)
