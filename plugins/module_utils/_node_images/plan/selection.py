# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""Which images of a bundle are meant: all of them, or those that were named."""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

if t.TYPE_CHECKING:
    from collections.abc import Sequence

    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import (
        BundledImage,
        BundleIndex,
    )


def select_images(index: BundleIndex, wanted: Sequence[str] = ()) -> tuple[BundledImage, ...]:
    """Return the images that ``wanted`` names by ``repo@digest`` or by component, each once; all when it is empty.

    They are in the order of the index. Raises InvalidInputError for a name that the bundle does not have.
    """
    if not wanted:
        return index.images
    known = {word for image in index.images for word in _words(image)}
    unknown = sorted(set(wanted) - known)
    if unknown:
        raise InvalidInputError(
            "select images of the bundle",
            on=f"images: {', '.join(unknown)[:300]}",
            seen=f"bundle {index.folder_name} has no image of that name or component",
            advice="Give names of the form repository@digest, or components such as etcd, as the index lists them.",
        )
    chosen = set(wanted)
    return tuple(image for image in index.images if chosen.intersection(_words(image)))


def _words(image: BundledImage) -> tuple[str, ...]:
    return (str(image.name), image.component) if image.component else (str(image.name),)
