# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What this node's container storage holds, and how much room its disks have."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import read_file
from ansible_collections.fieldops.openshift.plugins.module_utils._host.free_space import free_space
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.kubelet_settings import (
    kubelet_settings,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.eviction import IMAGEFS, NODEFS
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.forecast import (
    FileSystem,
    KubeletPlace,
    Need,
    Verdict,
    judge,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.stored_images import StoredImages
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.toml_reader import read_toml
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import MIB

if t.TYPE_CHECKING:
    from collections.abc import Iterable

    from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host

STORAGE_CONF = ("/etc/containers/storage.conf", "/usr/share/containers/storage.conf")
SPOOL = "/var/tmp"  # noqa: S108 - measured here, nothing is written
"""Where containers/image puts layers while it loads them (``internal/tmpdir``), unless it is told otherwise."""

KUBELET_HOME = "/var/lib/kubelet"
"""The kubelet's own directory, whose file system is its nodefs."""

_LARGEST_BOOK = 256 * MIB


@dataclass(frozen=True)
class Storage:
    """Where the node's container storage lies; see containers-storage.conf(5)."""

    root: str = "/var/lib/containers/storage"
    driver: str = "overlay"

    @classmethod
    def of(cls, host: Host) -> Storage:
        """Return the storage that the host is configured with."""
        for path in STORAGE_CONF:
            content = read_file(host.path(path))
            if content is not None:
                table = read_toml(content.decode(errors="replace"), path).get("storage", {})
                return cls(table.get("graphroot") or cls.root, table.get("driver") or cls.driver)
        return cls()

    def read(self, host: Host) -> StoredImages:
        """Return what the storage's own books say; a storage that was never used holds nothing."""
        images = read_file(host.path(f"{self.root}/{self.driver}-images/images.json"), limit=_LARGEST_BOOK)
        layers = read_file(host.path(f"{self.root}/{self.driver}-layers/layers.json"), limit=_LARGEST_BOOK)
        return StoredImages.of(images or b"", layers or b"")


def judge_space(host: Host, needs: Iterable[Need], keep_free_percent: int | None) -> tuple[Verdict, ...]:
    """Return whether ``needs`` fit on the file systems of the host as they are now and leave its kubelet content.

    Raises InvalidInputError for a share that is none.
    """
    settings = kubelet_settings(host)
    kubelet = [
        KubeletPlace(file_system(host, Storage.of(host).root).device, settings.gc, settings.of_signal(IMAGEFS)),
        KubeletPlace(file_system(host, KUBELET_HOME).device, evictions=settings.of_signal(NODEFS)),
    ]
    return judge(((need, file_system(host, need.path)) for need in needs), keep_free_percent, kubelet)


def file_system(host: Host, path: str) -> FileSystem:
    """Return the file system on which ``path`` of the host lies or would lie."""
    space = free_space(host.path(path))
    return FileSystem(space.path.stat().st_dev, host.as_seen_by_host(space.path), space.total, space.free)
