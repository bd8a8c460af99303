# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The images that CRI-O knows, as ``crictl images -o json`` lists them."""

from __future__ import annotations

import typing as t
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import (
    BundledImage,
    BundleIndex,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.json_document import Document


@dataclass(frozen=True)
class RuntimeImages:
    """All names of the images that CRI-O has, each with whether it is pinned.

    Source: the CRI's ListImagesResponse in the JSON form of protobuf, printed by cri-tools ``cmd/crictl/image.go``.
    """

    pinned: Mapping[str, bool]

    @classmethod
    def of(cls, document: object) -> RuntimeImages:
        """Return what the parsed output of crictl says; raise InvalidInputError for another form."""
        return cls(
            {
                name.text(): bool(image.as_a(dict).get("pinned"))
                for image in _listed(Document(document, "images that crictl lists"), "images")
                for key in ("repoDigests", "repoTags")
                for name in _listed(image, key)
            }
        )

    def lacking(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return those of ``names`` that CRI-O does not have."""
        return tuple(name for name in names if name not in self.pinned)

    def unpinned(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return those of ``names`` that CRI-O has and does not pin."""
        return tuple(name for name in names if not self.pinned.get(name, True))


def used_names(document: object) -> frozenset[str]:
    """Return what the parsed output of ``crictl ps --all`` calls the images of containers, by name or id.

    Raise InvalidInputError for another form. Source: the CRI's ListContainersResponse, cri-tools
    ``cmd/crictl/container.go``.
    """
    names = []
    for one in _listed(Document(document, "containers that crictl lists"), "containers"):
        image = one.get("image")
        names += [one.text("", "imageRef"), one.text("", "imageId"), image.text("", "image") if image else ""]
    return frozenset(name for name in names if name)


def _listed(parent: Document, key: str) -> list[Document]:
    found = parent.get(key)
    return [] if found is None else found.entries()


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
