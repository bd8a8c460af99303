# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A store whose file has its place on the node: verified, mounted, proved by a container, and kept, or taken back.

What is wrong with bytes is an error. What this node cannot do is an IncapableNodeError: its images are loaded instead.
"""

from __future__ import annotations

import os
import typing as t
from collections.abc import Mapping
from dataclasses import replace

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.pins.pin_images import pin
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.stores.files import StoreFiles
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.stores.mount import (
    enable_store,
    mount_store,
    unmount_store,
    write_units,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.stores.request import StoreRequest
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.stores.slots import (
    Slot,
    forget_store,
    read_slots,
    records_of,
    write_record,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.stores.trial import StoreTrial
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.stores.use import layers_over
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.errors import ImageStoreError
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.runtime_images import (
    RuntimeImages,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.stores_probe import (
    Probe,
    choose_probe,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.stores_slots import (
    StoreRecord,
    choose_slot,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_errors import WrongContentError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import BundledStore
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Step
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import format_size

_PIN_SECONDS = 90.0


class StoreProof:
    """The mounting and proving of stores of one bundle on one host; ``changed`` says whether anything was changed."""

    def __init__(self, files: StoreFiles, request: StoreRequest, deadline: Deadline) -> None:
        self._host = files.host
        self._files = files
        self._request = request
        self._deadline = deadline
        self.changed = False

    def step(self, record: StoreRecord) -> Step:
        """Mount the placed store and prove it; raises IncapableNodeError, WrongContentError, ImageStoreError."""
        number, waiting = self._mount(record)
        return waiting if waiting is not None else self._proved(read_slots(self._host)[number - 1])

    def _mount(self, record: StoreRecord) -> tuple[int, Step | None]:
        """Return the slot that the store got, and where things stand unless it is mounted now."""
        host, deadline = self._host, self._deadline
        slots = read_slots(host)
        records = records_of(slots)
        number = choose_slot(records, record.store, [slot.number for slot in slots if slot.state == "foreign"])
        known = records.get(number)
        proved = known.proved if known is not None and known.index_digest == record.index_digest else ""
        self.changed = write_record(host, number, replace(record, proved=proved), self._files.content) or self.changed
        self.changed = write_units(host, number, record, records, deadline) or self.changed
        if slots[number - 1].is_mounted:
            return number, None
        self.changed = True
        try:
            is_mounted = mount_store(host, number, record, deadline)
        except WrongContentError:
            self._give_up(number, record)
            self._files.forget(record)
            raise
        except ImageStoreError as error:
            self._give_up(number, record)
            raise IncapableNodeError.of(error) from error
        if is_mounted:
            return number, None
        objects = {"decision": None, "reason": "", "store": record.shown()}
        said = f"verifying the image store, {format_size(record.size)}, before it is mounted"
        return number, Step(said, done=False, changed=True, objects=objects, next_delay=5.0)

    def _proved(self, slot: Slot) -> Step:
        """Prove that images run from the mounted store, keep it, and return the decision."""
        record = slot.record
        if record is None or not slot.is_mounted:
            raise ImageStoreError(
                "mount the image store",
                on=slot.path,
                seen="systemd reported success, but the store is not mounted there",
                advice=f"Check 'findmnt {slot.path}'. Another play may work on this node.",
            )
        probe = self._probe(record.store) if record.proved != os.uname().release else None
        try:
            with StoreTrial(self._host, self._deadline) as trial:
                images = trial.require(record, probe)
                self._keep(slot, record, is_new=probe is not None)
        except ImageStoreError as error:
            self._take_back(slot, record, error)
        return self._ready(record, images)

    def _keep(self, slot: Slot, record: StoreRecord, *, is_new: bool) -> None:
        """Note that a container ran on this kernel, and let the store be mounted at every boot."""
        if is_new:
            self.changed = True
            proved = replace(record, proved=os.uname().release)
            write_record(self._host, slot.number, proved, self._files.content)
        if not slot.is_enabled:
            self.changed = True
            enable_store(self._host, slot.number, self._deadline)

    def _ready(self, record: StoreRecord, images: RuntimeImages) -> Step:
        names = record.store.images
        actions: tuple[Mapping[str, t.Any], ...] = ()
        if self._request.pinned:
            bound = self._deadline.within(_PIN_SECONDS)
            pinning = pin(self._host, names, exclusive=False, check_mode=False, deadline=bound, present=images)
            self.changed, actions = self.changed or pinning.changed, pinning.actions
        slot = next(slot for slot in read_slots(self._host) if slot.record and slot.record.store == record.store)
        mounted = ({"action": "mount", "store": str(record.store.digest), "slot": slot.number},)
        return Step(
            f"{len(names)} images of {record.version} run from the store in slot {slot.number}",
            done=True,
            changed=self.changed,
            objects={"decision": "store", "reason": "mounted, and a container started from it", **slot.as_document()},
            actions=(*mounted, *actions) if self.changed else (),
            diff=mount_difference(slot.number, record.store) if self.changed else None,
        )

    def _probe(self, store: BundledStore) -> Probe:
        records = records_of(read_slots(self._host)).values()
        known = {name for record in records if record.store.digest == store.base for name in record.store.images}
        image = choose_probe(self._files.index, store, known, self._request.probe_image)
        return Probe(image, self._request.probe_command)

    def _take_back(self, slot: Slot, record: StoreRecord, error: ImageStoreError) -> t.NoReturn:
        """Unmount what could not be proved, unless it was proved before and pods run from it."""
        if slot.is_enabled and layers_over(self._host, slot.number):
            raise ImageStoreError(
                error.attempted,
                on=error.on,
                seen=f"{error.seen}; containers use the store, so it stays mounted",
                advice=error.advice,
            ) from error
        self._give_up(slot.number, record)
        raise IncapableNodeError.of(error) from error

    def _give_up(self, number: int, record: StoreRecord) -> None:
        """Leave the staged file alone: it goes with its bundle, and need not be fetched for another try."""
        unmount_store(self._host, number, self._deadline)
        forget_store(self._host, number, record)


class IncapableNodeError(ImageStoreError):
    """This node cannot use the store, for no fault of the store: its images are loaded instead."""

    is_incapable = True

    @classmethod
    def of(cls, error: ImageStoreError) -> IncapableNodeError:
        """Return ``error`` as one about the node."""
        return cls(error.attempted, on=error.on, seen=error.seen, advice=error.advice, partial=error.partial)


def mount_difference(slot: int, store: BundledStore) -> dict[str, t.Any]:
    """Return what mounting ``store`` changes, as Ansible's ``diff`` shows it."""
    return {"before": {str(slot): None}, "after": {str(slot): str(store.digest)}}
