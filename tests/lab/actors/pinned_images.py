# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The machine-config daemon's manager of pinned images: fetches what a node lacks, pins it, and tells of it.

Copies machine-config-operator, release 4.19 to 4.21, pkg/daemon/pinned_image_set.go (sync, syncMachineConfigPools,
checkNodeAllocatableStorage, getImageSize, scheduleWork, prefetchWorker, ensurePullImage, createApplyConfigForImageSet,
ensureCrioPinnedImagesConfigFile, updateStatus*): the order, the drop-in file, the conditions and their texts, and its
limits (``Limits``). It remembers in memory: a reboot of its node makes it forget. Not copied: what it says while its
node is not ready, where no daemon runs in the lab. ``tests/integration/lab/test_pinned_images_conformance.py`` holds it
to upstream's manager.
"""

from __future__ import annotations

import json
import queue
import threading
import time
import typing as t
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from ansible_collections.fieldops.openshift.tests.lab.actors.actor import Actor
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_node import Said, report
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_pools import POOLS, pools_of
from ansible_collections.fieldops.openshift.tests.lab.errors import LabError
from ansible_collections.fieldops.openshift.tests.lab.node.host import NodeHost
from ansible_collections.fieldops.openshift.tests.lab.rest import Json, RestClient

SETS = "/apis/machineconfiguration.openshift.io/v1/pinnedimagesets"
AUTH_FILE = "/var/lib/kubelet/config.json"
DROP_IN = "/etc/crio/crio.conf.d/50-pinned-images"
TRIES = 4  # of five: the fifth would follow a pause longer than the cap of ten seconds
WORKERS, CONTROL_PLANE_WORKERS = 5, 1
STOP_SECONDS = 0.3  # how late a thread may see that it is to end
SCHEDULED = 2 * WORKERS  # what waits for a worker; who schedules more waits too
KEPT_FREE = 16 * 2**30  # MinFreeStorageAfterPrefetch
PROGRESSING = "PinnedImageSetsProgressing"
DEGRADED = "PinnedImageSetsDegraded"
TOO_SMALL = "storage available is less than minimum required"
SEE_LIST = "One or more PinnedImageSet is experiencing an error. See PinnedImageSet list for more details."


@dataclass(frozen=True)
class Limits:
    """Upstream's limits, in seconds where they are times.

    ``round`` is how long images of one round may be scheduled, ``pause`` what a worker waits after each image, also one
    that was there, ``first_wait`` what it waits before it tries again, doubled each time, ``remembered`` of how many
    images and sets something is known. 4.22 has 300 and 1024 for the first and the last.
    """

    round: float = 120.0
    pause: float = 1.0
    first_wait: float = 1.0
    remembered: int = 256


class ImageRuntime(t.Protocol):
    """What a node does with images."""

    def size(self, image: str) -> int:
        """Return the bytes of an image's layers in its registry; raise LabError if podman cannot tell them."""

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

    def size(self, image: str) -> int:
        """Ask podman, which refuses a single manifest of OCI's format."""
        words = ("podman", "manifest", "--log-level", "error", "inspect", "--authfile", AUTH_FILE, image)
        try:
            manifest = json.loads(self._host.run(*words))
        except LabError as error:
            seen = f'failed to execute podman manifest inspect for "{image}": exit status 125'
            raise LabError("size up", on=image, seen=seen, advice="See its log.") from error
        return sum(layer["size"] for layer in manifest.get("layers", []))

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


@dataclass(frozen=True)
class Known:
    """What is remembered of an image (imageInfo), or the generation of a set that is complete."""

    is_pulled: bool = False
    size: int = 0
    generation: int = 0


NOTHING = Known()


