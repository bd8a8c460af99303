# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""How the machine-config daemon of a release finds the OS image that it switches a node to. Pure.

It is the daemon of the release that the cluster goes to: that one reboots the nodes. Where a node serves its staged
bundle to itself, every release finds the image, since both rpm-ostree and podman read the node's mirror rules.
Source: machine-config-operator ``pkg/daemon/rpm-ostree.go`` (RebaseLayered, RebaseLayeredFromContainerStorage) and
``pkg/daemon/update.go`` (updateLayeredOS, isPinnedImageSetConfigured) of release-4.16 to 4.22 and main.
"""

from __future__ import annotations

import enum

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.release_version import ReleaseVersion

_PINNED_SETS_FROM = ReleaseVersion(4, 19, 12)
_LOCAL_FROM = (4, 23)


class OsImageLookup(enum.Enum):
    """Where a daemon looks, apart from the mirrors of a node."""

    REGISTRY = "registry"
    """From a registry only, also where the image is on the node."""
    PINNED_IMAGE_SET = "pinned_image_set"
    """In the container storage first where the pool has a PinnedImageSet, else from a registry."""
    CONTAINER_STORAGE = "container_storage"
    """In the container storage first."""

    @classmethod
    def of(cls, version: str) -> OsImageLookup:
        """Return what the daemon of ``version`` does; for a text that is no version, what needs the most."""
        release = ReleaseVersion.parse(version)
        if release is None:
            return cls.REGISTRY
        if (release.major, release.minor) >= _LOCAL_FROM:
            return cls.CONTAINER_STORAGE
        return cls.PINNED_IMAGE_SET if release >= _PINNED_SETS_FROM else cls.REGISTRY
