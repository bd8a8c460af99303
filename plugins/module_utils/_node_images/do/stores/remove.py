# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A store taken away from a node, once nothing runs from it any more."""

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.single_job import jobs_of
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.follow_job import forget_job
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.loading.container_runtime import (
    runtime_images,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.pins.pin_images import unpin
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.stores.files import job_id
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.stores.mount import unmount_store
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.stores.probe import (
    remove_ended_probes,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.stores.slots import (
    Slot,
    forget_store,
    read_slots,
    records_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.stores.use import (
    images_over,
    layers_over,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.errors import ImageStoreError
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.stores_slots import (
    StoreRecord,
    dependents,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Step


def ensure_removed(host: Host, digest: Digest, *, check_mode: bool, deadline: Deadline) -> Step:
    """Unmount and remove the stores of the bundle with this index; pins of images that go with them go too.

    Raises ImageStoreError while a container, a loaded image or a delta stands on one, before anything is changed.
    """
    slots = read_slots(host)
    ours = [(slot, slot.record) for slot in slots if slot.record and slot.record.index_digest == digest]
    if ours and not check_mode:
        remove_ended_probes(host, deadline)
    for slot, record in ours:
        _require_unused(host, slot, record, slots)
    actions = tuple(
        {"action": "unmount", "store": str(record.store.digest), "slot": slot.number} for slot, record in ours
    )
    if not check_mode:
        jobs_of(host).cancel(job_id(digest), deadline=deadline)
        forget_job(host, job_id(digest), deadline)
        for slot, record in ours:
            _remove(host, slot, record, deadline)
    sentence = f"the node has no image store of bundle {digest.short}"
    objects = {"decision": None, "reason": "", "removed": [str(record.store.digest) for _slot, record in ours]}
    slots_before = {str(slot.number): str(record.store.digest) for slot, record in ours}
    diff = {"before": slots_before, "after": dict.fromkeys(slots_before)} if ours else None
    return Step(sentence, True, bool(ours), objects, actions, diff)


def _remove(host: Host, slot: Slot, record: StoreRecord, deadline: Deadline) -> None:
    unmount_store(host, slot.number, deadline)
    gone = runtime_images(host, deadline).lacking(record.store.images)
    if gone:
        unpin(host, set(gone), check_mode=False, deadline=deadline)
    forget_store(host, slot.number, record)


def _require_unused(host: Host, slot: Slot, record: StoreRecord, slots: tuple[Slot, ...]) -> None:
    over = dependents(records_of(slots), record.store.digest)
    layers, images = layers_over(host, slot.number), images_over(host, slot.number)
    if not over and not layers and not images:
        return
    deltas = ", ".join(f"the delta store of {one.version}" for one in over)
    users = f"{len(layers)} layers of containers or loaded images, such as {layers[0][:12]}" if layers else ""
    tagged = f"images of the node's own storage, such as {images[0]}," if images else ""
    raise ImageStoreError(
        "remove the image store",
        on=f"{record.version} in slot {slot.number}",
        seen=f"{' and '.join(part for part in (users, tagged, deltas) if part)} use it",
        advice="Drain the node or update it first, so that nothing runs from this release; remove deltas before their "
        "base. Nothing was changed.",
        partial={"layers": list(layers), "images": list(images), "deltas": [str(one.store.digest) for one in over]},
    )
