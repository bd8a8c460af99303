# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What new machines of a release boot: listed by the stream in the release image, carried as one artifact a platform.

Sources: openshift/installer ``hack/build-coreos-manifest.go`` and ``data/data/coreos/coreos-rhel-9.json``;
coreos/stream-metadata-go; OCI image specification, ``manifest.md``, "Guidelines for Artifact Usage".
"""

from __future__ import annotations

import hashlib
import json
import re
import typing as t
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.gathered import GatheredImage
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.manifests import Descriptor
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.payload_document import PayloadDocument
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.architecture import Architecture
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.boot_artifacts import (
    BOOT_ARTIFACT_TYPE,
    BOOT_ARTIFACTS,
    TITLE,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.media_types import OCI_MANIFEST

STREAM = "release-manifests/0000_50_installer_coreos-bootimages.yaml"
"""The ConfigMap coreos-bootimages in a release image."""
FORMATS: Mapping[str, tuple[str, ...]] = {"metal": ("iso", "pxe", "raw.gz"), "vmware": ("ova",)}
"""What of a platform's artefacts travels: live image, network boot, disk; and a template for vSphere."""
EMPTY = b"{}"
_EMPTY_TYPE = "application/vnd.oci.empty.v1+json"
_FILE_TYPE = "application/octet-stream"
_ADDRESS = re.compile(r"https?://[!-~]{1,2000}", re.ASCII)
_FILE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,199}", re.ASCII)
_HEX = re.compile(r"[0-9a-f]{64}", re.ASCII)


@dataclass(frozen=True)
class BootArtifact:
    """One file of a stream: where it is published, and what it must be."""

    platform: str
    release: str
    file: str
    address: str
    digest: Digest


def listed_artifacts(
    config_map: object, machine: Architecture, platform: str, streams: Sequence[str], *, on: str
) -> tuple[BootArtifact, ...]:
    """Return the files of a platform in the default stream of a ConfigMap, or in those of its streams that are named.

    Raise PayloadError where one is not listed.
    """
    data = PayloadDocument(config_map, on)["data"]
    key = "streams" if streams else "stream"
    listed = PayloadDocument.parse(data[key].text().encode(), on=f"{key} in {on}")
    documents = [listed[name] for name in streams] or [listed]
    found = [_files(platform, one["architectures"][machine.release]["artifacts"][platform]) for one in documents]
    return tuple({one.digest: one for files in found for one in files}.values())


def artifact_image(
    platform: str, artifacts: Iterable[tuple[BootArtifact, int]]
) -> tuple[GatheredImage, Mapping[Digest, bytes]]:
    """Return the artifact of ``platform`` with its files and their sizes, and the blobs of it that are made here."""
    layers = tuple(Descriptor(one.digest, size, _FILE_TYPE, {TITLE: one.file}, one.address) for one, size in artifacts)
    config = Descriptor(_digest(EMPTY), len(EMPTY), _EMPTY_TYPE)
    document = {
        "schemaVersion": 2,
        "mediaType": OCI_MANIFEST,
        "artifactType": BOOT_ARTIFACT_TYPE,
        "config": _described(config),
        "layers": [_described(layer) for layer in layers],
    }
    content = json.dumps(document, sort_keys=True, separators=(",", ":")).encode()
    manifest = Descriptor(_digest(content), len(content), OCI_MANIFEST)
    name = ImageReference.parse(f"{BOOT_ARTIFACTS}/{platform}@{manifest.digest}")
    image = GatheredImage(name, "file", None, None, (manifest,), (config, *layers), layers)
    return image, {manifest.digest: content, config.digest: EMPTY}


def _files(platform: str, listed: PayloadDocument) -> Iterable[BootArtifact]:
    release = listed["release"].text()
    for kind in FORMATS[platform]:
        parts = dict(listed["formats"][kind].items())
        for one in parts.values():
            address = one["location"].matching(_ADDRESS, "an address")
            name = address.partition("?")[0].rpartition("/")[2]
            if not _FILE.fullmatch(name):
                raise one.broken(f"the file {name[:60]!r} has characters that are not allowed in a file name")
            yield BootArtifact(platform, release, name, address, Digest(one["sha256"].matching(_HEX, "a sha256")))


def _described(blob: Descriptor) -> dict[str, t.Any]:
    plain = {"mediaType": blob.media_type, "digest": str(blob.digest), "size": blob.size}
    return {**plain, "annotations": dict(blob.annotations)} if blob.annotations else plain


def _digest(content: bytes) -> Digest:
    return Digest(hashlib.sha256(content).hexdigest())
