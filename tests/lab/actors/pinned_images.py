# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The machine-config daemon's manager of pinned images: fetches what a node lacks, pins it, and tells of it.

Copies machine-config-operator, pkg/daemon/pinned_image_set.go (sync, syncMachineConfigPools, ensurePullImage,
ensureCrioPinnedImagesConfigFile, updateStatus*): the order, the drop-in file, the conditions and their texts. Not
copied: the check of free storage (the lab's kubelets announce none), several pulls at once, the limit of two minutes.
"""

from __future__ import annotations

import json
import typing as t

from ansible_collections.fieldops.openshift.tests.lab.actors.actor import Actor
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_node import Said, report
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_pools import POOLS, pools_of
from ansible_collections.fieldops.openshift.tests.lab.errors import LabError

if t.TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ansible_collections.fieldops.openshift.tests.lab.node.host import NodeHost
    from ansible_collections.fieldops.openshift.tests.lab.rest import Json, RestClient

SETS = "/apis/machineconfiguration.openshift.io/v1/pinnedimagesets"
DROP_IN = "/etc/crio/crio.conf.d/50-pinned-images"
TRIES = 5
FIRST_WAIT_SECONDS = 1.0  # doubled after each further try
PROGRESSING = "PinnedImageSetsProgressing"
DEGRADED = "PinnedImageSetsDegraded"
SEE_LIST = "One or more PinnedImageSet is experiencing an error. See PinnedImageSet list for more details."


class ImageRuntime(t.Protocol):
    """What a node does with images."""

    def holds(self, image: str) -> bool:
        """Whether the node has an image."""

    def pull(self, image: str) -> None:
        """Fetch an image; raise LabError if that fails."""

    def pin(self, images: Sequence[str]) -> None:
        """Pin these images and no others."""


class CrioOnHost:
    """The images of a real host."""

    def __init__(self, host: NodeHost) -> None:
        self._host = host

    def holds(self, image: str) -> bool:
        """Ask CRI-O."""
        listed = json.loads(self._host.run("crictl", "images", "--output", "json"))["images"]
        return any(image in (one["id"], *one["repoDigests"], *one["repoTags"]) for one in listed)

    def pull(self, image: str) -> None:
        """Let CRI-O pull."""
        self._host.run("crictl", "pull", image)

    def pin(self, images: Sequence[str]) -> None:
        """Write CRI-O's drop-in file, or remove it, and let CRI-O read it if it is another than before."""
        before = self._host.run("cat", DROP_IN, check=False)
        names = ", ".join(json.dumps(image) for image in images)
        after = f"[crio]\n  [crio.image]\n    pinned_images = [{names}]\n" if images else ""
        if after == before:
            return
        if after:
            self._host.write(DROP_IN, after)
        else:
            self._host.run("rm", DROP_IN)
        self._host.run("systemctl", "reload", "crio")


class PinnedImages(Actor):
    """Acts on one node; goes by what it finds there, so that a host that is away for a while is only waited for."""

    def __init__(self, client: RestClient, node: str, runtime: ImageRuntime) -> None:
        super().__init__(client)
        self.watched = (f"/api/v1/nodes?fieldSelector=metadata.name%3D{node}", POOLS, SETS)
        self._node = node
        self._runtime = runtime
        self._settled: list[tuple[str, int]] | None = None

    def step(self) -> None:
        """Look whether the sets of the node's pools are others than those settled, and settle them."""
        node = self.client.get(f"/api/v1/nodes/{self._node}")
        if not any(one["type"] == "Ready" and one["status"] == "True" for one in node["status"]["conditions"]):
            return
        pools = pools_of(node, self.client.get(POOLS)["items"])
        names = [one["name"] for pool in pools for one in pool["spec"].get("pinnedImageSets") or []]
        sets = [self.client.get(f"{SETS}/{name}") for name in dict.fromkeys(names)]
        if pools and _identities(sets) != self._settled:
            followed = {one["name"] for one in pools[0]["spec"].get("pinnedImageSets") or []}
            self._settle(sets, [one for one in sets if one["metadata"]["name"] in followed])

    def _settle(self, every: list[Json], sets: list[Json]) -> None:
        """Fetch and pin the images of all sets; report on those of the pool that the node follows."""
        fetching = f"node is prefetching images: {self._node}"
        self._report(sets, [(PROGRESSING, True, "ImagePrefetch", fetching)])
        images = sorted({one["name"] for each in every for one in each["spec"]["pinnedImages"]})
        try:
            for image in images:
                self._fetch(image)
            if self._stopping.is_set():  # perhaps in the middle of fetching
                return
            self._runtime.pin(images)
        except LabError as error:
            self._report(sets, [(DEGRADED, True, "PrefetchFailed", SEE_LIST)], str(error))
            return
        self._settled = _identities(every)
        done = (PROGRESSING, False, "AsExpected", "All pinned image sets complete")
        self._report(sets, [done, (DEGRADED, False, "AsExpected", "All is good")])

    def _fetch(self, image: str) -> None:
        wait = FIRST_WAIT_SECONDS
        for left in reversed(range(TRIES)):
            if self._runtime.holds(image):
                return
            try:
                self._runtime.pull(image)
            except LabError as error:
                if not left or "no space left on device" in str(error).lower():
                    tried = TRIES - left
                    raise LabError(
                        "fetch", on=image, seen=f"failed to pull image ({tried} tries): {error}", advice="See its log."
                    ) from error
                if self._stopping.wait(wait):
                    return
                wait *= 2

    def _report(self, sets: Iterable[Json], said: Sequence[Said], fault: str = "") -> None:
        """Write the node's conditions and, for each set, which generation is wanted, reached or failed."""
        found = []
        for one in sets:
            generation = one["metadata"]["generation"]
            told = {"name": one["metadata"]["name"], "desiredGeneration": generation}
            if (one["metadata"]["uid"], generation) in (self._settled or []):
                told["currentGeneration"] = generation
            elif fault:
                told |= {"lastFailedGeneration": generation, "lastFailedGenerationError": fault}
            found.append(told)
        report(self.client, self._node, said, pinnedImageSets=found or None)


def _identities(sets: Iterable[Json]) -> list[tuple[str, int]]:
    return [(one["metadata"]["uid"], one["metadata"]["generation"]) for one in sets]
