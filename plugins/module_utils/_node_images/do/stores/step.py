# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""One step towards a release that runs from its mounted store, or a decision that its images are loaded instead.

What is wrong with bytes or bases is an error. What this node cannot do is a decision, with its reason: loading always
works.
"""

from __future__ import annotations

import typing as t
from collections.abc import Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.follow_job import forget_job, running
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staged_bundles import create_folder
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.stores.configure import (
    ensure_configured,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.stores.files import StoreFiles, job_id
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.stores.job import (
    Receiving,
    ensure_received,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.stores.proof import (
    IncapableNodeError,
    StoreProof,
    mount_difference,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.stores.remove import ensure_removed
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.stores.request import StoreRequest
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.stores.slots import (
    ensure_slots,
    lists_slots,
    read_slots,
    records_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.errors import ImageStoreError
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.stores_slots import (
    StoreRecord,
    choose_slot,
    require_base,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import BundleIndex
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Step

STEP_SECONDS = 300.0
"""How long the commands of one step may take together; only the start of a container takes more than seconds."""


def store_step(host: Host, params: Mapping[str, t.Any], *, check_mode: bool) -> Step:
    """Take one step towards the state that the module's ``params`` ask for."""
    deadline = Deadline(STEP_SECONDS, host.clock)
    if params["state"] == "configured":
        return ensure_configured(host, pool=params["pool"], check_mode=check_mode, deadline=deadline)
    if params["state"] == "absent":
        return ensure_removed(host, Digest.parse(params["index_digest"]), check_mode=check_mode, deadline=deadline)
    return StoreWork(host, StoreRequest.of(params), deadline).step(check_mode=check_mode)


class StoreWork:
    """The mounting of one bundle's store on one host."""

    def __init__(self, host: Host, request: StoreRequest, deadline: Deadline) -> None:
        self._host = host
        self._request = request
        self._deadline = deadline
        self._files = StoreFiles.of(host, request.order, deadline)
        self._proof = StoreProof(self._files, request, deadline)

    def step(self, *, check_mode: bool) -> Step:
        """Mount what can be mounted and proved, and return the decision. Raises what this module's text names."""
        index = self._files.index
        if not index.stores:
            return self._load("the bundle has no image store")
        if not lists_slots(self._host):
            return self._load("storage.conf on this node does not list the slots (state: configured)")
        if check_mode:
            return self._forecast(index)
        ensure_slots(self._host)
        reasons = []
        for store in index.stores:
            tried = self._tried(StoreRecord.of(index, store))
            if isinstance(tried, Step):
                return tried
            reasons.append(tried)
        return self._decided(reasons)

    def _tried(self, record: StoreRecord) -> Step | ImageStoreError:
        try:
            return self._with(record)
        except ImageStoreError as error:
            return error

    def _with(self, record: StoreRecord) -> Step:
        slots = read_slots(self._host)
        try:
            require_base(records_of(slots), [slot.number for slot in slots if slot.is_mounted], record.store)
        except ImageStoreError as error:
            raise IncapableNodeError.of(error) from error
        return self._place(record) or self._proof.step(record)

    def _decided(self, reasons: list[ImageStoreError]) -> Step:
        """Return why images must be loaded. A problem that a user can fix is an error."""
        wrong = [error for error in reasons if not getattr(error, "is_incapable", False)]
        if wrong:
            raise wrong[0]
        return self._load("; ".join(error.seen for error in reasons))

    def _place(self, record: StoreRecord) -> Step | None:
        """Return where the job is that brings the file, None once it has its place and no job works on it."""
        name = job_id(self._request.order.digest)
        job = running(self._host, name, self._deadline)
        if job is not None:
            return _waiting(Receiving(job.sentence), record)
        if self._files.place(record):
            forget_job(self._host, name, self._deadline)
            # Who asks the node for images of this bundle finds its index among the staged ones.
            self._proof.changed |= create_folder(self._files.folder, self._files.content)
            return None
        begun = ensure_received(self._files, self._request, record, self._deadline)
        return _waiting(begun, record) if begun is not None else None

    def _load(self, reason: str) -> Step:
        objects = {"decision": "load", "reason": reason}
        return Step(f"the images must be loaded: {reason}", True, self._proof.changed, objects)

    def _forecast(self, index: BundleIndex) -> Step:
        slots = read_slots(self._host)
        digests = {store.digest for store in index.stores}
        there = [slot for slot in slots if slot.record and slot.record.store.digest in digests and slot.is_mounted]
        if there:
            seen = {"decision": "store", "reason": "it is mounted", **there[0].as_document()}
            return Step("the store is mounted", True, False, seen)
        store = index.stores[0]
        number = choose_slot(records_of(slots), store)
        actions = ({"action": "mount", "store": str(store.digest), "slot": number},)
        objects = {"decision": None, "reason": "this is determined by mounting it"}
        return Step(
            f"the store would be tested in slot {number}",
            False,
            True,
            objects,
            actions,
            mount_difference(number, store),
        )


def _waiting(receiving: Receiving, record: StoreRecord) -> Step:
    objects: dict[str, t.Any] = {"decision": None, "reason": "", "store": record.shown()}
    if receiving.verdicts:
        objects["forecast"] = [verdict.as_document() for verdict in receiving.verdicts]
    return Step(receiving.sentence, False, True, objects=objects, next_delay=2.0, warnings=receiving.warnings)
