# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a cloud says of its images, as a site hands it in: the answer of DescribeImages, a list of templates.

Any library that asks the cloud will do: the entries have the names that amazon.aws.ec2_ami_info returns.
"""

from __future__ import annotations

import typing as t
from collections.abc import Mapping
from dataclasses import dataclass, field

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.rhcos_release import (
    parse_release,
    release_within,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError


@dataclass(frozen=True)
class CloudImage:
    """One image: its id or name, who owns it, what it says of itself and when it was made (RFC 3339)."""

    reference: str
    owner: str = ""
    name: str = ""
    description: str = ""
    created: str = ""
    release: str = ""


@dataclass(frozen=True)
class CloudImages:
    """All images that were passed."""

    images: Mapping[str, CloudImage] = field(default_factory=dict)

    def get(self, reference: str) -> CloudImage | None:
        """Return the image of an id, or of a name, None where it was not passed."""
        return self.images.get(reference)

    def release_of(self, reference: str) -> str:
        """Return the release of an image, empty where it is not known."""
        found = self.images.get(reference)
        return found.release if found else ""


def cloud_images(entries: t.Iterable[object]) -> CloudImages:
    """Return the images that option ``cloud_images`` lists; raise InvalidInputError for an entry that is none."""
    return CloudImages({image.reference: image for image in map(_image, entries)})


def _image(entry: object) -> CloudImage:
    if not isinstance(entry, Mapping):
        raise _no_image(entry)
    texts = {str(name): value for name, value in entry.items() if isinstance(value, str)}
    reference = texts.get("image_id") or texts.get("name")
    if not reference:
        raise _no_image(entry)
    description = texts.get("description", "")
    release = parse_release(texts.get("release", "")) or release_within(description)
    return CloudImage(
        reference=reference,
        owner=texts.get("owner_id", ""),
        name=texts.get("name", ""),
        description=description,
        created=texts.get("creation_date", ""),
        release=str(release or texts.get("release", "")),
    )


def _no_image(entry: object) -> InvalidInputError:
    return InvalidInputError(
        "read the description of the cloud's images",
        on="cloud_images",
        seen=f"{str(entry)[:80]} has neither image_id nor name",
        advice="Pass a list of dictionaries as returned by amazon.aws.ec2_ami_info in images.",
    )
