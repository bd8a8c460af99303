# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A release of 190 images mounted as a store, beside loading it, on one host: time, and bytes on the disk.

And a store passed on from a stick in one node behind a slow link to others, beside the time that its bytes need.
Run as root: ``python -m ansible_collections.fieldops.openshift.tests.benchmarks.image_store [ROUNDS] [NODES] [MB/S]
[MB] [FOLDER]``; with no rounds, or no nodes, that part is left out. Below FOLDER the bundles of both parts are kept, or
found, since they take minutes to make.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
import time
import typing as t
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import BundleFolder
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.bundle_objects import NoProgress
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.image_store.build import build_store
from ansible_collections.fieldops.openshift.tests.benchmarks.large_release import large_release
from ansible_collections.fieldops.openshift.tests.benchmarks.measurement import ROUNDS, Run, ratio
from ansible_collections.fieldops.openshift.tests.benchmarks.node_loading import Bench, timed
from ansible_collections.fieldops.openshift.tests.integration.image_stores.store_node import STORES, StoreNode
from ansible_collections.fieldops.openshift.tests.integration.node_images.bundles import WrittenBundle, write_bundle
from ansible_collections.fieldops.openshift.tests.integration.node_images.nodes import Controller, Ended
from ansible_collections.fieldops.openshift.tests.lab.debian import require_packages
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
from ansible_collections.fieldops.openshift.tests.lab.registry.release_spec import ReleaseSpec

RELEASE = ReleaseSpec(
    version="4.21.9",
    components=189,
    base_layers=(24 << 20, 8 << 20),
    own_layers=(1 << 20,),
    os_layers=(16 << 20, 16 << 20),
    compressible=0.6,
    runnable=True,
)
"""190 images with the release image; each layer shrinks to two fifths, as OpenShift's own do."""

SOURCE = "master-0"
MOUNTS = 3
"""How often the store is mounted for each time that its images are loaded."""

DEFAULTS = (str(ROUNDS), "5", "30", "1500", "")

STEP = """
import json
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.stores import step as stores_step
wanted = {"index_digest": str(digest), "sources": [], "src": "", "keep_free_percent": 1, "pin": True}
wanted.update({"state": "present", "probe_image": "", "probe_command": ["/usr/bin/true"], "pool": "worker"})
wanted.update(json.loads(sys.argv[2]))
state = stores_step.store_step(host, wanted, check_mode=False)
while not state.done:
    state = stores_step.store_step(host, wanted, check_mode=False)
print(json.dumps([state.objects.get("decision"), state.objects.get("reason")]))
"""


class StoreBench(Bench):
    """One host with a staged bundle that has a store."""

    def step(self, **changes: t.Any) -> list[str]:
        """Take the steps of node_image_store on the host and return its decision with the reason."""
        found: list[str] = json.loads(self.python(STEP, json.dumps(changes)).splitlines()[-1])
        return found

    def mount(self, *, pin: bool = False) -> Run:
        """Mount the staged store, anew, until every image is proved to be there; loading does not pin either."""
        self.step(state="absent")
        decision: list[list[str]] = []
        run = timed(lambda: decision.append(self.step(pin=pin)))
        if decision[0][0] != "store":
            raise SystemExit(f"the host does not use the store: {decision[0]}")
        return run

    def bytes_of(self, *paths: str) -> int:
        """Return the bytes that paths of the host take on its disk."""
        said = self.host.run("du", "--one-file-system", "--summarize", "--total", "--block-size=1", *paths, check=False)
        return int(said.splitlines()[-1].split()[0])


def with_store(written: WrittenBundle, scratch: Path) -> WrittenBundle:
    """Return the bundle with a store in it."""
    order = {"path": str(written.folder), "filesystem": "squashfs", "compression": "zstd", "bases": []}
    build_store({**order, "scratch": str(scratch)}, NoProgress())
    return WrittenBundle(written.folder, BundleFolder(written.folder).require_index())


def compare(bench: StoreBench, rounds: int) -> None:
    """Mount and load the same bundle in turns, and see what each takes on the disk."""
    mounts, pinned, loads, loaded, store = [], [], [], 0, 0
    for _round in range(rounds):
        for _time in range(MOUNTS):
            mounts.append(bench.mount().wall)
            print(f"mounted in {mounts[-1]:.2f} s", flush=True)
            store = bench.bytes_of(STORES)
            bench.step(state="absent")
        pinned.append(bench.mount(pin=True).wall)
        bench.step(state="absent")
        bench.empty()
        before = bench.used()
        loads.append(bench.ours().wall)
        loaded = bench.used() - before
        bench.empty()
    print("mounting: " + ", ".join(f"{one:.2f}" for one in mounts) + " s")
    print("mounting and pinning: " + ", ".join(f"{one:.2f}" for one in pinned) + " s")
    print("loading:  " + ", ".join(f"{one:.2f}" for one in loads) + " s")
    ratio("seconds from the staged file to all images proved", min(mounts), "below 3")
    ratio("how many times faster than loading", min(loads) / min(mounts), "at least 20")
    # The staged store is a blob of the bundle as well.
    bundle = bench.bytes_of(bench.folder) - store
    print(f"bundle without the store {bundle / 1e6:.0f} MB, loaded {loaded / 1e6:.0f} MB, store {store / 1e6:.0f} MB")
    ratio("disk of the store beside bundle and loaded images", store / (bundle + loaded), "at most 0.6")


