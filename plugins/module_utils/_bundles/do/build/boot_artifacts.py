# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Boot images from where a release's stream says that they are published."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.blob_sink import BlobSink
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.blob_sources import BlobSource
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import BundleFolder
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.folder_ownership import keep_blob
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.contents.yaml_documents import (
    yaml_documents,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.boot_artifacts import (
    BootArtifact,
    artifact_image,
    listed_artifacts,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.bundle_request import BundleRequest
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.gathered import GatheredImage
from ansible_collections.fieldops.openshift.plugins.module_utils._net.download import fetch
from ansible_collections.fieldops.openshift.plugins.module_utils._net.download_request import Download
from ansible_collections.fieldops.openshift.plugins.module_utils._net.http_client import HttpClient
from ansible_collections.fieldops.openshift.plugins.module_utils._net.transfer_errors import TransferError
from ansible_collections.fieldops.openshift.plugins.module_utils._net.urls import Url
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import Blob, BundleIndex
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest

_FOUND = 200


class AddressedSource:
    """A source that brings blobs of known ``addresses`` from there, and all others from ``registry``."""

    is_filling = False

    def __init__(self, client: HttpClient, addresses: Mapping[Digest, str], registry: BlobSource) -> None:
        self.name = registry.name
        self._client, self._addresses, self._registry = client, addresses, registry

    def fill(self, blob: Blob, sink: BlobSink, stop: int, deadline: Deadline) -> None:
        """Go on where ``sink`` ends."""
        address = self._addresses.get(blob.digest)
        if address is None:
            self._registry.fill(blob, sink, stop, deadline)
            return
        url = Url.parse(address, on="the stream of the release")
        download = Download(url, size=blob.size, stop=blob.size, digest=blob.digest)
        fetch(self._client, download, sink, deadline=deadline, hasher=sink)

    def close(self) -> None:
        """Leave both to their owners."""


@dataclass(frozen=True)
class BootArtifacts:
    """Finds out what the boot images of a release are. What ``previous`` has is not requested again."""

    request: BundleRequest
    client: HttpClient
    previous: BundleIndex | None
    deadline: Deadline

    def images(self, stream: bytes, keeping: BundleFolder | None, *, on: str) -> list[GatheredImage]:
        """Return one artifact for each platform; what is made of it here is kept in ``keeping``, if given."""
        (config_map,) = yaml_documents(stream, on=on)
        found = []
        for platform in self.request.boot_images:
            names = self.request.boot_image_streams
            listed = listed_artifacts(config_map, self.request.machine, platform, names, on=on)
            image, made = artifact_image(platform, [(one, self._size(one)) for one in listed])
            for digest, content in made.items() if keeping is not None else ():
                keep_blob(t.cast("BundleFolder", keeping), digest, content)
            found.append(image)
        return found

    def _size(self, artifact: BootArtifact) -> int:
        """Return how large a file is, which streams do not say."""
        known = self.previous.blobs.get(artifact.digest) if self.previous is not None else None
        if known is not None:
            return known.size
        answer = self.client.request("HEAD", artifact.address, deadline=self.deadline)
        told = answer.headers.get("Content-Length") or ""
        if answer.status != _FOUND or not (told.isascii() and told.isdigit() and int(told)):
            raise TransferError(
                "request the size of the boot image",
                on=Url.parse(artifact.address, on="the stream of the release").redacted,
                seen=f"the server answered with status {answer.status} and the size {told[:20] or 'none'}",
                advice="Check that this machine can reach the server, which is listed in the stream of the release.",
                status=answer.status,
            )
        return int(told)
