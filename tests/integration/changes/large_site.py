# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A site with many pools, each under a policy of its own, and with many nodes."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.store_documents import (
    ASSIGNMENTS,
    POLICIES,
    config_map,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import NAMESPACE
from ansible_collections.fieldops.openshift.tests.integration.modules.change_sites import open_now
from ansible_collections.fieldops.openshift.tests.lab.rest import Json, RestClient
from ansible_collections.fieldops.openshift.tests.lab.seed import machine_configs, nodes

LANES = 8
DATES: tuple[Json, ...] = (
    {"frequency": "Daily", "daily": {"interval": 1}},
    {"frequency": "Weekly", "weekly": {"interval": 1, "daysOfWeek": ["Saturday"]}},
)


def plant_large_site(client: RestClient, pools: int, count: int) -> None:
    """Create ``pools`` pools named ``pool-N`` and ``count`` nodes spread over them, and store policies for all."""
    names = [f"pool-{number}" for number in range(pools)]
    client.apply_all(machine_configs.machine_config_pool(name, count // pools) for name in names)
    with ThreadPoolExecutor(LANES) as lanes:
        made = (nodes.node("worker", number, pool=names[number % pools]) for number in range(count))
        list(lanes.map(lambda node: client.create("/api/v1/nodes", node), made))
    client.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}})
    assignments = {f"MachineConfigPool.{name}": {"changeManagement": _by_policy(name)} for name in names}
    _store(client, POLICIES, {name: {"spec": _schedule(number)} for number, name in enumerate(names)})
    _store(client, ASSIGNMENTS, assignments)


def open_windows(client: RestClient, pools: int) -> None:
    """Let change be permitted for the nodes of all pools, at whatever hour."""
    _store(client, POLICIES, {f"pool-{number}": {"spec": open_now()} for number in range(pools)})


def _store(client: RestClient, name: str, documents: Json) -> None:
    client.apply(config_map(name, {key: json.dumps(one) for key, one in documents.items()}, "installer"))


def _by_policy(name: str) -> Json:
    return {"strategy": "ByPolicy", "byPolicy": {"name": name}}


def _schedule(number: int) -> Json:
    start = f"{number % 24:02}:{number // 24 * 10:02}"
    permit = {"recurrence": DATES[number % len(DATES)], "startTime": start, "duration": "3h"}
    return {"strategy": "MaintenanceSchedule", "maintenanceSchedule": {"permit": permit}}
