# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""How long the role stage_bundle takes for several nodes from a drive in one node with a slow link, beside one node.

Run as root: ``python -m ansible_collections.fieldops.openshift.tests.benchmarks.node_chain [NODES] [MB_PER_S] [MB]``.
The hosts are those of the lab, the playbook is the one that a technician runs, and everything it does is in its time.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
import typing as t
from dataclasses import dataclass
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.benchmarks.large_release import large_release
from ansible_collections.fieldops.openshift.tests.benchmarks.measurement import ratio
from ansible_collections.fieldops.openshift.tests.integration.node_images.bundles import WrittenBundle, write_bundle
from ansible_collections.fieldops.openshift.tests.integration.node_images.nodes import Controller, plug_in
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
from ansible_collections.fieldops.openshift.tests.lab.registry.release_spec import ReleaseSpec

SOURCE = "master-0"
DEFAULTS = ("5", "30", "900")


@dataclass(frozen=True)
class Staged:
    """The wall time of the whole play, and the seconds that the slowest node received for."""

    play: float
    receiving: float


def main(count: int, rate: int, size: int) -> None:
    """Stage on one node, then on all, and print both and their ratio."""
    layer = size * 1_000_000 // 6
    spec = ReleaseSpec(components=8, base_layers=(layer, layer), own_layers=(layer,), os_layers=(4096,))
    with tempfile.TemporaryDirectory(prefix="fieldops-bench-") as folder, Lab(control_plane=1, workers=count) as lab:
        bundle = write_bundle(Path(folder) / "bundle", large_release(Path(folder) / "pool", spec))
        told = f"{len(bundle.index.blobs)} blobs, {bundle.index.size / 1e6:.0f} MB"
        print(f"{told}; one source behind {rate} MB/s: {bundle.index.size / rate / 1e6:.1f} s at least")
        controller = Controller(lab, Path(folder))
        workers = [f"worker-{number}" for number in range(count)]
        medium = plug_in(lab, SOURCE, bundle)
        with lab.faults.slow_link(SOURCE, rate * 8_000_000):
            one = _stage(lab, controller, bundle, medium, workers[:1])
            many = _stage(lab, controller, bundle, medium, workers)
    print(f"one node:   play {one.play:.1f} s, receiving {one.receiving:.1f} s")
    print(f"{count} nodes:    play {many.play:.1f} s, receiving {many.receiving:.1f} s")
    ratio(f"receiving on {count} nodes beside one", many.receiving / one.receiving, "below 1.5")
    ratio(f"the whole play for {count} nodes beside one", many.play / one.play, f"below 1.5; one by one: {count}")


def _stage(lab: Lab, controller: Controller, bundle: WrittenBundle, medium: str, workers: list[str]) -> Staged:
    nodes = [SOURCE, *workers]
    for name in nodes:
        lab.hosts[name].run("sh", "-c", "rm -rf /var/lib/fieldops/*")
    digest = str(bundle.index.digest)
    # The source stages from its own drive beforehand: that is no part of what goes over the link.
    options = {"index_digest": digest, "src": medium, "wait": True, "keep_free_percent": 1}
    _require(controller.task(SOURCE, "node_bundle", **options))
    role: dict[str, t.Any] = {
        "stage_bundle_nodes": nodes,
        "stage_bundle_index_digest": digest,
        "stage_bundle_src_by_node": {SOURCE: medium},
        "stage_bundle_addresses": {name: [lab.hosts[name].address] for name in nodes},
        "stage_bundle_keep_free_percent": 1,
        "stage_bundle_chain_from": 0,
    }
    stage = {"ansible.builtin.include_role": {"name": "fieldops.openshift.stage_bundle"}, "vars": role}
    told = {"name": "Task under test", "ansible.builtin.debug": {"msg": "{{ stage_bundle_received }}"}}
    play = controller.play_of([stage, told])
    began = time.monotonic()
    ended = _require(controller.play(str(play)))
    seconds = time.monotonic() - began
    print(json.dumps({name: one["by_source"] for name, one in ended.result["msg"].items()}))
    return Staged(seconds, max(one["seconds"] for one in ended.result["msg"].values()))


def _require(ended: t.Any) -> t.Any:
    if ended.rc:
        raise SystemExit(ended.output)
    return ended


if __name__ == "__main__":
    main(*(int(text) for text in [*sys.argv[1:], *DEFAULTS[len(sys.argv) - 1 :]][:3]))
