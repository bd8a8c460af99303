# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the playbook stage_bundle takes for many nodes beyond their bytes, with nodes that answer as real ones do.

Run it with ``python -m ansible_collections.fieldops.openshift.tests.benchmarks.many_nodes``, or with [NODES] [SECONDS]
[EARLIER] behind it. SECONDS are what a node over ssh needs for an answer. What is measured is the work of this machine
and the order of the questions. EARLIER is a folder with another version of the collection, to be measured as well.

On a machine with other load, the seconds are those of the load. The seconds of processors depend little on it: divided
by the number of processors, they are the least that the playbook takes.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.benchmarks.measurement import ratio
from ansible_collections.fieldops.openshift.tests.integration.node_images.fake_site import FakeSite

DEFAULTS = ("60", "1.0")
GOAL = 60.0
PR_SET_CHILD_SUBREAPER = 36
"""Processes whose parent has ended become children of this one. Source: prctl(2)."""


@dataclass(frozen=True)
class Taken:
    """What one run took: seconds, and seconds of processors with those of the stand-ins."""

    wall: float
    processors: float

    def line(self, name: str) -> str:
        """Return the result in one line."""
        return f"{name}: {self.wall:.1f} s, {self.processors:.1f} s of {os.cpu_count()} processors"


def brought(site: FakeSite, collections: str) -> Taken:
    """Return what the playbook of a version took."""
    began, before = time.monotonic(), _processors()
    site.bring(collections)
    wall = time.monotonic() - began
    # The process of a node outlives the worker that started it.
    with contextlib.suppress(ChildProcessError):
        while True:
            os.wait()
    return Taken(wall, _processors() - before)


def _processors() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main(count: int, seconds: float, earlier: str) -> None:
    """Measure this version, and an earlier one where there is one."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    print(f"load before: {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory(prefix="fieldops-bench-") as folder:
        site = FakeSite(Path(folder), count, seconds)
        taken = brought(site, str(Path(__file__).parents[5]))
        print(taken.line(f"{count} nodes that answer in {seconds} s"))
        ratio("seconds of the whole play beyond the bytes", taken.wall, f"below {GOAL:.0f}")
        ratio("seconds of all processors at the least", taken.processors / (os.cpu_count() or 1))
        if earlier:
            before = brought(site, earlier)
            print(before.line(f"the version in {Path(earlier).name}"))
            ratio("the earlier version beside this one", before.wall / taken.wall)


if __name__ == "__main__":
    given = [*sys.argv[1:], *DEFAULTS[len(sys.argv) - 1 :]]
    main(int(given[0]), float(given[1]), given[2] if len(given) > 2 else "")
