# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Settings besides the OS image that can change it unnoticed: timers, marks for a reboot, a lost staging."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping
from dataclasses import dataclass, field

from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.host_status import HostStatus

TIMERS = ("bootc-fetch-apply-updates.timer", "rpm-ostreed-automatic.timer")
"""Both stage, and the first also reboots, whenever they like."""

_ABSENT = ("", "not-found")
_RUNS = ("enabled", "enabled-runtime", "static", "alias", "indirect", "linked")

REBOOT_MARK = "/run/reboot-required"
_BOOTC_MARK = "bootc: Reboot required"


@dataclass(frozen=True)
class Record:
    """What we keep on a host between two runs: timers as they were before we masked them, what we staged when.

    ``manifests`` has, for digests of manifest lists that were requested, the digest of this architecture's manifest.
    """

    timers: Mapping[str, str] = field(default_factory=dict)
    staged_digest: str | None = None
    staged_boot: str | None = None
    staged_at: str | None = None
    manifests: Mapping[str, str] = field(default_factory=dict)

    def to_document(self) -> dict[str, t.Any]:
        """Return the JSON document of this record."""
        staged = {"digest": self.staged_digest, "bootId": self.staged_boot, "at": self.staged_at}
        return {
            "schemaVersion": 1,
            "timers": dict(self.timers),
            "staged": staged if self.staged_digest else None,
            "manifests": dict(self.manifests),
        }

    @classmethod
    def from_document(cls, document: t.Any) -> Record:
        """Return the record in ``document``; what is missing or of another schema is as if never written."""
        if not isinstance(document, dict) or document.get("schemaVersion") != 1:
            return cls()
        timers, manifests = (_texts(document.get(name)) for name in ("timers", "manifests"))
        staged = document.get("staged")
        staging = staged if isinstance(staged, dict) else {}
        digest, boot, at = (_text(staging.get(name)) for name in ("digest", "bootId", "at"))
        return cls(timers, digest, boot, at, manifests)


def timers_to_mask(states: Mapping[str, str]) -> list[str]:
    """Return the timers that may run, of ``states`` as ``systemctl is-enabled`` reports them."""
    return [name for name, state in states.items() if state not in (*_ABSENT, "masked", "masked-runtime")]


def timers_to_restore(states: Mapping[str, str], record: Record) -> list[str]:
    """Return the timers that we have masked and that are masked still."""
    return [name for name in record.timers if states.get(name) in ("masked", "masked-runtime")]


def ran_before(record: Record, name: str) -> bool:
    """Whether the timer ``name`` was enabled when we masked it."""
    return record.timers.get(name) in _RUNS


def is_ours_to_remove(mark: str | None) -> bool:
    """Whether the content of /run/reboot-required is bootc's, which kured would take for an order to reboot now."""
    return mark is not None and mark.startswith(_BOOTC_MARK)


def lost_staging(record: Record, status: HostStatus, boot_id: str) -> str | None:
    """Return what became of an image that we staged in an earlier boot and that is not booted now.

    "not_finalized": the shutdown did not make a deployment of it (it failed, or the power went). "left_again": it was
    booted, or tried, and the host went back to another deployment.
    """
    digest = record.staged_digest
    if digest is None or record.staged_boot in (None, boot_id) or status.booted.digest == digest:
        return None
    if status.staged is not None and status.staged.digest == digest:
        return None
    others = (status.rollback, *status.others)
    return "left_again" if any(one is not None and one.digest == digest for one in others) else "not_finalized"


def is_finalized(record: Record, status: HostStatus, boot_id: str) -> bool:
    """Whether what looks like a queued rollback is what we staged in this boot.

    A soft reboot into the same root finalizes it: nothing is staged then, and bootc shows it as the rollback
    deployment, queued.
    """
    rollback, digest = status.rollback, record.staged_digest
    is_same = rollback is not None and digest is not None and rollback.digest == digest
    return status.rollback_queued and is_same and record.staged_boot == boot_id


def _texts(found: t.Any) -> dict[str, str]:
    return {str(name): str(word) for name, word in found.items()} if isinstance(found, dict) else {}


def _text(found: t.Any) -> str | None:
    return found if isinstance(found, str) else None
