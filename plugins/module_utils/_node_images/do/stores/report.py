# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a node says of its image stores, without changing anything."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import verified_index
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import read_file
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.loading.container_runtime import (
    runtime_images,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.stores.audit import StoreAudit
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.stores.slots import (
    Slot,
    index_path,
    is_managed,
    lists_slots,
    read_slots,
    storage_conf,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.stores.use import layers_over
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.stores_documents import documents
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_errors import WrongContentError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index_reader import LARGEST_INDEX
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest

STEP_SECONDS = 90.0


def stores_report(host: Host, params: Mapping[str, t.Any]) -> dict[str, t.Any]:
    """Return the slots, and with ``audit`` what is wrong in the mounted ones, every byte of which is read then."""
    path, text = storage_conf(host)
    deadline = Deadline(STEP_SECONDS, host.clock)
    slots = read_slots(host)
    present = runtime_images(host, deadline)
    wanted = Digest.parse(params["index_digest"]) if params["index_digest"] else None
    shown = []
    for slot in slots:
        images = slot.record.store.images if slot.record is not None else ()
        layers = layers_over(host, slot.number) if slot.is_mounted else ()
        one = {**slot.as_document(), "lacking": list(present.lacking(images)), "layers_over": len(layers)}
        shown.append({**one, "damage": _damage(host, slot) if params["audit"] else None})
    of_bundle = [slot for slot in slots if slot.record and slot.record.index_digest == wanted]
    ready = any(one["state"] == "mounted" and not one["lacking"] for one in shown if one["slot"] in _numbers(of_bundle))
    return {
        "slots": shown,
        "configured": lists_slots(host),
        "managed": is_managed(host),
        "ready": ready if wanted else None,
        "documents": list(documents(params["pool"], text)) if params["pool"] else [],
        "storage_conf": path,
        "storage_conf_text": text,
    }


def _numbers(slots: list[Slot]) -> list[int]:
    return [slot.number for slot in slots]


def _damage(host: Host, slot: Slot) -> list[dict[str, str]] | None:
    if slot.record is None or not slot.is_mounted:
        return None
    content = read_file(host.path(index_path(slot.number)), limit=LARGEST_INDEX)
    try:
        index = verified_index(content or b"", slot.record.index_digest, index_path(slot.number))
    except WrongContentError as error:
        return [{"image": "", "layer": "", "problem": f"the index of its bundle is missing: {error.seen}"}]
    return StoreAudit(host, slot.number, index).damage()