class Memory:
    """Images and sets by their names and UIDs: the least recently used goes first (imageCache; groupcache, lru)."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._known: OrderedDict[str, Known] = OrderedDict()
        self._lock = threading.Lock()

    def add(self, name: str, known: Known) -> None:
        """Remember an image by its name, or a set by its UID."""
        with self._lock:
            self._known[name] = known
            self._known.move_to_end(name)
            if len(self._known) > self._most:
                self._known.popitem(last=False)

    def get(self, name: str) -> Known:
        """Return what is known of a name, and keep it for longer."""
        with self._lock:
            if name in self._known:
                self._known.move_to_end(name)
            return self._known.get(name, NOTHING)

    def clear(self) -> None:
        """Forget all."""
        with self._lock:
            self._known.clear()


@dataclass
class Round:
    """What one round has scheduled (prefetchMonitor); ``fault`` is the last one, ``is_over`` where the disk is full."""

    tasks: list[threading.Event] = field(default_factory=list)
    fault: LabError | None = None
    is_over: bool = False


class PinnedImages(Actor):
    """Acts on one node; goes by what it finds there, so that a host that is away for a while is only waited for."""

    def __init__(self, client: RestClient, node: str, runtime: ImageRuntime, limits: Limits | None = None) -> None:
        super().__init__(client)
        self.watched = (f"/api/v1/nodes?fieldSelector=metadata.name%3D{node}", POOLS, SETS)
        self._node = node
        self._runtime = runtime
        self._limits = limits or Limits()
        self._settled: list[tuple[str, int]] | None = None
        self._memory = Memory(self._limits.remembered)
        self._boot = ""
        self._scheduled: queue.Queue[tuple[str, Round, threading.Event]] = queue.Queue(SCHEDULED)
        self._workers: list[threading.Thread] = []

    def __exit__(self, *details: object) -> None:
        super().__exit__(*details)
        for worker in self._workers:
            worker.join()

    def step(self) -> None:
        """Look whether the sets of the node's pools are others than those settled, and settle them."""
        node = self.client.get(f"/api/v1/nodes/{self._node}")
        if not any(one["type"] == "Ready" and one["status"] == "True" for one in node["status"]["conditions"]):
            return
        self._start(node)
        pools = pools_of(node, self.client.get(POOLS)["items"])
        known = {one["metadata"]["name"]: one for one in self.client.get(SETS)["items"]}
        names = [[one["name"] for one in pool["spec"].get("pinnedImageSets") or []] for pool in pools]
        if pools and self._settled != _identities([known.get(name) for each in names for name in each]):
            self._settle(node, [{name: known.get(name) for name in each} for each in names])

    def _start(self, node: Json) -> None:
        """Begin with nothing known after each boot of the node; workers are counted when the first one is seen."""
        boot = node["status"]["nodeInfo"]["bootID"]
        if boot != self._boot:
            self._memory.clear()
            self._settled, self._boot = None, boot
        if not self._workers:
            is_master = "node-role.kubernetes.io/master" in node["metadata"]["labels"]
            for _number in range(CONTROL_PLANE_WORKERS if is_master else WORKERS):
                self._workers.append(threading.Thread(target=self._work, daemon=True))
                self._workers[-1].start()

    def _settle(self, node: Json, pools: list[dict[str, Json | None]]) -> None:
        """Fetch and pin the images of all pools' sets; report on those of the pool that the node follows."""
        every = [one for each in pools for one in each.values()]
        sets, deadline = _existing(pools[0].values()), time.monotonic() + self._limits.round
        fetching = f"node is prefetching images: {self._node}"
        self._report(sets, Said(PROGRESSING, "True", "ImagePrefetch", fetching))
        images = sorted({one["name"] for each in _existing(every) for one in each["spec"]["pinnedImages"]})
        try:
            for each in pools:
                self._require_storage(node, each)
                self._prefetch(_existing(each.values()), deadline)
            if self._stopping.is_set():  # perhaps in the middle of fetching
                return
            self._require_held(images)
            self._runtime.pin(images)
        except LabError as error:
            self._report(sets, Said(DEGRADED, "True", "PrefetchFailed", SEE_LIST), error.seen)
            return
        self._settled = _identities(every)
        done = Said(PROGRESSING, "False", "AsExpected", "All pinned image sets complete")
        self._report(sets, done, complete=True)
        self._report(sets, Said(DEGRADED, "False", "AsExpected", "All is good"), complete=True)

    def _require_storage(self, node: Json, sets: dict[str, Json | None]) -> None:
        for set_name, one_set in sets.items():
            if one_set is None:
                seen = f'failed to get PinnedImageSet "{set_name}": pinnedimageset.machineconfiguration.openshift.io '
                raise _fault(set_name, f'{seen}"{set_name}" not found')
            allocatable = node["status"].get("allocatable", {}).get("ephemeral-storage")
            if allocatable is None:
                raise _fault(self._node, f'node "{self._node}" has no ephemeral storage capacity')
            capacity = _bytes(allocatable)
            if capacity < KEPT_FREE:
                raise _fault(self._node, f"{TOO_SMALL} capacity: {capacity}, required: {KEPT_FREE}")
            names = [one["name"] for one in one_set["spec"]["pinnedImages"]]
            # Twice: packed and unpacked.
            if sum(2 * self._size_of_lacking(name) for name in names) >= capacity - KEPT_FREE:
                raise _fault(self._node, TOO_SMALL)

    def _size_of_lacking(self, image: str) -> int:
        """Return the size of an image that the node lacks, else 0; one that is sized up takes a place in memory."""
        if self._memory.get(image).is_pulled or self._runtime.holds(image):
            return 0
        known = self._memory.get(image)
        if known is NOTHING:
            known = Known(size=self._runtime.size(image))
            self._memory.add(image, known)
        return known.size

    def _prefetch(self, sets: list[Json], deadline: float) -> None:
        round_ = Round()
        for one_set in sets:
            metadata = one_set["metadata"]
            if self._memory.get(metadata["uid"]).generation != metadata["generation"]:
                for image in one_set["spec"]["pinnedImages"]:
                    self._schedule(image["name"], round_, deadline)
        for task in round_.tasks:
            while not task.wait(STOP_SECONDS) and not self._stopping.is_set():
                continue
        if round_.fault:
            raise round_.fault
        for one_set in sets:
            self._memory.add(one_set["metadata"]["uid"], Known(generation=one_set["metadata"]["generation"]))

    def _schedule(self, image: str, round_: Round, deadline: float) -> None:
        if round_.is_over or self._stopping.is_set():
            return
        if time.monotonic() > deadline:
            seen = f"requeue: prefetching images incomplete after timeout: {_duration(self._limits.round)}"
            raise _fault(image, seen)
        if self._memory.get(image).is_pulled:
            return
        task = threading.Event()
        round_.tasks.append(task)
        while not self._stopping.is_set():
            try:
                self._scheduled.put((image, round_, task), timeout=STOP_SECONDS)
            except queue.Full:
                continue
            return

    def _work(self) -> None:
        while not self._stopping.is_set():
            try:
                image, round_, task = self._scheduled.get(timeout=STOP_SECONDS)
            except queue.Empty:
                continue
            if not round_.is_over:
                self._fetch_for(round_, image)
            task.set()
            # Upstream remembers it as pulled, whatever came of it.
            self._memory.add(image, replace(self._memory.get(image), is_pulled=True))
            self._stopping.wait(self._limits.pause)

    def _fetch_for(self, round_: Round, image: str) -> None:
        try:
            self._fetch(image)
        except LabError as error:
            round_.fault, round_.is_over = error, round_.is_over or "no space left on device" in str(error)

    def _require_held(self, images: list[str]) -> None:
        for image in images:
            if not self._runtime.holds(image):
                self._memory.clear()
                raise _fault(image, f"failed to pull image: image removed during sync: {image}")

    def _fetch(self, image: str) -> None:
        if self._runtime.holds(image):
            return
        wait = self._limits.first_wait
        for tried in range(1, TRIES + 1):
            error = self._pull(image)
            if error is None:
                return
            if "no space left on device" in str(error):
                raise _fault(image, f'failed to pull image "{image}" ({tried} tries): {error}') from error
            # Also after the last one.
            if self._stopping.wait(wait):
                return
            wait *= 2
        seen = f'failed to pull image "{image}" ({TRIES} tries): timed out waiting for the condition: {error}'
        raise _fault(image, seen) from error

    def _pull(self, image: str) -> LabError | None:
        try:
            self._runtime.pull(image)
        except LabError as error:
            return error
        return None

    def _report(self, sets: Iterable[Json], said: Said, fault: str = "", *, complete: bool = False) -> None:
        """Write one of the node's conditions and, for each set, which generation is wanted, reached or failed."""
        found = []
        for one in sets:
            generation = one["metadata"]["generation"]
            told = {"name": one["metadata"]["name"], "desiredGeneration": generation}
            if complete or self._memory.get(one["metadata"]["uid"]).generation == generation:
                told["currentGeneration"] = generation
            elif fault:
                told |= {"lastFailedGeneration": generation, "lastFailedGenerationError": fault}
            found.append(told)
        node = self.client.get(f"/api/v1/nodes/{self._node}")
        report(self.client, node, said, pinnedImageSets=found or None)


def _fault(subject: str, seen: str) -> LabError:
    return LabError("have images", on=subject, seen=seen, advice="See its log.")


def _duration(seconds: float) -> str:
    """Return seconds as Go's time.Duration prints them."""
    if seconds < 1:
        return f"{round(seconds * 1000)}ms"
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}m{rest}s" if minutes else f"{rest}s"


def _bytes(quantity: str) -> int:
    number = quantity.rstrip("KMGTi")
    return int(number) << 10 * " KMGT".index(quantity[len(number) :][:1] or " ")


def _existing(sets: Iterable[Json | None]) -> list[Json]:
    return [one for one in sets if one is not None]


def _identities(sets: Iterable[Json | None]) -> list[tuple[str, int]]:
    return [(one["metadata"]["uid"], one["metadata"]["generation"]) if one else ("", 0) for one in sets]
