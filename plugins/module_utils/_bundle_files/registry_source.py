# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The registries that a bundle is built from, as a source of its blobs. Nodes have none, and do not carry this file."""

from __future__ import annotations

from collections.abc import Callable

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.blob_sink import BlobSink
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.registry_client import RegistryClient
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import Blob
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference


class RegistrySource:
    """The registries behind ``client``; ``image_of`` returns the image in whose repository a blob is requested."""

    is_filling = False
    name = "registry"

    def __init__(self, client: RegistryClient, image_of: Callable[[Digest], ImageReference]) -> None:
        self._client = client
        self._image_of = image_of

    def fill(self, blob: Blob, sink: BlobSink, stop: int, deadline: Deadline) -> None:
        """Ask for the whole blob, or only for the part that is wanted of it."""
        image = self._image_of(blob.digest)
        if stop == blob.size:
            self._client.blob(image, blob.digest, blob.size, sink, deadline=deadline)
            return
        part = self._client.part(image, blob.digest, sink.position, stop, blob.size, deadline=deadline)
        sink.write(memoryview(part))
        sink.update(memoryview(part))

    def close(self) -> None:
        """Leave the client to its owner."""
