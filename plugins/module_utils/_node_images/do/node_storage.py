# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The content of the container storage of this node, and the space on its disks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import read_file
from ansible_collections.fieldops.openshift.plugins.module_utils._host.free_space import free_space
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.kubelet_settings import (
    kubelet_settings,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.errors import NotEnoughSpaceError
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.eviction import IMAGEFS, NODEFS
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.forecast import (
    FileSystem,
    KubeletPlace,
    Need,
    Verdict,
    judge,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.reclaim import (
    NOTHING_LEAVES,
    ReclaimPlan,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.storage_books import StorageBooks
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.stored_images import StoredImages
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.toml_reader import read_toml
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import MIB

STORAGE_CONF = ("/etc/containers/storage.conf", "/usr/share/containers/storage.conf")
SPOOL = "/var/tmp"  # noqa: S108 - measured here, nothing is written
"""Where containers/image puts layers while it loads them (``internal/tmpdir``), unless it is configured otherwise."""

KUBELET_HOME = "/var/lib/kubelet"
"""The kubelet's own directory, whose file system is its nodefs."""

_LARGEST_BOOK = 256 * MIB


@dataclass(frozen=True)
class Storage:
    """Where the node's container storage is; see containers-storage.conf(5)."""

    root: str = "/var/lib/containers/storage"
    driver: str = "overlay"
    run_root: str = "/run/containers/storage"

    @classmethod
    def of(cls, host: Host) -> Storage:
        """Return the storage that the host is configured with."""
        for path in STORAGE_CONF:
            content = read_file(host.path(path))
            if content is not None:
                table = read_toml(content.decode(errors="replace"), path).get("storage", {})
                found = (table.get(name) for name in ("graphroot", "driver", "runroot"))
                return cls(*(one or usual for one, usual in zip(found, (cls.root, cls.driver, cls.run_root))))
        return cls()

    def read(self, host: Host) -> StoredImages:
        """Return the content of the storage by its metadata; a storage that was never used is empty."""
        return StoredImages.of(self._book(host, "images/images.json"), self._book(host, "layers/layers.json"))

    def books(self, host: Host) -> StorageBooks:
        """Return the same with the layers of images and what uses them, including exited containers."""
        made = [self._book(host, f"containers/{name}containers.json") for name in ("", "volatile-")]
        mounts = read_file(host.path(f"{self.run_root}/{self.driver}-layers/mountpoints.json"), limit=_LARGEST_BOOK)
        images, layers = self._book(host, "images/images.json"), self._book(host, "layers/layers.json")
        return StorageBooks.of(images, layers, made, mounts or b"")

    def file_of_layer(self, host: Host, layer: str, path: str) -> bytes | None:
        """Return a file of a layer; None if it has no such file, or stores files in another form."""
        return read_file(host.path(f"{self.root}/{self.driver}/{layer}/diff/{path}"))

    def _book(self, host: Host, name: str) -> bytes:
        return read_file(host.path(f"{self.root}/{self.driver}-{name}"), limit=_LARGEST_BOOK) or b""


def judge_space(host: Host, needs: Iterable[Need], keep_free_percent: int | None) -> tuple[Verdict, ...]:
    """Return whether ``needs`` fit on the file systems of the host as they are now and leave its kubelet content.

    Raises InvalidInputError for an invalid percentage.
    """
    settings = kubelet_settings(host)
    kubelet = [
        KubeletPlace(file_system(host, Storage.of(host).root).device, settings.gc, settings.of_signal(IMAGEFS)),
        KubeletPlace(file_system(host, KUBELET_HOME).device, evictions=settings.of_signal(NODEFS)),
    ]
    return judge(((need, file_system(host, need.path)) for need in needs), keep_free_percent, kubelet)


def file_system(host: Host, path: str) -> FileSystem:
    """Return the file system on which ``path`` of the host is or would be."""
    space = free_space(host.path(path))
    return FileSystem(space.path.stat().st_dev, host.as_seen_by_host(space.path), space.total, space.free)


def require_space(verdicts: Sequence[Verdict], reclaimable: ReclaimPlan = NOTHING_LEAVES) -> None:
    """Raise NotEnoughSpaceError with the numbers of every file system that is too small.

    ``reclaimable`` is what could be removed and does not count.
    """
    lacking = [verdict for verdict in verdicts if verdict.lacking]
    if lacking:
        raise NotEnoughSpaceError(
            "stage the bundle",
            on=", ".join(verdict.file_system.path for verdict in lacking),
            seen="; ".join(verdict.sentence for verdict in lacking),
            advice="Free that much space, or stage fewer images. keep_free_percent sets another share of free space. "
            f"Nothing was written.{_room_to_make(reclaimable)}",
            partial={"forecast": [verdict.as_document() for verdict in verdicts]},
        )


def _room_to_make(plan: ReclaimPlan) -> str:
    return "" if plan.is_empty else f" A reclaim, which is not enabled, {plan.sentence}."
