# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The machine-config operator's render controller: one MachineConfig for each pool out of all that are meant for it.

Copies machine-config-operator, pkg/controller/render/render_controller.go (syncMachineConfigPool,
syncGeneratedMachineConfig, generateRenderedMachineConfig) and pkg/controller/common/helpers.go (MergeMachineConfigs):
which MachineConfigs a pool has, that workers' go before a pool's own, who has the last word, and what is said of an
image that is not the release's. What it refuses is in ``machine_os_config_refusals``, how Ignition's configurations are
merged in ``ignition_configuration``. Not copied: the five seconds that it lets changes settle.
``tests/integration/image_mode/test_rendering_conformance.py`` holds it to upstream's controller.
"""

from __future__ import annotations

import hashlib
import json

from ansible_collections.fieldops.openshift.tests.lab.actors.actor import Actor, with_condition
from ansible_collections.fieldops.openshift.tests.lab.actors.ignition_configuration import merged_ignition
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_pools import POOLS, matches
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_os_config_refusals import (
    GENERATED_BY,
    RefusedRenderingError,
    require_merged,
    require_reachable,
    require_valid,
)
from ansible_collections.fieldops.openshift.tests.lab.rest import Json, RestClient
from ansible_collections.fieldops.openshift.tests.lab.seed.machine_configs import ROLE_LABEL

API_VERSION = "machineconfiguration.openshift.io/v1"
CONFIGS = f"/apis/{API_VERSION}/machineconfigs"
OVERRIDDEN = "machineconfiguration.openshift.io/os-image-url-overridden"
VERSION_HASH = "0" * 40
"""The controller's own version, which it writes on what it renders."""
KERNELS = ("realtime", "64k-pages")
DEGRADED = "RenderDegraded"


class RenderController(Actor):
    """Acts on every pool; ``release_image`` is what nodes run where nothing else is asked for."""

    def __init__(self, client: RestClient, release_image: str) -> None:
        super().__init__(client)
        self._release_image = release_image

    def step(self) -> None:
        """Give each pool the configuration that is rendered from its MachineConfigs."""
        configs = self.client.get(CONFIGS)["items"]
        for pool in self.client.get(POOLS)["items"]:
            selector = pool["spec"]["machineConfigSelector"]
            chosen = [one for one in configs if matches(selector, one["metadata"].get("labels", {}))]
            if chosen:
                self._render_or_refuse(pool, chosen, configs)
            elif selector:
                self._say(pool, f"Failed to render configuration for pool {_name(pool)}: no MachineConfigs found")

    def _render_or_refuse(self, pool: Json, chosen: list[Json], configs: list[Json]) -> None:
        by_name = sorted(chosen, key=_name)
        try:
            require_valid(by_name, VERSION_HASH)
            spec = merged(sorted(chosen, key=_workers_first), self._release_image)
            require_merged(spec)
            present = pool["spec"].get("configuration", {}).get("name", "")
            current = next((one for one in configs if _name(one) == present), None)
            if current is not None:
                require_reachable(current, spec, by_name)
        except RefusedRenderingError as refused:
            where = f"Failed to render configuration for pool {_name(pool)}"
            self._say(pool, f"{where}: could not generate rendered MachineConfig: {refused}")
        else:
            self._render(pool, spec, chosen, configs)

    def _render(self, pool: Json, spec: Json, chosen: list[Json], configs: list[Json]) -> None:
        prefix = f"rendered-{_name(pool)}-"
        # What is rendered from the same again has the same name.
        known = next((_name(one) for one in configs if _name(one).startswith(prefix) and one["spec"] == spec), "")
        digest = hashlib.md5(json.dumps(spec, sort_keys=True).encode(), usedforsecurity=False).hexdigest()
        name = known or prefix + digest
        if not known:
            notes = {GENERATED_BY: VERSION_HASH}
            if spec["osImageURL"] != self._release_image:
                notes[OVERRIDDEN] = "true"
            metadata = {"name": name, "annotations": notes, "ownerReferences": [_owner(pool)]}
            rendered = {"apiVersion": API_VERSION, "kind": "MachineConfig", "metadata": metadata, "spec": spec}
            self.client.create(CONFIGS, rendered)
        ordered = sorted(chosen, key=_workers_first)
        source = [{"apiVersion": API_VERSION, "kind": "MachineConfig", "name": _name(one)} for one in ordered]
        present = pool["spec"].get("configuration", {})
        if (present.get("name"), present.get("source")) != (name, source):
            wanted = {"configuration": {"name": name, "source": source}}
            self.client.merge(f"{POOLS}/{_name(pool)}", {"spec": wanted})
        self._say(pool, "")

    def _say(self, pool: Json, refused: str) -> None:
        conditions = pool.get("status", {}).get("conditions", [])
        wanted = (DEGRADED, "True" if refused else "False", refused)
        if not any((one["type"], one["status"], one.get("message", "")) == wanted for one in conditions):
            said = {"conditions": with_condition(conditions, DEGRADED, bool(refused), "", refused)}
            self.client.merge(f"{POOLS}/{_name(pool)}/status", {"status": said})


def merged(ordered: list[Json], release_image: str) -> Json:
    """Return what MachineConfigs come to, the last of which has the last word."""
    specs = [one["spec"] for one in ordered]
    kernels = [one["kernelType"] for one in specs if one.get("kernelType") in KERNELS]
    return {
        "baseOSExtensionsContainerImage": _last(specs, "baseOSExtensionsContainerImage"),
        "config": merged_ignition([one.get("config") or {} for one in specs]),
        "extensions": [one for spec in specs for one in spec.get("extensions") or []],
        "fips": any(one.get("fips") for one in specs),
        "kernelArguments": [one for spec in specs for one in spec.get("kernelArguments") or []],
        "kernelType": kernels[-1] if kernels else "default",
        "osImageURL": _last(specs, "osImageURL") or release_image,
    }


def _workers_first(config: Json) -> tuple[bool, str]:
    """Sort workers' configurations before a pool's own, whatever they are called, and each by name."""
    return config["metadata"]["labels"].get(ROLE_LABEL) != "worker", _name(config)


def _last(specs: list[Json], key: str) -> str:
    return next((str(one[key]) for one in reversed(specs) if one.get(key)), "")


def _owner(pool: Json) -> Json:
    metadata = pool["metadata"]
    owner = {"apiVersion": API_VERSION, "kind": "MachineConfigPool", "name": metadata["name"], "uid": metadata["uid"]}
    return {**owner, "controller": True, "blockOwnerDeletion": True}


def _name(one: Json) -> str:
    return str(one["metadata"]["name"])
