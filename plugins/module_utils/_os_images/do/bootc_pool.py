# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The OS image of a pool by bootc-operator: staged while the pool is paused, booted while change is permitted."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.os_image_errors import BootcPoolError
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.bootc_pool import (
    BootcPool,
    pool_patch,
    wanted_image,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import ObjectKind
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Step
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.permission import Estimate, Guard, Permission

BOOTC_NODE_POOL = ObjectKind("node.bootc.dev/v1alpha1", "BootcNodePool")
BOOTC_NODE = ObjectKind("node.bootc.dev/v1alpha1", "BootcNode")

BOOTC_POOL_OPTIONS: dict[str, dict[str, t.Any]] = {
    "name": {"type": "str", "required": True},
    "image": {"type": "str", "required": True},
    "state": {"type": "str", "choices": ["staged", "booted"], "default": "staged"},
}


def bootc_pool_step(client: ClusterClient, options: Mapping[str, t.Any], guard: Guard) -> Step:
    """Bring a pool one step nearer to the image, and say where its nodes stand.

    The pool is open only while ``guard`` permits it and nodes lack the image, and is left paused. Raise
    InvalidInputError for an image by a tag, and BootcPoolError where there is no such pool, the machine-config operator
    keeps it, or waiting is no answer.
    """
    image, digest = wanted_image(options["image"])
    before = _read(client, options["name"], digest)
    if before.owner:
        raise _kept_by_another(before)
    boots = options["state"] == "booted"
    permission = guard.ask(before.name, Estimate()) if boots and not before.is_booted else None
    fault = before.fault if before.image == image else ""
    opens = permission is not None and permission.permitted and not fault
    patch = pool_patch(before, image, paused=not opens)
    if patch:
        client.patch(BOOTC_NODE_POOL, before.name, patch)
    after = _read(client, before.name, digest) if patch and not client.dry_run else before
    if fault and not client.dry_run:
        raise _failed(after, fault)
    return _step(client, before, after, permission, patch, boots=boots)


def read_bootc_pools(client: ClusterClient, params: Mapping[str, t.Any]) -> list[dict[str, t.Any]]:
    """Return where the pools of bootc-operator stand, only each of ``names`` where there are some."""
    names = params["names"]
    pools = client.list_objects(BOOTC_NODE_POOL, missing_ok=True)
    nodes = client.list_objects(BOOTC_NODE, missing_ok=True)
    return [BootcPool.of(one, nodes).as_data() for one in pools if not names or one["metadata"]["name"] in names]


def _read(client: ClusterClient, name: str, digest: str) -> BootcPool:
    pool = client.get(BOOTC_NODE_POOL, name, missing_ok=True)
    if pool is None:
        raise BootcPoolError(
            "find the pool",
            on=f"BootcNodePool {name}",
            seen="the cluster has no pool of this name",
            advice="Check the name, and that bootc-operator is installed.",
        )
    return BootcPool.of(pool, client.list_objects(BOOTC_NODE), digest)


def _step(
    client: ClusterClient,
    before: BootcPool,
    after: BootcPool,
    permission: Permission | None,
    patch: Mapping[str, t.Any] | None,
    *,
    boots: bool,
) -> Step:
    restricted = permission is not None and not permission.permitted
    # Where change is restricted, nodes that were started finish, and no other is started.
    is_there = not after.slots if restricted else after.is_booted if boots else after.is_staged
    shown = {"before": _spec(before), "after": (patch or {}).get("spec")} if patch else None
    said = f"; {permission.sentence}" if permission and restricted else ""
    return Step(
        after.sentence + said,
        client.dry_run or is_there,
        patch is not None,
        {
            "pool": after.as_data(),
            "permission": permission.as_data() if permission else None,
            "ended": permission.ended if permission else None,
        },
        diff=shown,
    )


def _spec(pool: BootcPool) -> dict[str, t.Any]:
    return {"image": {"ref": pool.image}, "rollout": {"paused": pool.is_paused}}


def _kept_by_another(pool: BootcPool) -> BootcPoolError:
    return BootcPoolError(
        "assign an OS image to the nodes",
        on=f"BootcNodePool {pool.name}",
        seen="the machine-config operator manages it and keeps it paused, with the image of MachineConfigPool "
        f"{pool.owner}",
        advice="Assign the image to the MachineConfigPool: use the role apply_image_mode.",
        partial={"pool": pool.as_data()},
    )


def _failed(pool: BootcPool, fault: str) -> BootcPoolError:
    return BootcPoolError(
        "update the OS image of the nodes",
        on=f"BootcNodePool {pool.name}",
        seen=fault,
        advice="The pool is paused. Check its BootcNodes and the log of the daemon on the node. To replace an image "
        "that does not boot, specify the earlier one.",
        partial={"pool": pool.as_data()},
    )
