# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""By which objects a pool's nodes come to list the slots, and what in the cluster stands against it.

Source: machine-config-operator ``pkg/controller/container-runtime-config``: each ContainerRuntimeConfig becomes a
MachineConfig with a whole storage.conf; of several in a pool the last by name wins (``pkg/controller/common``,
``MergeMachineConfigs``).
"""

from __future__ import annotations

import typing as t
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.errors import ImageStoreError
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.stores_documents import (
    container_runtime_config,
    machine_config,
    slots_machine_config,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.label_selector import selects

Object = Mapping[str, t.Any]

RUNTIME, MACHINE = "container_runtime_config", "machine_config"
STORAGE_CONF = "/etc/containers/storage.conf"
_FIELD = "additionalImageStores"
_STORAGE_FIELDS = ("overlaySize", _FIELD, "additionalLayerStores")
"""What lets the operator write a storage.conf of its own for a ContainerRuntimeConfig."""

_GENERATED = "generated-containerruntime"


@dataclass(frozen=True)
class PoolSlots:
    """What configures the slots on the nodes of one pool: the ``method`` and its ``documents``."""

    pool: str
    method: str
    documents: tuple[dict[str, t.Any], ...]


def has_image_stores(definition: Object) -> bool:
    """Whether the CustomResourceDefinition of ContainerRuntimeConfig has additional image stores."""
    node: t.Any = _served_schema(definition)
    for name in ("spec", "containerRuntimeConfig", _FIELD):
        node = ((node or {}).get("properties") or {}).get(name)
    return node is not None


def plan_slots(pool: Object, asked: str, storage_conf: str, *, has_field: bool) -> PoolSlots:
    """Return what makes the nodes of ``pool`` list the slots; ``asked`` is auto or one of the two methods.

    Raises ImageStoreError if the cluster or the call lacks what the method requires.
    """
    name = str(pool["metadata"]["name"])
    runtime = container_runtime_config(name)
    is_selected = selects(runtime["spec"]["machineConfigPoolSelector"], pool["metadata"].get("labels") or {})
    if asked == RUNTIME and not (has_field and is_selected):
        seen = "the pool does not have its label" if has_field else f"the API of this release has no {_FIELD}"
        raise _refusal(name, seen, "Use method: machine_config, or auto.")
    if asked != MACHINE and has_field and is_selected:
        return PoolSlots(name, RUNTIME, (slots_machine_config(name), runtime))
    if not storage_conf.strip():
        seen = "it requires a MachineConfig with the complete storage.conf, and storage_conf is not set"
        raise _refusal(name, seen, "Set storage_conf to the content of that file on a node of the pool.")
    return PoolSlots(name, MACHINE, (machine_config(name, storage_conf),))


def rivals(
    slots: PoolSlots, pool: Object, machine_configs: Sequence[Object], runtime_configs: Sequence[Object]
) -> tuple[str, ...]:
    """Return the objects of others that would write another storage.conf over, or under, the one with the slots."""
    own = {document["metadata"]["name"] for document in slots.documents}
    labels = pool["metadata"].get("labels") or {}
    found = [
        f"ContainerRuntimeConfig {one['metadata']['name']}"
        for one in runtime_configs
        if one["metadata"]["name"] not in own and _writes_storage(one, labels)
    ]
    last = f"99-{slots.pool}-{_GENERATED}" if slots.method == RUNTIME else max(own)
    selector = (pool.get("spec") or {}).get("machineConfigSelector")
    for one in machine_configs:
        name = str(one["metadata"]["name"])
        is_used = selects(selector, one["metadata"].get("labels") or {}) and _GENERATED not in name
        if is_used and name not in own and name > last and _has_storage_conf(one):
            found.append(f"MachineConfig {name}")
    return tuple(sorted(found))


def is_rendered(slots: PoolSlots, pool: Object, part: str) -> bool:
    """Whether the pool's ``part``, spec for what nodes must have and status for what they have, holds the slots."""
    return f"99-{slots.pool}-fieldops-image-stores" in _sources(pool, part)


def require_at_rest(slots: PoolSlots, pool: Object) -> None:
    """Raise ImageStoreError unless the pool is paused: its nodes would reboot for this alone."""
    if not (pool.get("spec") or {}).get("paused"):
        raise _refusal(
            slots.pool,
            "the pool is not paused, so its nodes would be rebooted only for this change",
            "Apply it while the pool is paused, right before an update, or set reboot: true.",
        )


def _writes_storage(config: Object, labels: Mapping[str, str]) -> bool:
    spec = config.get("spec") or {}
    settings = spec.get("containerRuntimeConfig") or {}
    return selects(spec.get("machineConfigPoolSelector"), labels) and any(settings.get(one) for one in _STORAGE_FIELDS)


def _has_storage_conf(config: Object) -> bool:
    storage = ((config.get("spec") or {}).get("config") or {}).get("storage") or {}
    return any(file.get("path") == STORAGE_CONF for file in storage.get("files") or ())


def _sources(pool: Object, part: str) -> set[str]:
    configuration = (pool.get(part) or {}).get("configuration") or {}
    return {str(one.get("name", "")) for one in configuration.get("source") or ()}


def _served_schema(definition: Object) -> t.Any:
    versions: Sequence[Object] = (definition.get("spec") or {}).get("versions") or ()
    nothing: Object = {}
    served = next((one for one in versions if one.get("name") == "v1"), nothing)
    return (served.get("schema") or {}).get("openAPIV3Schema")


def _refusal(pool: str, seen: str, advice: str) -> ImageStoreError:
    return ImageStoreError("configure the image stores of nodes", on=f"pool {pool}", seen=seen, advice=advice)
