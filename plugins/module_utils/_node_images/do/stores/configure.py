# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The slots listed in storage.conf, once, on a host whose configuration no one else owns."""

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.module_utils._host.command_result import CommandError
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import remove_file, write_file
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.loading.container_runtime import (
    UNIT,
    runtime_images,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.node_storage import STORAGE_CONF
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.stores.slots import (
    ensure_slots,
    is_managed,
    lists_slots,
    storage_conf,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.errors import (
    ContainerRuntimeError,
    ImageStoreError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.stores_conf import with_slots
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.stores_documents import documents
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.stores_slots import STORES
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Step

PENDING = f"{STORES}/restart-pending"
"""Exists from before the list is written until CRI-O was restarted, to detect a power cut in between."""

_BACK_SECONDS = 60.0


def ensure_configured(host: Host, *, pool: str, check_mode: bool, deadline: Deadline) -> Step:
    """Create the slots, list them, and restart CRI-O if they are new. Running containers are not affected.

    Raises ImageStoreError on a node with a machine-config daemon, whose partial result has the documents to apply.
    """
    path, before = storage_conf(host)
    is_listed, pending = lists_slots(host), host.path(PENDING)
    if not is_listed and is_managed(host):
        raise _managed(path, before, pool)
    wanted = before if is_listed else with_slots(before, path)
    needed = not is_listed or pending.exists()
    if check_mode:
        return _state(needed, before, wanted)
    made = ensure_slots(host)
    if needed:
        write_file(pending, "")
        write_file(host.path(STORAGE_CONF[0]), wanted.encode(errors="surrogateescape"))
        _restart(host, deadline)
        remove_file(pending)
    return _state(needed or made, before, wanted)


def _restart(host: Host, deadline: Deadline) -> None:
    try:
        host.run(["systemctl", "restart", UNIT], deadline=deadline.within(_BACK_SECONDS))
    except CommandError as error:
        raise ContainerRuntimeError(
            "restart the container runtime with the image stores",
            on=f"{UNIT} of {host}",
            seen=error.stderr or f"systemctl ended with status {error.rc}",
            advice=f"Check 'journalctl --unit {UNIT}', and run this again when the unit is active.",
        ) from error
    patience = deadline.within(_BACK_SECONDS)
    while not _answers(host, patience):
        patience.pause(0.2)


def _answers(host: Host, patience: Deadline) -> bool:
    try:
        runtime_images(host, patience)
    except ContainerRuntimeError:
        if patience.expired:
            raise
        return False
    return True


def _managed(path: str, text: str, pool: str) -> ImageStoreError:
    return ImageStoreError(
        "list the image stores",
        on=path,
        seen="a machine-config daemon owns this file: a change on the node would degrade its pool",
        advice="Apply one of the returned alternatives right before an update: the MachineConfig alone, or, where "
        "ContainerRuntimeConfig has additionalImageStores, the other two documents.",
        partial={"documents": list(documents(pool, text))},
    )


def _state(changed: bool, before: str, after: str) -> Step:
    sentence = (
        "the node lists the slots for image stores"
        if not changed
        else "the slots were added to the configuration of the node"
    )
    actions = (
        {"action": "write", "path": STORAGE_CONF[0]},
        {"action": "run", "argv": ["systemctl", "restart", UNIT]},
    )
    objects = {"decision": None, "reason": "", "storage_conf": {"before": before, "after": after}}
    if before == after:
        return Step(sentence, True, changed, objects)
    return Step(sentence, True, changed, objects, actions, {"before": before, "after": after})
