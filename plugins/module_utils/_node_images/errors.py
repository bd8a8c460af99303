# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What can go wrong with images on a node, beyond what the doors report."""

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError


class NotStagedError(FieldOpsError):
    """The bundle is not on this node, or not complete."""

    kind = "not_staged"


class OtherBundleError(FieldOpsError):
    """A job on this node processes another bundle; nothing was started."""

    kind = "other_bundle"


class NotEnoughSpaceError(FieldOpsError):
    """The work does not fit; nothing was started."""

    kind = "not_enough_space"


class ContainerRuntimeError(FieldOpsError):
    """CRI-O does not respond, or with an error."""

    kind = "container_runtime"


class ImageLoadError(FieldOpsError):
    """An image could not be loaded into the container storage of the node."""

    kind = "image_load"


class ImageSourceError(FieldOpsError):
    """The image source of the node does not respond."""

    kind = "image_source"


class JoiningError(FieldOpsError):
    """The content for machines that join cannot be prepared; nothing was written."""

    kind = "joining"


class ReclaimError(FieldOpsError):
    """The content of an earlier release could not be removed."""

    kind = "reclaim"


class PinError(FieldOpsError):
    """Images are not pinned, or not unpinned, as they should be."""

    kind = "pin"


class ImageStoreError(FieldOpsError):
    """An image store is not mounted, or not removed, as it should be."""

    kind = "image_store"
