# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""From the arguments of the modules about pins to the work."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.pins.pin_images import (
    pin,
    unpin,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staged_bundles import (
    staged_folder,
    staged_index,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.selection import select_images
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Result

STEP_SECONDS = 120.0


def ensure_pins(host: Host, params: Mapping[str, t.Any], *, check_mode: bool) -> Result:
    """Bring the pins into the state in the ``params`` of the module."""
    deadline = Deadline(STEP_SECONDS, host.clock)
    names = _names(host, params)
    if params["state"] == "absent":
        return unpin(host, names or None, check_mode=check_mode, deadline=deadline).as_result()
    if not names:
        raise InvalidInputError(
            "pin images",
            on="images, index_digest",
            seen="no image is specified",
            advice="Set the images, or the index digest of a staged bundle.",
        )
    choice = {"exclusive": params["exclusive"], "only_pinned": params["only_pinned"]}
    pinning = pin(host, names, **choice, check_mode=check_mode, deadline=deadline)
    return pinning.as_result()


def _names(host: Host, params: Mapping[str, t.Any]) -> tuple[str, ...]:
    # Parsed before they are written anywhere: only a reference by digest becomes part of the file.
    names = {str(_by_digest(text)) for text in params["images"]}
    if params["index_digest"]:
        digest = Digest.parse(params["index_digest"])
        index = staged_index(staged_folder(host, digest), digest)
        names.update(str(image.name) for image in select_images(index, params["bundle_images"]))
    return tuple(sorted(names))


def _by_digest(text: str) -> ImageReference:
    reference = ImageReference.parse(text)
    if reference.digest is None or reference.tag is not None:
        raise InvalidInputError(
            "pin images",
            on=f"images: {text[:200]}",
            seen="it is not of the form repository@digest",
            advice="Name the image by digest, as 'crictl images --digests' shows it.",
        )
    return reference
