# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What can go wrong with images on a node, beyond what the doors report."""

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError


class NotStagedError(FieldOpsError):
    """The bundle is not, or not completely, staged on this node."""

    kind = "not_staged"


class OtherBundleError(FieldOpsError):
    """A job on this node is processing another bundle. Nothing was started."""

    kind = "other_bundle"


class NotEnoughSpaceError(FieldOpsError):
    """The free space is not sufficient. Nothing was started."""

    kind = "not_enough_space"


class ContainerRuntimeError(FieldOpsError):
    """CRI-O does not respond, or returns an error."""

    kind = "container_runtime"


class ImageLoadError(FieldOpsError):
    """An image could not be loaded into the container storage of the node."""

    kind = "image_load"


class ImageSourceError(FieldOpsError):
    """The image source of the node does not respond."""

    kind = "image_source"


class JoiningError(FieldOpsError):
    """The configuration for joining machines could not be applied. Nothing was written."""

    kind = "joining"


class ReclaimError(FieldOpsError):
    """Content of earlier releases could not be removed."""

    kind = "reclaim"


class PinError(FieldOpsError):
    """Images could not be pinned or unpinned."""

    kind = "pin"


class ImageStoreError(FieldOpsError):
    """An image store could not be mounted or removed."""

    kind = "image_store"
