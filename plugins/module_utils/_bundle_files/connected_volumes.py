# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which drives of a bundle on several drives are connected, and which are needed for the rest."""

from __future__ import annotations

import contextlib
import typing as t
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.blob_sources import IndexSource
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import BundleFolder
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.parity import ParitySource, parity_digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_errors import NoSourceError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import Blob, BundleIndex
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_volumes import (
    NeededVolume,
    NeedsVolumeError,
    VolumeSet,
    needed_volumes,
    needs_sentence,
    read_volumes,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError


def _read(content: bytes | None, index: BundleIndex) -> tuple[str, VolumeSet | None]:
    """Return the name of a drive, and all drives, if ``content`` is about this bundle. Raises InvalidInputError."""
    name, volumes = read_volumes(content, on="the drives of the bundle") if content is not None else ("", None)
    return name, volumes if volumes is not None and volumes.index_digest == index.digest else None


@dataclass(frozen=True)
class ConnectedVolumes:
    """The drives of the bundle of ``index``, and the folders of those that are connected, by name."""

    index: BundleIndex
    volumes: VolumeSet
    folders: dict[str, BundleFolder]

    @classmethod
    def of(cls, folders: Iterable[BundleFolder], index: BundleIndex) -> ConnectedVolumes | None:
        """Return what the documents in ``folders`` say of this bundle; None if no folder has a usable one."""
        found: dict[str, BundleFolder] = {}
        volumes = None
        for folder in folders:
            with contextlib.suppress(FieldOpsError):
                name, document = _read(folder.volume_bytes(), index)
                volumes = volumes or document
                if document is not None:
                    found.setdefault(name, folder)
        return cls(index, volumes, found) if volumes is not None else None

    @classmethod
    def elsewhere_by(
        cls, sources: Iterable[IndexSource], index: BundleIndex, deadline: Deadline
    ) -> ConnectedVolumes | None:
        """Return what ``sources`` of other machines say, whose drives are not connected here; None if nothing."""
        for source in sources:
            with contextlib.suppress(FieldOpsError):
                _name, volumes = _read(source.volume_content(deadline), index)
                if volumes is not None:
                    return cls(index, volumes, {})
        return None

    def needed(self, missing: Iterable[Blob]) -> list[NeededVolume]:
        """Return the drives that are not connected and have what is ``missing``."""
        return needed_volumes(missing, self.volumes, self.folders)

    def as_document(self) -> dict[str, t.Any]:
        """Return which drives are connected, and which there are, as results show it."""
        parity = self.volumes.parity
        every = [*self.volumes.volumes, *([parity] if parity is not None else [])]
        return {
            "names": sorted(self.folders),
            "others": [{"name": one.name, "label": one.label} for one in every if one.name not in self.folders],
        }

    def elsewhere(self) -> set[Digest]:
        """Return the blobs that only drives have that are not connected."""
        here = {digest for one in self.volumes.volumes if one.name in self.folders for digest in one.blobs}
        return {digest for one in self.volumes.volumes for digest in one.blobs} - here

    def parity_is_intact(self) -> bool | None:
        """Read the parity and return whether it is as it was written; None if its drive is not connected."""
        parity = self.volumes.parity
        if parity is None or parity.name not in self.folders:
            return None
        return parity_digest(self.folders[parity.name]) == self.volumes.parity_digest

    def parity_sources(self, shelves: Sequence[BundleFolder]) -> list[ParitySource]:
        """Return the source that rebuilds blobs of a drive from all others, if the drive with the parity is here."""
        parity = self.volumes.parity
        folder = self.folders.get(parity.name) if parity is not None else None
        if folder is None:
            return []
        return [ParitySource(folder, self.volumes, self.index, (*shelves, *self.folders.values()))]

    def explained(self, error: NoSourceError, missing: Sequence[Blob], total: int, on: str) -> NoSourceError:
        """Return ``error``, or what to connect for what is ``missing`` of ``total`` bytes."""
        needed = self.needed(missing)
        if not needed:
            return error
        needs: NoSourceError = NeedsVolumeError(
            "complete the bundle",
            on=on,
            seen=needs_sentence(missing, total, needed, self.volumes),
            advice="Connect it, in place of others or in addition, and run this again. What is there is kept.",
            partial={**error.partial, "needed_volumes": [one.as_document() for one in needed]},
        )
        return needs
