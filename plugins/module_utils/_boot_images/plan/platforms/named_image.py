# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Platforms where an image has the name that the site gave it in its own cloud: what they have in common.

A person, or a collection for that cloud, brings the file from the stream there; the name it then has is option
``site_images``. Without a name the answer is which file to bring and how.
"""

from __future__ import annotations

import typing as t
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.field_changes import (
    Maybe,
    field_change,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.streams import Artifact
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.verdict import (
    CURRENT,
    FAULT,
    NEEDS_IMAGE,
    Image,
    Sources,
    Verdict,
    missing_from_stream,
    settle,
)


@dataclass(frozen=True)
class NamedImage:
    """The field that holds the name, what it holds now, and how a person brings a file into that cloud."""

    field: str
    current: str
    platform: str
    steps: tuple[str, ...]
    form: t.Callable[[str], t.Any] = str


def judge_named(sources: Sources, image: NamedImage, artifact: Artifact) -> Verdict:
    """Return whether the field holds the site's name for the right image, and which file that is."""
    current = Image(image.current, sources.release_of(image.current))
    named = sources.site.for_resource(sources.resource, sources.stream.name, sources.architecture)
    if named is None:
        return _without_name(current, artifact, image, sources)
    if named.release and artifact.release and named.release != artifact.release:
        reason = f"the site's image {named.image} is of release {named.release}, the stream lists {artifact.release}"
        return Verdict(FAULT, "site_image_of_other_release", reason, current, Image(named.image, named.release))
    target = Image(named.image, named.release or artifact.release)
    if image.current == named.image:
        return settle(Image(image.current, target.release), target, ())
    wanted: Maybe = (image.form(named.image),)
    return settle(current, target, (field_change(sources.provider, (image.field,), wanted),))


def _without_name(current: Image, artifact: Artifact, image: NamedImage, sources: Sources) -> Verdict:
    if not artifact.location:
        return missing_from_stream(sources, f"file for {image.platform}", current)
    target = Image("", artifact.release)
    if current.release == artifact.release:
        return Verdict(CURRENT, "current", "", current, target)
    reason = f"release {artifact.release} must be imported into {image.platform} first, see steps"
    first = f"Fetch {artifact.location} and verify that its SHA-256 is {artifact.sha256}."
    last = "Set site_images to its name there, with its release, and run this again."
    steps = (first, *image.steps, last)
    return Verdict(NEEDS_IMAGE, "image_not_there", reason, current, target, artifact=artifact, steps=steps)
