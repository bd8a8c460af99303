# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a release says about itself: image-references and release-metadata of its payload.

Sources: openshift/oc ``pkg/cli/admin/release/new.go``; openshift/cincinnati ``docs/design``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.payload_document import PayloadDocument
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference

REFERENCES = "release-manifests/image-references"
METADATA = "release-manifests/release-metadata"
MOST_COMPONENTS = 2000

_COMPONENT = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,127}", re.ASCII)
_VERSION = re.compile(r"[0-9A-Za-z][0-9A-Za-z.+-]{0,127}", re.ASCII)
# The entry that names the OS image is followed by its extensions; both go by these names from 4.12 to 5.x.
_OS_IMAGE = re.compile(r"(?:rhel-coreos|stream-coreos|fedora-coreos|machine-os-content)(?:-[a-z0-9.-]+)?", re.ASCII)


@dataclass(frozen=True)
class Component:
    """One image of a release: ``name`` is its tag in image-references."""

    name: str
    image: ImageReference

    @property
    def is_os_image(self) -> bool:
        """Whether it is an operating system image or its extensions."""
        return _OS_IMAGE.fullmatch(self.name) is not None


@dataclass(frozen=True)
class ReleasePayload:
    """The version, the components and the versions that may be updated from."""

    version: str
    components: tuple[Component, ...]
    previous: tuple[str, ...]


def parse_payload(references: bytes, metadata: bytes, *, on: str) -> ReleasePayload:
    """Return the payload in the two documents of the release image ``on``; raise PayloadError where they are wrong."""
    version, components = parse_references(references, on=f"image-references of {on}")
    about = PayloadDocument.parse(metadata, on=f"release-metadata of {on}")
    if about["kind"].text() != "cincinnati-metadata-v0":
        raise about.broken(f"its kind is {about['kind'].text()[:60]!r}")
    if about["version"].text() != version:
        raise about.broken(f"its version is {about['version'].text()[:60]!r}, that of image-references {version!r}")
    listed = about.get("previous")
    previous = tuple(_version(entry) for entry in listed.entries()) if listed is not None else ()
    return ReleasePayload(version, components, previous)


def parse_references(content: bytes, *, on: str) -> tuple[str, tuple[Component, ...]]:
    """Return version and components of an image-references document, sorted by name."""
    document = PayloadDocument.parse(content, on=on)
    if (document["kind"].text(), document["apiVersion"].text()) != ("ImageStream", "image.openshift.io/v1"):
        raise document.broken("it is not an ImageStream of image.openshift.io/v1")
    entries = document["spec"]["tags"].entries()
    if not 0 < len(entries) <= MOST_COMPONENTS:
        raise document.broken(f"it has {len(entries)} tags")
    components = sorted((_component(entry) for entry in entries), key=lambda component: component.name)
    names = [component.name for component in components]
    if len(set(names)) != len(names):
        raise document.broken("a component is listed twice")
    return _version(document["metadata"]["name"]), tuple(components)


def _component(entry: PayloadDocument) -> Component:
    name = entry["name"].text()
    if not _COMPONENT.fullmatch(name):
        raise entry.broken(f"the component {name[:60]!r} has characters that are not allowed in a tag")
    source = entry["from"]
    if source["kind"].text() != "DockerImage":
        raise source.broken(f"component {name} is not a DockerImage but {source['kind'].text()[:60]!r}")
    try:
        image = ImageReference.parse(source["name"].text())
    except InvalidInputError as error:
        raise source.broken(f"component {name}: {error.seen}") from error
    if not image.is_pinned:
        raise source.broken(f"component {name} is not named by digest: {str(image)[:200]!r}")
    return Component(name, image.by_digest())


def _version(entry: PayloadDocument) -> str:
    if not _VERSION.fullmatch(entry.text()):
        raise entry.broken(f"{entry.text()[:60]!r} is not a version")
    return entry.text()
