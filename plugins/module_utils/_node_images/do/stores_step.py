# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""One step towards a release that runs from its mounted store, or a decision that its images are loaded instead.

What is wrong with bytes or bases is an error. What this node cannot do is a decision, with its reason: loading always
works.
"""

from __future__ import annotations

import os
import typing as t
from dataclasses import replace

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.container_runtime import runtime_images
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.pin_images import pin
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.stores_configure import (
    ensure_configured,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.stores_files import (
    StoreFiles,
    ensure_received,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.stores_mount import (
    enable_store,
    mount_store,
    unmount_store,
    write_units,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.stores_probe import require_container
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.stores_remove import ensure_removed
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.stores_request import StoreRequest
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.stores_slots import (
    Slot,
    ensure_slots,
    lists_slots,
    read_slots,
    records_of,
    remove_record,
    write_record,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.stores_use import layers_over
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.errors import (
    ImageStoreError,
    WrongContentError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.stores_probe import (
    Probe,
    choose_probe,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.stores_slots import (
    StoreRecord,
    choose_slot,
    require_base,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.work_state import WorkState
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import format_size

if t.TYPE_CHECKING:
    from collections.abc import Mapping

    from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import (
        BundledStore,
        BundleIndex,
    )

STEP_SECONDS = 300.0
"""How long the commands of one step may take together; only the start of a container takes more than seconds."""

_PIN_SECONDS = 90.0


def store_step(host: Host, params: Mapping[str, t.Any], *, check_mode: bool) -> WorkState:
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
        self._changed = False

    def step(self, *, check_mode: bool) -> WorkState:
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
            if isinstance(tried, WorkState):
                return tried
            reasons.append(tried)
        return self._decided(reasons)

    def _tried(self, record: StoreRecord) -> WorkState | ImageStoreError:
        try:
            return self._with(record)
        except ImageStoreError as error:
            return error

    def _with(self, record: StoreRecord) -> WorkState:
        slots = read_slots(self._host)
        try:
            require_base(records_of(slots), [slot.number for slot in slots if slot.is_mounted], record.store)
        except ImageStoreError as error:
            raise IncapableNodeError.of(error) from error
        waiting = self._place(record)
        if waiting is None:
            number, waiting = self._mount(record)
        return waiting if waiting is not None else self._proved(read_slots(self._host)[number - 1])

    def _decided(self, reasons: list[ImageStoreError]) -> WorkState:
        """Return why images are to be loaded; what a person can put right is an error."""
        wrong = [error for error in reasons if not getattr(error, "is_incapable", False)]
        if wrong:
            raise wrong[0]
        return self._load("; ".join(error.seen for error in reasons))

    def _place(self, record: StoreRecord) -> WorkState | None:
        if self._files.place(record):
            return None
        request = self._request
        keep_free = request.keep_free_percent
        sentence = ensure_received(self._files, request.order, record, keep_free, self._deadline)
        if sentence is None:
            return None
        objects = {"decision": None, "reason": "", "store": record.shown()}
        return WorkState(sentence, done=False, changed=True, objects=objects, next_delay=2.0)

    def _mount(self, record: StoreRecord) -> tuple[int, WorkState | None]:
        """Return the slot that the store got, and where things stand unless it is mounted now."""
        host, deadline = self._host, self._deadline
        slots = read_slots(host)
        records = records_of(slots)
        number = choose_slot(records, record.store, [slot.number for slot in slots if slot.state == "foreign"])
        known = records.get(number)
        proved = known.proved if known is not None and known.index_digest == record.index_digest else ""
        self._changed = write_record(host, number, replace(record, proved=proved), self._files.content) or self._changed
        self._changed = write_units(host, number, record, records, deadline) or self._changed
        if slots[number - 1].is_mounted:
            return number, None
        self._changed = True
        try:
            is_mounted = mount_store(host, number, record, deadline)
        except WrongContentError:
            self._give_up(number)
            self._files.forget(record)
            raise
        except ImageStoreError as error:
            self._give_up(number)
            raise IncapableNodeError.of(error) from error
        if is_mounted:
            return number, None
        objects = {"decision": None, "reason": "", "store": record.shown()}
        said = f"verifying the image store, {format_size(record.size)}, before it is mounted"
        return number, WorkState(said, done=False, changed=True, objects=objects, next_delay=5.0)

    def _proved(self, slot: Slot) -> WorkState:
        """Prove that images run from the mounted store, keep it, and return the decision."""
        record = slot.record
        if record is None or not slot.is_mounted:
            raise ImageStoreError(
                "mount the image store",
                on=slot.path,
                seen="systemd reported success, but the store is not mounted there",
                advice=f"Look at findmnt {slot.path}; another play may work on this node.",
            )
        lacking = runtime_images(self._host, self._deadline).lacking(record.store.images)
        kernel = os.uname().release
        try:
            if lacking:
                raise IncapableNodeError(
                    "find the images of the store",
                    on=record.file,
                    seen=f"CRI-O does not list {len(lacking)} of them: it was started before the slots were listed",
                    advice="Restart CRI-O once (state: configured), or load the images.",
                )
            if record.proved != kernel:
                self._changed = True
                require_container(self._host, self._probe(record.store), self._deadline)
                write_record(self._host, slot.number, replace(record, proved=kernel), self._files.content)
        except ImageStoreError as error:
            self._take_back(slot, error)
        if not slot.is_enabled:
            self._changed = True
            enable_store(self._host, slot.number, self._deadline)
        return self._ready(record)

    def _ready(self, record: StoreRecord) -> WorkState:
        names = record.store.images
        actions: tuple[Mapping[str, t.Any], ...] = ()
        if self._request.pinned:
            bound = self._deadline.within(_PIN_SECONDS)
            pinning = pin(self._host, names, exclusive=False, check_mode=False, deadline=bound)
            self._changed, actions = self._changed or pinning.changed, pinning.actions
        slot = next(slot for slot in read_slots(self._host) if slot.record and slot.record.store == record.store)
        mounted = ({"action": "mount", "store": str(record.store.digest), "slot": slot.number},)
        return WorkState(
            f"{len(names)} images of {record.version} run from the store in slot {slot.number}",
            done=True,
            changed=self._changed,
            objects={"decision": "store", "reason": "mounted, and a container started from it", **slot.as_document()},
            actions=(*mounted, *actions) if self._changed else (),
        )

    def _probe(self, store: BundledStore) -> Probe:
        records = records_of(read_slots(self._host)).values()
        known = {name for record in records if record.store.digest == store.base for name in record.store.images}
        image = choose_probe(self._files.index, store, known, self._request.probe_image)
        return Probe(image, self._request.probe_command)

    def _take_back(self, slot: Slot, error: ImageStoreError) -> t.NoReturn:
        """Unmount what could not be proved, unless it was proved before and pods run from it."""
        if slot.is_enabled and layers_over(self._host, slot.number):
            raise ImageStoreError(
                error.attempted,
                on=error.on,
                seen=f"{error.seen}; containers stand on the store, so it stays mounted",
                advice=error.advice,
            ) from error
        self._give_up(slot.number)
        raise IncapableNodeError.of(error) from error

    def _give_up(self, number: int) -> None:
        unmount_store(self._host, number, self._deadline)
        remove_record(self._host, number)

    def _load(self, reason: str) -> WorkState:
        objects = {"decision": "load", "reason": reason}
        return WorkState(f"the images are to be loaded: {reason}", True, self._changed, objects)

    def _forecast(self, index: BundleIndex) -> WorkState:
        slots = read_slots(self._host)
        digests = {store.digest for store in index.stores}
        there = [slot for slot in slots if slot.record and slot.record.store.digest in digests and slot.is_mounted]
        if there:
            seen = {"decision": "store", "reason": "it is mounted", **there[0].as_document()}
            return WorkState("the store is mounted", True, False, seen)
        store = index.stores[0]
        number = choose_slot(records_of(slots), store)
        actions = ({"action": "mount", "store": str(store.digest), "slot": number},)
        objects = {"decision": None, "reason": "only mounting it tells"}
        return WorkState(f"the store would be tried in slot {number}", False, True, objects, actions)


class IncapableNodeError(ImageStoreError):
    """This node cannot use the store, for no fault of the store: its images are loaded instead."""

    is_incapable = True

    @classmethod
    def of(cls, error: ImageStoreError) -> IncapableNodeError:
        """Return ``error`` as one about the node."""
        return cls(error.attempted, on=error.on, seen=error.seen, advice=error.advice, partial=error.partial)
