# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The scratch space in which an image store grows: private, and nothing of it stays, neither mounts nor files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.stores.image_store_copy import (
    POLICY,
    STORAGE_CONF,
    ScratchStorage,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.directories import (
    ensure_directory,
    ensure_private_directory,
    remove_tree,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import DiskFullError, FileAccessError
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import write_file, write_json
from ansible_collections.fieldops.openshift.plugins.module_utils._host.free_space import free_space
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._host.mounts import (
    MountError,
    WantedMount,
    ensure_mounted,
    ensure_unmounted,
    read_mounts,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import BundleIndex
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import format_size

GROWTH = 3
"""What a layer of unknown unpacked size is expected to become, in its own sizes."""

ORPHAN_SECONDS = 120.0


class StoreScratch:
    """A context manager; a run that was killed left at most a folder and mounts, which the next one takes away."""

    def __init__(self, host: Host, base: Path, index: BundleIndex, deadline: Deadline) -> None:
        self._host = host
        self._index = index
        self._deadline = deadline
        self.path = base.resolve() / f"fieldops-image-store-{index.digest.short}"
        self.policy = self.path / "policy.json"
        self.conf = self.path / "storage.conf"

    def __enter__(self) -> StoreScratch:
        self._clear()
        self._require_space()
        ensure_private_directory(self.path)
        write_json(self.policy, POLICY)
        write_file(self.conf, STORAGE_CONF)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._clear()

    def storage(self, bases: Sequence[tuple[Path, str]]) -> ScratchStorage:
        """Return the storage to fill; ``bases`` are files of stores with their file systems, nearest first."""
        places = []
        for number, (file, filesystem) in enumerate(bases):
            place = self.path / f"base-{number}"
            ensure_directory(place)
            wanted = WantedMount(str(file.resolve()), str(place), filesystem, ("ro", "nodev"))
            ensure_mounted(self._host, wanted, deadline=self._deadline)
            places.append(str(place))
        tree = self.path / "store"
        ensure_directory(tree)
        return ScratchStorage(str(tree), str(self.path / "run"), tuple(places))

    def settle(self) -> None:
        """Take away what the storage's driver left mounted in it, so that its files are seen as they are."""
        ensure_unmounted(self._host, str(self.path / "store/overlay"), deadline=self._deadline)

    def _clear(self) -> None:
        """Take everything away; a copy that a killed run began may continue for a while and is waited for."""
        patience = self._deadline.within(ORPHAN_SECONDS)
        while not self._cleared(give_up=patience.expired):
            patience.pause(0.2)

    def _cleared(self, *, give_up: bool) -> bool:
        try:
            self._take_away()
        except (FileAccessError, MountError):
            if give_up:
                raise
            return False
        return True

    def _take_away(self) -> None:
        inside = f"{self.path}{os.sep}"
        places = {mount.mount_point for mount in read_mounts(self._host) if mount.mount_point.startswith(inside)}
        for place in sorted(places, key=len, reverse=True):
            ensure_unmounted(self._host, place, deadline=self._deadline)
        remove_tree(self.path)
        if self.path.exists():
            # Something vanished while it was removed, so it is still in use.
            raise FileAccessError(
                "clear the scratch folder",
                on=str(self.path),
                seen="a process of an earlier run is still changing files in it",
                advice="Find the process with fuser -v on that folder, stop it, and run this again.",
            )

    def _require_space(self) -> None:
        sizes = (blob.unpacked_size or blob.size * GROWTH for blob in self._index.blobs.values())
        needed, space = sum(sizes), free_space(self.path.parent)
        if not space.takes(needed):
            raise DiskFullError(
                "create the image store",
                on=str(self.path.parent),
                seen=f"the unpacked images require {format_size(needed)}, {format_size(space.free)} are free",
                advice="Free this space, or set another scratch folder on ext4 or XFS.",
            )
