# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The progress of loading images into the container storage, and the check that they are there."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.loading.container_runtime import (
    runtime_images,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.errors import ImageLoadError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.listing import listed
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import ProgressReporter

FULL = "no space left on device"
"""Part of the error message of every tool if a disk is full."""


class ImageProgress:
    """Counts images for several threads."""

    def __init__(self, reporter: ProgressReporter, total: int, lacking: int) -> None:
        self._reporter = reporter
        self._lock = threading.Lock()
        self._total = total
        self._present = total - lacking
        self._loaded = 0

    def begins(self, title: str) -> None:
        """Report that the image called ``title`` is now processed."""
        with self._lock:
            self._tell(f"{self._present + self._loaded} of {self._total} images are loaded, now {title}")

    def ended(self) -> None:
        """Count one more image."""
        with self._lock:
            self._loaded += 1
            self._tell(None)

    def partial(self) -> dict[str, int]:
        """Return the partial result for an error."""
        return {"loaded_images": self._loaded, "present_images": self._present, "selected_images": self._total}

    def _tell(self, sentence: str | None) -> None:
        self._reporter.report(sentence, done=self._present + self._loaded, total=self._total, unit="images")


def require_loaded(host: Host, names: Sequence[str], deadline: Deadline) -> None:
    """Require that CRI-O lists ``names``, after it has reported that it pulled them; raises ImageLoadError."""
    lacking = runtime_images(host, deadline).lacking(names)
    if lacking:
        raise ImageLoadError(
            "verify that the images are loaded",
            on=listed(lacking),
            seen="CRI-O reported that it pulled them, but does not list them under this name",
            advice="Check its journal (journalctl --unit crio). Images may be removed because a disk is full.",
            partial={"lacking": list(lacking)},
        )
