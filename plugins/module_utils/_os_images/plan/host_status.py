# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a host is made of: booted, staged and rollback deployment, the same for bootc and rpm-ostree."""

from __future__ import annotations

import enum
import typing as t
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.image_spec import ImageSpec


class Backend(str, enum.Enum):
    """The program that changes the OS image of a host."""

    BOOTC = "bootc"
    RPM_OSTREE = "rpm_ostree"


@dataclass(frozen=True)
class Entry:
    """One deployment. ``soft_reboot_capable`` and ``download_only`` are None where the version does not know them.

    ``digest`` is that of the image's manifest, ``cached_digest`` that of an update which was seen but not staged.
    ``incompatible`` means local changes of rpm-ostree (layered packages, overrides), ``layered`` are those packages,
    which only rpm-ostree reports. ``checksum`` is the ostree commit, absent on composefs,
    where ``verity`` names the deployment.
    """

    image: ImageSpec | None = None
    digest: str | None = None
    version: str | None = None
    timestamp: str | None = None
    architecture: str | None = None
    incompatible: bool = False
    layered: tuple[str, ...] = ()
    pinned: bool = False
    soft_reboot_capable: bool | None = None
    download_only: bool | None = None
    cached_digest: str | None = None
    stateroot: str | None = None
    checksum: str | None = None
    serial: int | None = None
    is_composefs: bool = False
    verity: str | None = None

    def as_document(self) -> dict[str, t.Any]:
        """Return the deployment as module results show it."""
        image = self.image
        return {
            "image": image.name if image else None,
            "transport": image.transport if image else None,
            "signature": image.signature if image else None,
            "digest": self.digest,
            "named_digest": image.digest if image else None,
            "version": self.version,
            "timestamp": self.timestamp,
            "architecture": self.architecture,
            "incompatible": self.incompatible,
            "layered": list(self.layered),
            "pinned": self.pinned,
            "soft_reboot_capable": self.soft_reboot_capable,
            "download_only": self.download_only,
            "cached_update_digest": self.cached_digest if self.cached_digest != self.digest else None,
            "stateroot": self.stateroot,
            "checksum": self.checksum,
            "storage": "composefs" if self.is_composefs else "ostree",
        }


@dataclass(frozen=True)
class HostStatus:
    """The deployments of a host at one moment, as ``backend`` reports them."""

    backend: Backend
    booted: Entry
    staged: Entry | None = None
    rollback: Entry | None = None
    rollback_queued: bool = False
    others: tuple[Entry, ...] = ()
    update_driver: str | None = None
    transaction: str | None = None

    def all(self) -> tuple[Entry, ...]:
        """Return every deployment."""
        found = (self.staged, self.booted, self.rollback, *self.others)
        return tuple(one for one in found if one is not None)

    @property
    def armed(self) -> Entry | None:
        """The deployment that a clean reboot would make the booted one, None when the booted one stays."""
        if self.staged is not None and not self.staged.download_only:
            return self.staged
        return self.rollback if self.rollback_queued else None

    @property
    def next_boot(self) -> Entry:
        """What the host is made of after its next clean reboot."""
        return self.armed or self.booted

    @property
    def next_boot_name(self) -> str:
        """Which of the deployments that is."""
        if self.staged is not None and self.armed is self.staged:
            return "staged"
        return "rollback" if self.rollback_queued else "booted"

    def as_document(self) -> dict[str, t.Any]:
        """Return all of it as module results show it."""
        return {
            "backend": self.backend.value,
            "booted": self.booted.as_document(),
            "staged": self.staged.as_document() if self.staged else None,
            "rollback": self.rollback.as_document() if self.rollback else None,
            "others": [one.as_document() for one in self.others],
            "rollback_queued": self.rollback_queued,
            "next_boot": self.next_boot_name,
            "update_driver": self.update_driver,
        }
