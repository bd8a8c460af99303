# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What nodes lack of the content that a delta leaves out."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping, Sequence

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.selection import select_names


def delta_gaps(
    images: Sequence[Mapping[str, t.Any]], held: Mapping[str, Sequence[str]], wanted: Mapping[str, Sequence[str]]
) -> dict[str, list[str]]:
    """Return the digests of left out blobs that nodes lack, by node; nodes that lack nothing are not part of it.

    ``images`` are those of a bundle as results show them, ``held`` the digests of the blobs on each node, ``wanted``
    the images of nodes that need only some. Files are not counted: what a delta leaves out of them is not needed.
    """
    gaps = {}
    for node, blobs in held.items():
        names = set(select_names(images, wanted.get(node, ())))
        needed = {digest for image in images if image["name"] in names for digest in image["left_out"]}
        lacking = sorted(needed.difference(blobs))
        if lacking:
            gaps[node] = lacking
    return gaps
