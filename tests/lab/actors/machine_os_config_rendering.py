# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The machine-config operator's render controller: one MachineConfig for each pool out of all that are meant for it.

Copies machine-config-operator, pkg/controller/render/render_controller.go (syncGeneratedMachineConfig) and
pkg/controller/common/helpers.go (MergeMachineConfigs): which MachineConfigs a pool has, and that the last image in the
order of names wins over the release's own. Of what is merged only the image and the files are.
"""

from __future__ import annotations

import hashlib
import json
import typing as t

from ansible_collections.fieldops.openshift.tests.lab.actors.actor import Actor
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_pools import POOLS, matches

if t.TYPE_CHECKING:
    from ansible_collections.fieldops.openshift.tests.lab.rest import Json, RestClient

API_VERSION = "machineconfiguration.openshift.io/v1"
CONFIGS = f"/apis/{API_VERSION}/machineconfigs"


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
            self._render(pool, sorted(chosen, key=_name), configs)

    def _render(self, pool: Json, chosen: list[Json], configs: list[Json]) -> None:
        spec = merged(chosen, self._release_image)
        prefix = f"rendered-{_name(pool)}-"
        # What is rendered from the same again has the same name.
        known = next((_name(one) for one in configs if _name(one).startswith(prefix) and one["spec"] == spec), "")
        digest = hashlib.md5(json.dumps(spec, sort_keys=True).encode(), usedforsecurity=False).hexdigest()
        name = known or prefix + digest
        if not known:
            rendered = {"apiVersion": API_VERSION, "kind": "MachineConfig", "metadata": {"name": name}, "spec": spec}
            self.client.create(CONFIGS, rendered)
        source = [{"apiVersion": API_VERSION, "kind": "MachineConfig", "name": _name(one)} for one in chosen]
        present = pool["spec"]["configuration"]
        if (present["name"], present.get("source")) != (name, source):
            wanted = {"configuration": {"name": name, "source": source}}
            self.client.merge(f"{POOLS}/{_name(pool)}", {"spec": wanted})


def merged(chosen: list[Json], release_image: str) -> Json:
    """Return what MachineConfigs come to, in the order of their names."""
    spec: Json = json.loads(json.dumps(chosen[0]["spec"]))
    spec["osImageURL"] = next((one["spec"]["osImageURL"] for one in reversed(chosen) if _image(one)), release_image)
    files = [file for one in chosen for file in _files(one)]
    if files:
        spec["config"].setdefault("storage", {})["files"] = files
    return spec


def _files(config: Json) -> list[Json]:
    found: list[Json] = (config["spec"].get("config") or {}).get("storage", {}).get("files", [])
    return found


def _image(config: Json) -> str:
    return str(config["spec"].get("osImageURL") or "")


def _name(one: Json) -> str:
    return str(one["metadata"]["name"])
