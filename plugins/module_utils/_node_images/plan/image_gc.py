# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""When the kubelet begins to remove images, and what its configuration says of that.

Source: kubernetes ``pkg/kubelet/images/image_gc_manager.go`` (when), ``pkg/kubelet/apis/config`` (which values there
are: ``v1beta1/defaults.go``, ``validation/validation.go``).
"""

from __future__ import annotations

import re
import typing as t
from collections.abc import Mapping
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.kubelet_file import (
    Plain,
    shown,
    unclear,
)

SETTING = "imageGCHighThresholdPercent"
DEFAULT_THRESHOLD = 85
NEVER = 100
"""The threshold that switches this garbage collection off (``pkg/kubelet/kubelet.go``)."""

_PERCENT = re.compile(r"[1-9][0-9]?|100")


@dataclass(frozen=True)
class ImageGc:
    """The share of use, in percent of the images' file system, from which on the kubelet removes images.

    ``read_from`` is the file that sets it, empty for the kubelet's default; ``problem`` says what of the kubelet's
    configuration could not be understood.
    """

    threshold: int = DEFAULT_THRESHOLD
    read_from: str = ""
    problem: str = ""

    def reserve(self, total: int) -> int:
        """Return how many bytes of ``total`` must be free so that no image is removed.

        The kubelet rounds the use up to whole percents, so that one percent more than the threshold leaves is needed.
        """
        return -(-total * (101 - self.threshold) // 100) if self.threshold < NEVER else 0

    @property
    def sentence(self) -> str:
        """Return the disk usage at which images are removed, with its source, as part of a sentence."""
        origin = f"{SETTING} in {self.read_from}" if self.read_from else f"its default, no file sets {SETTING}"
        doubt = f"; ignored: {self.problem}" if self.problem else ""
        if self.threshold >= NEVER:
            return f"the kubelet does not remove images if space is low ({origin}{doubt})"
        return f"the kubelet removes images at {self.threshold} % disk usage ({origin}{doubt})"


def threshold_of(settings: Mapping[str, t.Any], name: str) -> int | None:
    """Return the threshold that the ``settings`` of the file ``name`` have, None when they leave it open.

    Raises InvalidInputError for a value that is no threshold.
    """
    value = settings.get(SETTING)
    if value is None:
        return None
    if not isinstance(value, Plain) or not _PERCENT.fullmatch(value):
        raise unclear(name, f"{SETTING} is {shown(value)}, not a whole number from 1 to 100")
    return int(value)
