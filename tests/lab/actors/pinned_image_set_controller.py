# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The machine-config operator's controller of PinnedImageSets: tells each pool which of them are meant for it.

Copies machine-config-operator, pkg/controller/pinnedimageset/pinned_image_set.go (syncMachineConfigPool,
syncPinnedImageSets).
"""

from __future__ import annotations

from ansible_collections.fieldops.openshift.tests.lab.actors.actor import Actor
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_pools import POOLS, matches

SETS = "/apis/machineconfiguration.openshift.io/v1/pinnedimagesets"


class PinnedImageSetController(Actor):
    """Acts on every pool."""

    watched = (SETS, POOLS)

    def step(self) -> None:
        """Write into each pool the sets whose labels its selector of MachineConfigs matches."""
        sets = self.client.get(SETS)["items"]
        for pool in self.client.get(POOLS)["items"]:
            chosen = [one for one in sets if matches(pool["spec"]["machineConfigSelector"], _labels(one))]
            wanted = [{"name": name} for name in sorted(one["metadata"]["name"] for one in chosen)]
            if wanted != (pool["spec"].get("pinnedImageSets") or []):
                path = f"{POOLS}/{pool['metadata']['name']}"
                self.client.merge(path, {"spec": {"pinnedImageSets": wanted or None}})


def _labels(one: dict[str, dict[str, dict[str, str]]]) -> dict[str, str]:
    return one["metadata"].get("labels", {})