def release_in(folder: Path, scratch: Path, spec: ReleaseSpec = RELEASE) -> WrittenBundle:
    """Return the bundle of the release with its store in ``folder``, made unless it is there."""
    if (folder / "index.json").exists():
        found = WrittenBundle(folder, BundleFolder(folder).require_index())
    else:
        found = write_bundle(folder, large_release(scratch / "pool", spec))
    return found if found.index.stores else with_store(found, scratch)


def mount_or_load(rounds: int, kept: str) -> None:
    """Start a host and measure on it."""
    with tempfile.TemporaryDirectory(prefix="fieldops-bench-") as folder, Lab(control_plane=1, workers=0) as lab:
        scratch = Path(folder)
        written = release_in(Path(kept or scratch, "release"), scratch)
        index, (store,) = written.index, written.index.stores
        size = index.blobs[store.digest].size
        print(f"{len(index.images)} images, {(index.size - size) / 1e6:.0f} MB in blobs, store {size / 1e6:.0f} MB")
        StoreNode(lab, "master-0", None).give_loop_devices()
        bench = StoreBench(lab.hosts["master-0"], written)
        if not kept:
            shutil.rmtree(written.folder)
        bench.step(state="configured")
        compare(bench, rounds)


def from_a_stick(count: int, rate: int, size: int, kept: str) -> None:
    """Mount the store of one stick, in a node whose link gives ``rate`` MB/s, on ``count`` other nodes."""
    layer = size * 1_000_000 // 8
    spec = ReleaseSpec(components=8, base_layers=(layer, layer), own_layers=(layer,), os_layers=(4096,), runnable=True)
    with tempfile.TemporaryDirectory(prefix="fieldops-bench-") as folder, Lab(control_plane=1, workers=count) as lab:
        scratch = Path(folder)
        written = release_in(Path(kept or scratch, f"stick-{size}"), scratch, spec)
        (store,) = written.index.stores
        needed = written.index.blobs[store.digest].size / rate / 1e6
        print(f"store {needed * rate:.0f} MB on a stick behind {rate} MB/s: {needed:.1f} s at least")
        controller = Controller(lab, scratch)
        nodes = [SOURCE, *(f"worker-{number}" for number in range(count))]
        for name in nodes:
            StoreNode(lab, name, None).give_loop_devices()
            _require(controller.task(name, "node_image_store", state="configured"))
        wanted = {
            "use_image_store_nodes": nodes,
            "use_image_store_index_digest": str(written.index.digest),
            "use_image_store_src_by_node": {SOURCE: StoreNode(lab, SOURCE, None).plug_in(written)},
            "use_image_store_addresses": {name: [lab.hosts[name].address] for name in nodes},
            "use_image_store_keep_free_percent": 1,
        }
        role = {"ansible.builtin.include_role": {"name": "fieldops.openshift.use_image_store"}, "vars": wanted}
        told = {"name": "Task under test", "ansible.builtin.debug": {"msg": "{{ use_image_store_summary }}"}}
        play = controller.play_of([role, told])
        with lab.faults.slow_link(SOURCE, rate * 8_000_000):
            began = time.monotonic()
            ended = _require(controller.play(str(play)))
            seconds = time.monotonic() - began
    if set(ended.result["msg"].values()) != {"store"}:
        raise SystemExit(ended.output)
    print(f"the whole play for {count} nodes and the one with the stick: {seconds:.1f} s")
    ratio("the play beside the time that the bytes need", seconds / needed, "at most 1.5")


def _require(ended: Ended) -> Ended:
    if ended.rc:
        raise SystemExit(ended.output)
    return ended


def main(*words: str) -> None:
    """Measure what is asked for."""
    *numbers, kept = [*words, *DEFAULTS[len(words) :]][: len(DEFAULTS)]
    rounds, count, rate, size = (int(number) for number in numbers)
    require_packages(["skopeo", "squashfs-tools"])
    if rounds:
        mount_or_load(rounds, kept)
    if count:
        from_a_stick(count, rate, size, kept)


if __name__ == "__main__":
    main(*sys.argv[1:])
