# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which boot images are the right ones: CoreOS streams as the ConfigMap ``coreos-bootimages`` carries them.

Source: github.com/coreos/stream-metadata-go, stream; installer, hack/build-coreos-manifest.go.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.errors import MalformedError, StreamError
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.documents import (
    Document,
    mapping_at,
    text_at,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.architecture import Architecture

CONFIG_MAP_NAME = "coreos-bootimages"
CONFIG_MAP_NAMESPACE = "openshift-machine-config-operator"
DEFAULT_LABEL = "rhel-9"
"""The stream that an operator means by the key ``stream``: machine-config-operator, OSImageStreamRHCOS9."""


@dataclass(frozen=True)
class Artifact:
    """A file that holds a boot image; ``location`` is empty where the stream has none."""

    release: str = ""
    format: str = ""
    location: str = ""
    sha256: str = ""

    def as_data(self) -> dict[str, str]:
        """Return the file as results show it."""
        return {"release": self.release, "format": self.format, "location": self.location, "sha256": self.sha256}


@dataclass(frozen=True)
class Stream:
    """One stream. Its methods raise MalformedError where the document is not of the known form."""

    name: str
    document: Document = field(repr=False)

    def architecture(self, architecture: Architecture) -> Document:
        """Return what the stream has for an architecture, empty for nothing."""
        return mapping_at(self.document, "architectures", architecture.release)

    def cloud(self, architecture: Architecture, name: str) -> Document:
        """Return the images of a cloud that has them ready, such as ``aws``, ``gcp`` and ``powervs``."""
        return mapping_at(self.architecture(architecture), "images", name)

    def artifact(self, architecture: Architecture, name: str, form: str) -> Artifact:
        """Return the file of a platform in one format, such as ``vmware`` and ``ova``."""
        found = mapping_at(self.architecture(architecture), "artifacts", name)
        disk = mapping_at(found, "formats", form, "disk")
        return Artifact(text_at(found, "release"), form, text_at(disk, "location"), text_at(disk, "sha256"))

    def azure_marketplace(self, architecture: Architecture) -> Document:
        """Return the images in Azure's marketplace by variant and generation, empty where there are none (OKD)."""
        return mapping_at(self.architecture(architecture), "rhel-coreos-extensions", "marketplace", "azure")

    def licensed_for_windows(self, architecture: Architecture) -> Document:
        """Return the images in Amazon's cloud that a licence of Windows belongs to, for virtual machines on them."""
        return mapping_at(self.architecture(architecture), "rhel-coreos-extensions", "aws-winli")

    def amis(self) -> Iterator[tuple[str, str]]:
        """Yield each image in Amazon's cloud with its release, of all architectures and regions."""
        for content in mapping_at(self.document, "architectures").values():
            for region in mapping_at(content, "images", "aws", "regions").values():
                yield text_at(region, "image"), text_at(region, "release")


@dataclass(frozen=True)
class Streams:
    """All that the cluster says about boot images.

    ``version`` is the release that the ConfigMap belongs to, ``operator_version`` that of the operator which has
    stamped it, empty without a stamp. ``flaw`` says what is wrong with the streams that are listed by name.
    """

    default: Stream
    named: Mapping[str, Stream] = field(default_factory=dict)
    version: str = ""
    operator_version: str = ""
    flaw: str = ""

    def of_label(self, label: str) -> Stream | None:
        """Return the stream that machines with ``label`` as their stream use; an empty label is the default one."""
        if label in self.named:
            return self.named[label]
        return self.default if label in ("", DEFAULT_LABEL, self.default.name) else None

    def every(self) -> tuple[Stream, ...]:
        """Return all streams, the default one first."""
        return (self.default, *(one for name, one in sorted(self.named.items()) if name != self.default.name))


def read_streams(config_map: Document | None) -> Streams:
    """Return the streams of the ConfigMap; raise StreamError where there is none or ``stream`` cannot be read.

    Older installers write only ``stream``; newer ones list all streams under ``streams`` next to it. A flaw in the
    latter leaves the former usable.
    """
    if config_map is None:
        raise _broken("it does not exist", "Check that the cluster runs OpenShift 4.10 or newer.")
    content = mapping_at(config_map, "data")
    raw = content.get("stream")
    if not isinstance(raw, str) or not raw:
        raise _broken("it has no key stream", "The cluster version operator restores it from the release.")
    named, flaw = _named(content.get("streams"))
    return Streams(
        _stream(_json(raw, "stream"), "stream"),
        named,
        version=_plain(content.get("releaseVersion")),
        operator_version=_plain(content.get("MCOReleaseImageVersion")),
        flaw=flaw,
    )


def streams_of_document(document: object) -> Streams:
    """Return the streams that a document, as ``openshift-install coreos print-stream-json`` prints it, stands for."""
    return Streams(_stream(document, "the given document"))


def _named(raw: object) -> tuple[dict[str, Stream], str]:
    if raw is None:
        return {}, ""
    try:
        listed = _json(raw, "streams")
        if not isinstance(listed, Mapping):
            raise _broken("the key streams is not a mapping", "")
        return {str(name): _stream(one, "streams", str(name)) for name, one in listed.items() if name}, ""
    except StreamError as error:
        return {}, error.seen


def _json(raw: object, key: str) -> object:
    try:
        return json.loads(str(raw))
    except (ValueError, RecursionError) as error:
        raise _broken(f"the key {key} is not JSON: {str(error)[:100]}", _RESTORED) from error


def _stream(document: object, place: str, name: str = "") -> Stream:
    try:
        content = mapping_at(document)
        mapping_at(content, "architectures")
        if not content.get("architectures"):
            raise _broken(f"{place} lists no architectures", _RESTORED)
        return Stream(name or text_at(content, "stream"), content)
    except MalformedError as error:
        raise _broken(f"{place} is not a stream: {error.on} is {error.seen}", _RESTORED) from error


def _plain(value: object) -> str:
    return value if isinstance(value, str) else ""


_RESTORED = "Remove the manual changes. The cluster version operator restores it from the release."


def _broken(seen: str, advice: str) -> StreamError:
    on = f"ConfigMap {CONFIG_MAP_NAMESPACE}/{CONFIG_MAP_NAME}"
    return StreamError("read the boot images of the release", on=on, seen=seen, advice=advice or _RESTORED)
