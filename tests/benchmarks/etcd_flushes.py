# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""How long etcd's flushes take while a bundle is staged on its host, beside none, and beside a job without any limit.

Run as root: ``python -m ansible_collections.fieldops.openshift.tests.benchmarks.etcd_flushes [ROUNDS] [MB]``.
etcd and the API server run on the lab host, on whose disk the bundle lies already, as on a USB drive in the node. An
object is written as fast as the API takes it, in all runs alike. The job without limits has the share of processors and
disk that every other service has, and does not look at etcd.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import threading
import time
import typing as t
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.systemd import SLICE
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staging.etcd_gate import METRICS
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.fsync_latency import (
    flush_buckets,
    slowest_between,
)
from ansible_collections.fieldops.openshift.tests.benchmarks.large_release import large_release
from ansible_collections.fieldops.openshift.tests.benchmarks.measurement import ratio
from ansible_collections.fieldops.openshift.tests.integration.node_images.bundles import write_bundle
from ansible_collections.fieldops.openshift.tests.integration.node_images.nodes import Controller, plug_in
from ansible_collections.fieldops.openshift.tests.lab.hosted_api import ETCD_FILES
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
from ansible_collections.fieldops.openshift.tests.lab.node.control_plane_layer import FILES
from ansible_collections.fieldops.openshift.tests.lab.node.host import NodeHost
from ansible_collections.fieldops.openshift.tests.lab.registry.release_spec import ReleaseSpec

NODE = "master-0"
DEFAULTS = ("3", "1500")
QUIET_SECONDS = 20.0
OBJECT = "/api/v1/namespaces/default/configmaps/benchmark"
UNLIMITED = ("CPUWeight=100", "IOWeight=100")


class Contest:
    """One control-plane host, a bundle on its disk, and somebody who writes to its API all the time."""

    def __init__(self, lab: Lab, controller: Controller, digest: str, medium: str) -> None:
        self._lab = lab
        self._host = lab.hosts[NODE]
        self._controller = controller
        self._order = {"index_digest": digest, "src": medium, "keep_free_percent": 1}
        self.seconds: dict[str, float] = defaultdict(float)
        self.paused: list[float] = []

    def quiet(self) -> float:
        """Return what flushes take while nothing is staged."""
        with self._written():
            before = buckets(self._host)
            time.sleep(QUIET_SECONDS)
            return slowest(before, buckets(self._host))

    def limited(self) -> float:
        """Return what flushes take while a bundle is staged as it always is."""
        return self._staged("limited")

    def unlimited(self) -> float:
        """Return what flushes take while a bundle is staged by a job like any other service."""
        return self._staged("unlimited", etcd_fsync_limit=0)

    def _staged(self, name: str, **options: t.Any) -> float:
        self._host.run("sh", "-c", "rm -rf /var/lib/fieldops/*; sync; echo 3 > /proc/sys/vm/drop_caches || true")
        with self._written():
            before, began = buckets(self._host), time.monotonic()
            self._task(**options)
            if options:
                self._host.run("systemctl", "set-property", "--runtime", SLICE, *UNLIMITED)
            ended = self._task(wait=True, **options)
            self.seconds[name] += time.monotonic() - began
            found = slowest(before, buckets(self._host))
        self.paused.append(ended["received"].get("etcd", {}).get("paused_seconds", 0.0))
        return found

    def _task(self, **options: t.Any) -> dict[str, t.Any]:
        ended = self._controller.task(NODE, "node_bundle", **self._order, **options)
        if ended.rc:
            raise SystemExit(ended.output)
        return ended.result

    @contextmanager
    def _written(self) -> Iterator[None]:
        """Let the API be written to for the block."""
        stopped = threading.Event()
        rest = self._lab.api.rest
        if not rest.exists(OBJECT):
            named = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "benchmark"}}
            rest.create(OBJECT.rpartition("/")[0], named)

        def write() -> None:
            number = 0
            while not stopped.is_set():
                number += 1
                rest.merge(OBJECT, {"data": {"number": str(number), "filler": "x" * 4096}})

        writer = threading.Thread(target=write)
        writer.start()
        try:
            yield
        finally:
            stopped.set()
            writer.join()


def buckets(host: NodeHost) -> dict[float, float]:
    """Return how long etcd's flushes took so far."""
    authority, certificate, key = (f"{FILES}/{name}" for name in ETCD_FILES)
    shown = ["--cacert", authority, "--cert", certificate, "--key", key]
    return flush_buckets(host.run("curl", "--silent", "--fail", *shown, METRICS))


def slowest(before: dict[float, float], after: dict[float, float]) -> float:
    """Return the milliseconds that 99 of 100 flushes took at most."""
    found = slowest_between(before, after)
    if found is None:
        raise SystemExit("etcd has flushed nothing, so that there is nothing to compare")
    return found * 1000


def main(rounds: int, size: int) -> None:
    """Let all three run one after another, several times, and print medians and ratios."""
    layer = size * 1_000_000 // 6
    spec = ReleaseSpec(components=8, base_layers=(layer, layer), own_layers=(layer,), os_layers=(4096,))
    with tempfile.TemporaryDirectory(prefix="fieldops-bench-") as folder:
        bundle = write_bundle(Path(folder) / "bundle", large_release(Path(folder) / "pool", spec))
        print(f"{len(bundle.index.blobs)} blobs, {bundle.index.size / 1e6:.0f} MB")
        with Lab(control_plane=1, workers=0, hosted=True) as lab:
            medium = plug_in(lab, NODE, bundle)
            contest = Contest(lab, Controller(lab, Path(folder)), str(bundle.index.digest), medium)
            runs = {"quiet": contest.quiet, "limited": contest.limited, "unlimited": contest.unlimited}
            taken: dict[str, list[float]] = {name: [] for name in runs}
            for _number in range(rounds):
                for name, run in runs.items():
                    taken[name].append(run())
                    sys.stderr.write(f"{name}: {taken[name][-1]:.1f} ms\n")
    median = {name: statistics.median(one) for name, one in taken.items()}
    for name, one in median.items():
        print(f"{name:<10} 99 of 100 flushes within {one:7.1f} ms (median), {max(taken[name]):7.1f} ms at worst")
    print(f"seconds paused: {sum(contest.paused):.0f}; staging {contest.seconds['limited'] / rounds:.1f} s each")
    ratio("flushes during staging beside none", median["limited"] / median["quiet"])
    ratio("flushes during a job without limits beside none", median["unlimited"] / median["quiet"])
    ratio("time of staging beside a job without limits", contest.seconds["limited"] / contest.seconds["unlimited"])


if __name__ == "__main__":
    main(*(int(text) for text in [*sys.argv[1:], *DEFAULTS[len(sys.argv) - 1 :]][:2]))
