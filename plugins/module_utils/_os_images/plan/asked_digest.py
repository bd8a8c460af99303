# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A digest that is requested, and the manifest that this host has of it.

Registries show the digest of a manifest list; bootc and rpm-ostree report the digest of the manifest of their own
architecture (containers/image resolves the list while it pulls). The name of a deployment keeps the requested digest.
"""

from __future__ import annotations

import typing as t
from collections.abc import Mapping
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.host_status import (
    Entry,
    HostStatus,
)


@dataclass(frozen=True)
class AskedDigest:
    """``manifest`` is the digest of this architecture's manifest, None where it is not known to be another one."""

    digest: str
    manifest: str | None = None

    def is_of(self, entry: Entry | None) -> bool:
        """Whether ``entry`` is the image with this digest."""
        if entry is None:
            return False
        is_named = entry.image is not None and entry.image.digest == self.digest
        return is_named or entry.digest in (self.digest, self.manifest or self.digest)

    def as_document(self, status: HostStatus) -> dict[str, t.Any]:
        """Return it as module results show it, with where the host has it."""
        return {
            "digest": self.digest,
            "manifest": self.manifest or (self.digest if _has(status, self.digest) else None),
            "booted": self.is_of(status.booted),
            "next_boot": self.is_of(status.next_boot),
        }


def asked_digest(digest: str, status: HostStatus, recorded: Mapping[str, str]) -> AskedDigest:
    """Return ``digest`` with the manifest that deployments named by it have, or that an earlier run wrote down."""
    named = [one.digest for one in status.all() if one.image is not None and one.image.digest == digest and one.digest]
    known = next((found for found in (*named, recorded.get(digest)) if found and found != digest), None)
    return AskedDigest(digest, known)


def is_unresolved(asked: AskedDigest, status: HostStatus) -> bool:
    """Whether ``asked`` may be the digest of a list of which no manifest is known."""
    return asked.manifest is None and not _has(status, asked.digest)


def _has(status: HostStatus, digest: str) -> bool:
    return any(one.digest == digest for one in status.all())
