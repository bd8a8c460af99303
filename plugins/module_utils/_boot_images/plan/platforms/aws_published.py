# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Images that Red Hat has published in Amazon's cloud, so that the cloud need not be asked whose image it is.

``aws_published_ids.py`` is written by ``tests/lab/published_amis.py``, which says where they come from.
"""

from __future__ import annotations

import base64
import functools
import re
import typing as t
from collections.abc import Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.platforms.aws_published_ids import (
    IDS,
)

ID_BYTES = 8
"""An id is ``ami-0`` and 16 hexadecimal digits. RHEL CoreOS is younger than the shorter ids."""

_AMI = re.compile(r"ami-0([0-9a-f]{16})", re.ASCII)


class Published(t.NamedTuple):
    """What is known of an image that Red Hat has published; empty where it is only known that it has."""

    release: str = ""
    architecture: str = ""


def published(ami: str) -> Published | None:
    """Return what is known of an image that Red Hat has published, None for others."""
    match = _AMI.fullmatch(ami)
    return _known().get(bytes.fromhex(match.group(1))) if match else None


@functools.lru_cache(maxsize=1)
def _known() -> Mapping[bytes, Published]:
    return {key: Published(*origin.split()) for origin, packed in IDS.items() for key in unpacked(packed)}


def unpacked(packed: str) -> list[bytes]:
    """Return the ids, as bytes, that a text of the data file holds."""
    whole = base64.b64decode(packed)
    return [whole[start : start + ID_BYTES] for start in range(0, len(whole), ID_BYTES)]
