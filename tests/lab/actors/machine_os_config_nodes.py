# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How nodes of a pool take a configuration and a built image, one after another.

Copies machine-config-operator, pkg/controller/node/node_controller.go (syncMachineConfigPool, with layering: no node is
asked to take anything while the image of its pool is not built) and pkg/controller/common/layered_node_state.go (the
desired image of a node is absent where none is built). Not copied: drain and reboot, which other actors copy.
"""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.tests.lab.actors.actor import Actor
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_pools import POOLS, pools_of
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_os_config_builder import (
    BUILDS,
    CONFIGS,
    CURRENT,
    build_name,
)

if t.TYPE_CHECKING:
    from ansible_collections.fieldops.openshift.tests.lab.rest import Json, RestClient

PREFIX = "machineconfiguration.openshift.io"
NODES = "/api/v1/nodes"


class LayeredNodes(Actor):
    """Acts on every pool that is not paused; nodes in ``broken`` become degraded instead of done."""

    def __init__(self, client: RestClient, broken: t.Mapping[str, str] | None = None) -> None:
        super().__init__(client)
        self._broken = broken or {}

    def step(self) -> None:
        """Bring one node of each pool one step on."""
        pools = self.client.get(POOLS)["items"]
        nodes = self.client.get(NODES)["items"]
        for pool in pools:
            image = self._image_of(pool)
            if image is None:
                continue
            members = [node for node in nodes if pools_of(node, pools)[:1] == [pool]]
            behind = [node for node in members if not _is_at(node, pool, image)]
            begun = [node for node in behind if _note(node, "state") != "Done"]
            if begun or (behind and not pool["spec"].get("paused")):
                self._advance((begun or behind)[0], pool["spec"]["configuration"]["name"], image)
            elif not behind:
                self._count(pool)

    def _image_of(self, pool: Json) -> str | None:
        """Return the built image of a pool, empty where none is asked for, None while it is not there."""
        named = [one for one in self.client.get(CONFIGS)["items"] if _pool(one) == pool["metadata"]["name"]]
        if not named:
            return ""
        notes = named[0]["metadata"].get("annotations", {})
        name = build_name(named[0], pool)
        if notes.get(CURRENT) != name or not self.client.exists(f"{BUILDS}/{name}"):
            return None
        image = str(self.client.get(f"{BUILDS}/{name}").get("status", {}).get("digestedImagePushSpec", ""))
        return image if image and named[0].get("status", {}).get("currentImagePullSpec") == image else None

    def _advance(self, node: Json, config: str, image: str) -> None:
        name = node["metadata"]["name"]
        if _note(node, "state") == "Done":
            self._annotate(name, desiredConfig=config, desiredImage=image or None, state="Working")
        elif name in self._broken:
            self._annotate(name, state="Degraded", reason=self._broken[name])
        elif (_note(node, "desiredConfig"), _note(node, "desiredImage")) != (config, image):
            self._annotate(name, desiredConfig=config, desiredImage=image or None)
        else:
            self._annotate(name, currentConfig=config, currentImage=image or None, state="Done", reason="")

    def _annotate(self, name: str, **notes: str | None) -> None:
        wanted = {f"{PREFIX}/{key}": value for key, value in notes.items()}
        self.client.merge(f"{NODES}/{name}", {"metadata": {"annotations": wanted}})

    def _count(self, pool: Json) -> None:
        configuration = pool["spec"]["configuration"]
        if pool["status"].get("configuration") != configuration:
            path = f"{POOLS}/{pool['metadata']['name']}/status"
            self.client.merge(path, {"status": {"configuration": configuration}})


def _is_at(node: Json, pool: Json, image: str) -> bool:
    config = pool["spec"]["configuration"]["name"]
    keys = ("currentConfig", "desiredConfig", "currentImage", "desiredImage", "state")
    return [_note(node, key) for key in keys] == [config, config, image, image, "Done"]


def _note(node: Json, key: str) -> str:
    return str(node["metadata"].get("annotations", {}).get(f"{PREFIX}/{key}", ""))


def _pool(config: Json) -> str:
    return str(config["spec"]["machineConfigPool"]["name"])
