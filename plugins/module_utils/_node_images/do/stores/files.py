# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""How the file of a store gets to its place on a node: a second name of the staged blob, or received by a job."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import (
    BundleFolder,
    verified_index,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.directories import ensure_directory
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_names import link_file
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import remove_file
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staged_bundles import (
    folder_for,
    staged_folders,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staging.stage_bundle import (
    look_at,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staging.staging_order import (
    StagingOrder,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.stores.slots import kept_index
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.errors import ImageStoreError
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.stores_slots import (
    STORES,
    StoreRecord,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import Blob, BundleIndex
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest


@dataclass(frozen=True)
class StoreFiles:
    """The staged bundle of an index on a host, and the files of its stores."""

    host: Host
    index: BundleIndex
    content: bytes
    folder: BundleFolder

    @classmethod
    def of(cls, host: Host, order: StagingOrder, deadline: Deadline) -> StoreFiles:
        """Return the bundle that was vetted, whose index may only be at a source so far. Raises what staging raises.

        Of a store that is in a slot the index is there, also when the bundle was cleaned up since.
        """
        kept = kept_index(host, order.digest)
        if kept is not None:
            index = verified_index(kept, order.digest, "the slot of its store")
            return cls(host, index, kept, folder_for(host, index))
        staging = look_at(host, order, deadline)
        return cls(host, staging.index, staging.content, folder_for(host, staging.index))

    def place(self, record: StoreRecord) -> bool:
        """Give the staged file its name among the stores; return whether it is there now, in full size."""
        target, blob = self.host.path(record.file), self.index.blobs[record.store.digest]
        if _size(target) == record.size:
            return True
        if target.exists():
            remove_file(target)
        ensure_directory(self.host.path(STORES))
        source = self._staged(blob)
        if source is None:
            return False
        if not link_file(source, target):
            raise ImageStoreError(
                "move the image store to its folder",
                on=record.file,
                seen=f"it is on another file system than {self.host.as_seen_by_host(source)}",
                advice="Use a single file system for /var/lib/fieldops: the store is never copied.",
            )
        return True

    def forget(self, record: StoreRecord) -> None:
        """Remove the file under all its names, because its bytes are not right: then it is fetched again."""
        remove_file(self.host.path(record.file))
        for folder in staged_folders(self.host):
            if folder.blobs.is_dir():
                remove_file(folder.blobs / record.store.digest.hex)

    def _staged(self, blob: Blob) -> Path | None:
        paths = (folder.blob(blob.digest) for folder in (self.folder, *staged_folders(self.host)))
        return next((path for path in paths if _size(path) == blob.size), None)


def job_id(digest: Digest) -> str:
    """Return the id of the job that receives the store of a bundle."""
    return f"store-{digest.short}"


def _size(path: Path) -> int | None:
    return path.stat().st_size if path.is_file() and not path.is_symlink() else None
