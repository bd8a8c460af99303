# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the layers of images take on a node, packed in a bundle and unpacked in the container storage."""

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import Blob

UNKNOWN_GROWTH = 2.5
"""By how much a layer of unknown unpacked size is taken to grow; OpenShift's own grow by 2 to 2.7."""

_LAYER_MARKS = ("rootfs.diff", "image.layer")


def is_layer(blob: Blob) -> bool:
    """Whether a blob is a file system layer, by its media type or because its unpacked size is known."""
    return blob.unpacked_size is not None or any(mark in blob.media_type for mark in _LAYER_MARKS)


def unpacked_size(layer: Blob) -> int:
    """Return the bytes that a layer takes when it is unpacked, an estimate where its index does not know them."""
    return layer.unpacked_size if layer.unpacked_size is not None else int(layer.size * UNKNOWN_GROWTH)
