# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The images that CRI-O knows, as ``crictl images -o json`` lists them."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass

if t.TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import (
        BundledImage,
        BundleIndex,
    )


@dataclass(frozen=True)
class RuntimeImages:
    """All names of the images that CRI-O has, each with whether it is pinned.

    Source: the CRI's ListImagesResponse in the JSON form of protobuf, printed by cri-tools ``cmd/crictl/image.go``.
    """

    pinned: Mapping[str, bool]

    @classmethod
    def of(cls, document: Mapping[str, t.Any]) -> RuntimeImages:
        """Return what the parsed output of crictl says."""
        return cls(
            {
                name: bool(image.get("pinned"))
                for image in document.get("images") or ()
                for name in (*(image.get("repoDigests") or ()), *(image.get("repoTags") or ()))
            }
        )

    def lacking(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return those of ``names`` that CRI-O does not have."""
        return tuple(name for name in names if name not in self.pinned)

    def unpinned(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return those of ``names`` that CRI-O has and does not pin."""
        return tuple(name for name in names if not self.pinned.get(name, True))


def image_documents(
    index: BundleIndex, images: tuple[BundledImage, ...], present: RuntimeImages
) -> list[dict[str, t.Any]]:
    """Return each image with whether CRI-O has it and pins it."""
    return [
        {
            "name": str(image.name),
            "component": image.component,
            "reason": image.reason,
            "media_type": index.media_type_of(image),
            "present": str(image.name) in present.pinned,
            "pinned": present.pinned.get(str(image.name), False),
        }
        for image in images
    ]
