# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Whether the images of a mounted store can be used: CRI-O lists every one, and a container of one runs.

Both are asked at the same time, since neither says anything about the other, and each takes some tenths of a second.
"""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType

from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.loading.container_runtime import (
    runtime_images,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.stores.probe import (
    remove_container,
    require_container,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.errors import ImageStoreError
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.runtime_images import (
    RuntimeImages,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.stores_probe import Probe
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.stores_slots import StoreRecord
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline


class StoreTrial:
    """A context in which a store is tested. The remains of the test are removed while its body runs."""

    def __init__(self, host: Host, deadline: Deadline) -> None:
        self._host = host
        self._deadline = deadline
        self._given_up = threading.Event()
        self._beside = ThreadPoolExecutor(max_workers=1)

    def __enter__(self) -> StoreTrial:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._given_up.set()
        self._beside.shutdown(wait=True)

    def require(self, record: StoreRecord, probe: Probe | None) -> RuntimeImages:
        """Return what CRI-O lists, with every image of the store, once a container of ``probe`` ended well.

        None leaves the container out. Raises ImageStoreError, and ContainerRuntimeError where CRI-O does not answer.
        """
        host, deadline, stop = self._host, self._deadline, self._given_up.is_set
        begun = self._beside.submit(require_container, host, probe, deadline, stop) if probe is not None else None
        images = runtime_images(host, deadline)
        lacking = images.lacking(record.store.images)
        if lacking:
            raise ImageStoreError(
                "find the images of the store",
                on=record.file,
                seen=f"CRI-O does not list {len(lacking)} of them: it was started before the slots were listed",
                advice="Restart CRI-O once (state: configured), or load the images.",
            )
        if begun is not None:
            self._beside.submit(remove_container, host, begun.result(), deadline)
        return images
