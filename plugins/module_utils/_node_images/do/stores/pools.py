# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The slots of a cluster with a machine-config operator: apply and remove its objects, and report the progress of the
pools."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.errors import ImageStoreError
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.stores_documents import (
    container_runtime_config,
    slots_machine_config,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.stores_pools import (
    MACHINE,
    RUNTIME,
    PoolSlots,
    has_image_stores,
    is_rendered,
    plan_slots,
    require_at_rest,
    rivals,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import (
    InvalidInputError,
    MissingRequirementError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import (
    MACHINE_CONFIG,
    MACHINE_CONFIG_POOL,
    ObjectKind,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Result

Object = Mapping[str, t.Any]

RUNTIME_CONFIG = ObjectKind(MACHINE_CONFIG.api_version, "ContainerRuntimeConfig")
DEFINITION = ObjectKind("apiextensions.k8s.io/v1", "CustomResourceDefinition")
DEFINITION_NAME = "containerruntimeconfigs.machineconfiguration.openshift.io"
_ANY_TEXT = "[storage]\n"
"""A storage.conf for plans of which only the names and methods are used."""

SLOTS_OPTIONS: Mapping[str, Mapping[str, t.Any]] = {
    "state": {"type": "str", "choices": ["present", "absent"], "default": "present"},
    "pools": {"type": "list", "elements": "str", "required": True},
    "storage_conf": {"type": "str", "default": ""},
    "method": {"type": "str", "choices": ["auto", RUNTIME, MACHINE], "default": "auto"},
    "reboot": {"type": "bool", "default": False},
}


def apply_slots(client: ClusterClient, params: Mapping[str, t.Any]) -> Result:
    """Bring the objects of all ``pools`` into the asked state, or none of them.

    Raises ImageStoreError where others write that file too or nodes would reboot for it, MissingRequirementError,
    InvalidInputError for pools that there are not, ApiError.
    """
    observation = Observation.read(client)
    changes: list[tuple[PoolSlots, list[dict[str, t.Any]], list[Object]]] = []
    for name in params["pools"]:
        slots = observation.slots(name, params)
        wanted = [] if params["state"] == "absent" else list(slots.documents)
        obsolete = observation.obsolete(name, wanted)
        new = [one for one in wanted if _lacks(observation.known(one), one)]
        if new:
            observation.require_no_rival(slots)
        if (new or obsolete) and not params["reboot"]:
            require_at_rest(slots, observation.pool(name))
        changes.append((slots, new, obsolete))
    before: dict[str, t.Any] = {}
    after: dict[str, t.Any] = {}
    for _slots, new, obsolete in changes:
        for document in new:
            known = observation.known(document)
            client.apply(document)
            before.update({_key(document): known["spec"]} if known else {})
            after[_key(document)] = document["spec"]
        for gone in obsolete:
            _delete(client, gone)
            before[_key(gone)] = gone["spec"]
    shown = [_shown(slots, observation, params["state"] == "present") for slots, _new, _old in changes]
    changed = bool(before or after)
    return Result(changed, {"pools": shown}, diff={"before": before, "after": after} if changed else None)


def read_slot_pools(client: ClusterClient, params: Mapping[str, t.Any]) -> list[dict[str, t.Any]]:
    """Return where each pool stands, or only each of ``names``: its objects, what stands against them, its nodes."""
    observation = Observation.read(client)
    found = []
    for name in params["names"] or sorted(observation.pools):
        there = observation.obsolete(name, [])
        slots = observation.slots(name, {"method": "auto", "storage_conf": _ANY_TEXT, "state": "present"})
        against = rivals(slots, observation.pool(name), observation.machine_configs, observation.runtime_configs)
        shown = _shown(slots, observation, bool(there))
        objects = [f"{one['kind']} {one['metadata']['name']}" for one in there]
        found.append({**shown, "objects": objects, "rivals": list(against)})
    return found


@dataclass(frozen=True)
class Observation:
    """What the cluster has: its pools by name, and all that is rendered for them."""

    pools: Mapping[str, Object]
    machine_configs: Sequence[Object]
    runtime_configs: Sequence[Object]
    has_field: bool

    @classmethod
    def read(cls, client: ClusterClient) -> Observation:
        """Read it; raises MissingRequirementError on a cluster without a machine-config operator."""
        if not client.serves(MACHINE_CONFIG_POOL):
            raise MissingRequirementError(
                "configure the image stores of nodes",
                on=client.access.server,
                seen="the cluster has no machine-config operator",
                advice="Use node_image_store with state: configured on each host.",
            )
        pools = {str(one["metadata"]["name"]): one for one in client.list_objects(MACHINE_CONFIG_POOL)}
        definition = client.get(DEFINITION, DEFINITION_NAME) or {}
        return cls(
            pools,
            _of_kind(MACHINE_CONFIG, client.list_objects(MACHINE_CONFIG)),
            _of_kind(RUNTIME_CONFIG, client.list_objects(RUNTIME_CONFIG)),
            has_image_stores(definition),
        )

    def pool(self, name: str) -> Object:
        """Return a pool; raises InvalidInputError."""
        if name not in self.pools:
            raise InvalidInputError(
                "configure the image stores of nodes",
                on=f"pools: {name}",
                seen=f"the cluster has the pools {', '.join(sorted(self.pools)) or 'none'}",
                advice="Set pools of this cluster.",
            )
        return self.pools[name]

    def slots(self, name: str, params: Mapping[str, t.Any]) -> PoolSlots:
        """Return the objects that configure the slots of the pool. Their removal requires no storage.conf."""
        text = params["storage_conf"] if params["state"] == "present" else _ANY_TEXT
        return plan_slots(self.pool(name), params["method"], text, has_field=self.has_field)

    def known(self, document: Object) -> Object | None:
        """Return the object in the cluster that has the kind and name of ``document``."""
        there = self.machine_configs if document["kind"] == MACHINE_CONFIG.kind else self.runtime_configs
        name = document["metadata"]["name"]
        return next((one for one in there if one["metadata"]["name"] == name), None)

    def obsolete(self, pool: str, wanted: Sequence[Object]) -> list[Object]:
        """Return our objects for ``pool`` that are not ``wanted``."""
        kept = {_key(one) for one in wanted}
        ours = (self.known(one) for one in (slots_machine_config(pool), container_runtime_config(pool)))
        return [one for one in ours if one is not None and _key(one) not in kept]

    def require_no_rival(self, slots: PoolSlots) -> None:
        """Raise ImageStoreError where objects of others decide what storage.conf of this pool is."""
        against = rivals(slots, self.pool(slots.pool), self.machine_configs, self.runtime_configs)
        if against:
            raise ImageStoreError(
                "configure the image stores of nodes",
                on=f"pool {slots.pool}",
                seen=f"{', '.join(against)} also writes storage.conf for this pool, and only one of them takes effect",
                advice="Add the paths of the slots to that object manually, as docs/image-stores.md shows.",
                partial={"rivals": list(against)},
            )


def _of_kind(kind: ObjectKind, found: Sequence[Object]) -> list[Object]:
    return [{"apiVersion": kind.api_version, "kind": kind.kind, **one} for one in found]


def _delete(client: ClusterClient, document: Object) -> None:
    kind = ObjectKind(document["apiVersion"], document["kind"])
    client.delete(kind, document["metadata"]["name"], uid=document["metadata"]["uid"])


def _lacks(known: Object | None, wanted: Object) -> bool:
    if known is None:
        return True
    labels, spec = known["metadata"].get("labels") or {}, known.get("spec") or {}
    same = all(spec.get(name) == value for name, value in wanted["spec"].items())
    return not same or not wanted["metadata"]["labels"].items() <= labels.items()


def _key(document: Object) -> str:
    return f"{document['kind']} {document['metadata']['name']}"


def _shown(slots: PoolSlots, observation: Observation, is_present: bool) -> dict[str, t.Any]:
    """Return a pool as results show it."""
    pool = observation.pool(slots.pool)
    status, spec = pool.get("status") or {}, pool.get("spec") or {}
    names = [f"{one['kind']} {one['metadata']['name']}" for one in slots.documents]
    is_updated = status.get("machineCount") == status.get("updatedMachineCount")
    return {
        "pool": slots.pool,
        "method": slots.method,
        "paused": bool(spec.get("paused")),
        "objects": names if is_present else [],
        "rendered": is_rendered(slots, pool, "spec"),
        "rolled_out": is_rendered(slots, pool, "status") and is_updated,
    }
