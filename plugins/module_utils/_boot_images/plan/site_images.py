# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Images that a site has brought into its own cloud, under the names that it gave them there."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.machine_resource import (
    MachineResource,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.architecture import Architecture


@dataclass(frozen=True)
class SiteImage:
    """One image by its name there; what is empty does not limit what it is for."""

    image: str
    release: str = ""
    architecture: str = ""
    stream: str = ""
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class SiteImages:
    """All of them; where several fit, the first one listed is taken."""

    images: tuple[SiteImage, ...] = ()

    def for_resource(self, resource: MachineResource, stream: str, architecture: Architecture) -> SiteImage | None:
        """Return the image that is for a resource, None where none was named."""
        for image in self.images:
            if image.names and resource.name not in image.names:
                continue
            if image.architecture in ("", architecture.release, architecture.oci) and image.stream in ("", stream):
                return image
        return None


def site_images(entries: t.Iterable[t.Mapping[str, t.Any]]) -> SiteImages:
    """Return the images that option ``site_images`` lists."""
    return SiteImages(
        tuple(
            SiteImage(
                image=str(entry["image"]),
                release=str(entry.get("release") or ""),
                architecture=str(entry.get("architecture") or ""),
                stream=str(entry.get("stream") or ""),
                names=tuple(entry.get("names") or ()),
            )
            for entry in entries
        )
    )
