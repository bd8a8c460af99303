# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The staged bundle that a node serves to itself: whether it answers for images, and which of its bytes are damaged."""

from __future__ import annotations

import typing as t
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.blob_facts import proved_blob
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import BundleFolder
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import remove_file
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staged_bundles import (
    staged_folder,
    staged_index,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.errors import ImageSourceError
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.source.mirrors import planned
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.source.plan.mirror_files import (
    MirrorSettings,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.source.served import lacking_images
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.source.settings import read_settings
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_errors import WrongContentError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import Blob, BundleIndex
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.listing import listed

_ATTEMPTED = "load the images"


@dataclass(frozen=True)
class OwnCopy:
    """A staged bundle on a node with an image source."""

    host: Host
    folder: BundleFolder
    index: BundleIndex
    settings: MirrorSettings

    @classmethod
    def of(cls, host: Host, digest: Digest) -> OwnCopy:
        """Return the copy; raises ImageSourceError where nothing serves it, NotStagedError, WrongContentError."""
        folder = staged_folder(host, digest)
        return cls(host, folder, staged_index(folder, digest), require_source(host))

    def require_served(self, names: Collection[str], deadline: Deadline) -> None:
        """Require that the source serves the images ``names``, so that no pull contacts a registry.

        Raises WrongContentError for damaged bytes, which are removed so that staging downloads them again, and
        ImageSourceError.
        """
        self._require_rules(deadline)
        self.require_sound_signatures()
        images = [image for image in self.index.images if str(image.name) in names]
        unserved = lacking_images(self.host, self.settings, images, deadline)
        for name in unserved:
            self.remove_damaged_of(name)
        if unserved:
            raise ImageSourceError(
                _ATTEMPTED,
                on=listed(unserved),
                seen="the image source of the node does not answer for them",
                advice="Check with fieldops.openshift.node_info which images are missing, and stage the bundle again.",
            )

    def require_sound_signatures(self) -> None:
        """Require that no signature is damaged: CRI-O would pull its image without it. Raises WrongContentError."""
        carried = {digest for one in self.index.signatures for digest in one.blobs} & self.index.blobs.keys()
        self._remove_damaged(carried, "signatures")

    def _require_rules(self, deadline: Deadline) -> None:
        stale = [change.path for change in planned(self.host, self.settings, deadline) if change.changed]
        if stale:
            raise ImageSourceError(
                _ATTEMPTED,
                on=", ".join(stale),
                seen="the mirror rules for the image source do not match the staged bundles",
                advice="Run the role fieldops.openshift.serve_images after each staging, then run this again.",
            )

    def remove_damaged_of(self, name: str, partial: Mapping[str, t.Any] | None = None) -> None:
        """Raise WrongContentError if bytes of the image ``name`` are damaged, after removing them."""
        for image in self.index.images:
            if str(image.name) == name:
                self._remove_damaged(image.blobs(), name, partial)

    def _remove_damaged(self, digests: Iterable[Digest], on: str, partial: Mapping[str, t.Any] | None = None) -> None:
        """Remove those of the blobs ``digests`` that have changed, and raise WrongContentError for them.

        A disk can lose bytes, and staging checks only names and sizes.
        """
        sizes = self.folder.sizes()[0]
        # Those of the base of a delta are here as well, and are in no index of it.
        known = (self.index.blobs.get(one) or Blob(one, sizes.get(one.hex, 0), "") for one in sorted(digests))
        damaged = [blob for blob in known if not self._is_right(blob)]
        for blob in damaged:
            remove_file(self.folder.blob(blob.digest))
        if damaged:
            raise WrongContentError(
                _ATTEMPTED,
                on=on,
                seen=f"the staged blobs {', '.join(str(blob.digest) for blob in damaged)} are missing or have "
                "changed since they were verified",
                advice="They were removed. Stage the bundle again, which downloads only them, and check the disk "
                "(dmesg).",
                partial=partial,
            )

    def _is_right(self, blob: Blob) -> bool:
        return proved_blob(self.folder.blob(blob.digest), blob, lambda _count: None) is not None


def require_source(host: Host) -> MirrorSettings:
    """Return the settings of the node's image source; raises ImageSourceError where it has none."""
    settings = read_settings(host)
    if settings is None:
        raise ImageSourceError(
            _ATTEMPTED,
            on=str(host),
            seen="the node has staged bundles, but no image source that serves them",
            advice="Set it up with the role fieldops.openshift.serve_images, then run this again.",
        )
    return settings
