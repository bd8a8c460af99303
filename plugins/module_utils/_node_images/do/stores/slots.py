# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The slots of a node as they are: records, files, mounts, and whether CRI-O's storage.conf lists them."""

from __future__ import annotations

import hashlib
import typing as t
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._host.directories import ensure_directory
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import (
    read_file,
    read_json,
    remove_file,
    write_file,
    write_json,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._host.mountinfo import mount_at
from ansible_collections.fieldops.openshift.plugins.module_utils._host.mounts import read_mounts
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.node_storage import STORAGE_CONF
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.stores_conf import (
    DEFAULT,
    is_configured,
    listed_stores,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.stores_slots import (
    SKELETON,
    SKELETON_FOLDERS,
    SLOT_PATHS,
    SLOTS,
    STORES,
    StoreRecord,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.stores_units import UNITS, mount_unit
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index_reader import LARGEST_INDEX
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest

MACHINE_CONFIG = "/etc/machine-config-daemon/currentconfig"
"""What the machine-config daemon leaves on every node that it manages."""


@dataclass(frozen=True)
class Slot:
    """One slot: its ``record`` if it was given a store, the ``size`` of that store's file if there is one."""

    number: int
    record: StoreRecord | None
    size: int | None
    is_mounted: bool
    is_enabled: bool

    @property
    def path(self) -> str:
        """Return where the slot is on the host."""
        return SLOT_PATHS[self.number - 1]

    @property
    def state(self) -> str:
        """Return empty, foreign (another user's mount), mounted, unmounted, or lost (its file is not whole)."""
        if self.record is None:
            return "foreign" if self.is_mounted else "empty"
        if self.size != self.record.size:
            return "lost"
        return "mounted" if self.is_mounted else "unmounted"

    def as_document(self) -> dict[str, t.Any]:
        """Return the slot as results show it."""
        shown = self.record.shown() if self.record is not None else None
        seen = {"mounted": self.is_mounted, "at_boot": self.is_enabled, "state": self.state}
        return {"slot": self.number, "path": self.path, "store": shown, **seen}


def read_slots(host: Host) -> tuple[Slot, ...]:
    """Return all slots; raises InvalidInputError for a record that is none, FileAccessError."""
    mounts = read_mounts(host)
    found = []
    for number in SLOTS:
        path = record_path(number)
        document = read_json(host.path(path))
        record = StoreRecord.read(document, path) if document is not None else None
        file = host.path(record.file) if record is not None else None
        size = file.lstat().st_size if file is not None and file.is_file() and not file.is_symlink() else None
        wants = host.path(f"{UNITS}/multi-user.target.wants") / mount_unit(number)
        is_mounted = mount_at(f"{STORES}/slot{number}", mounts) is not None
        found.append(Slot(number, record, size, is_mounted, wants.is_symlink()))
    return tuple(found)


def records_of(slots: tuple[Slot, ...]) -> dict[int, StoreRecord]:
    """Return the records by number of their slots."""
    return {slot.number: slot.record for slot in slots if slot.record is not None}


def record_path(number: int) -> str:
    """Return where the record of a slot is kept."""
    return f"{STORES}/slot{number}.json"


def index_path(number: int) -> str:
    """Return where the accepted index is kept that vouches for the store in a slot."""
    return f"{STORES}/slot{number}.index.json"


def kept_index(host: Host, digest: Digest) -> bytes | None:
    """Return the bytes of the index ``digest`` if they are complete next to a slot, otherwise None."""
    for slot in read_slots(host):
        if slot.record is not None and slot.record.index_digest == digest:
            content = read_file(host.path(index_path(slot.number)), limit=LARGEST_INDEX)
            if content is not None and hashlib.sha256(content).hexdigest() == digest.hex:
                return content
    return None


def write_record(host: Host, number: int, record: StoreRecord, index: bytes) -> bool:
    """Record the store of a slot, together with the ``index`` that covers it, and return whether that is new."""
    ensure_directory(host.path(STORES))
    write_file(host.path(index_path(number)), index, mode=0o444)
    return write_json(host.path(record_path(number)), record.as_document())


def forget_store(host: Host, number: int, record: StoreRecord) -> None:
    """Remove the file of a slot's store, unless another slot has it, and last its record, by which it is found."""
    others = [one for other, one in records_of(read_slots(host)).items() if other != number]
    if all(one.file != record.file for one in others):
        remove_file(host.path(record.file))
    remove_file(host.path(index_path(number)))
    remove_file(host.path(record_path(number)))


def ensure_slots(host: Host) -> bool:
    """Make the slots, each an empty storage where nothing is mounted over it; return whether anything was missing."""
    changed = ensure_directory(host.path(STORES))
    mounts = read_mounts(host)
    for path in SLOT_PATHS:
        if mount_at(path, mounts) is not None:
            continue
        for folder in ("", *SKELETON_FOLDERS):
            changed = ensure_directory(host.path(f"{path}/{folder}".rstrip("/"))) or changed
        for name, text in SKELETON.items():
            changed = write_file(host.path(f"{path}/{name}"), text) or changed
    return changed


def storage_conf(host: Host) -> tuple[str, str]:
    """Return the path and text of the storage.conf that counts; the first path and a default where there is none."""
    for path in STORAGE_CONF:
        content = read_file(host.path(path))
        if content is not None:
            return path, content.decode(errors="surrogateescape")
    return STORAGE_CONF[0], DEFAULT


def lists_slots(host: Host) -> bool:
    """Whether storage.conf lists the slots."""
    path, text = storage_conf(host)
    return is_configured(listed_stores(text, path))


def is_managed(host: Host) -> bool:
    """Whether a machine-config operator owns the configuration of this node."""
    return host.path(MACHINE_CONFIG).exists()
