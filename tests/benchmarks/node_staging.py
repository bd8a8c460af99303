# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What staging a bundle from a medium costs, beside hashing and writing the same bytes and nothing else.

Run it with ``python -m ansible_collections.fieldops.openshift.tests.benchmarks.node_staging [ROUNDS]``.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.benchmarks.large_release import large_release
from ansible_collections.fieldops.openshift.tests.benchmarks.measurement import (
    ROUNDS,
    Run,
    Series,
    alternate,
    measured,
    ratio,
)
from ansible_collections.fieldops.openshift.tests.integration.node_images.bundles import WrittenBundle, write_bundle

LOOK = """
import json, sys
from pathlib import Path
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staged_bundles import create_folder
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staged_bundles import folder_for
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staging.stage_bundle import look_at
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staging.stage_job import stage_blobs
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staging.staging_order import (
    StagingOrder,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline

class NoProgress:
    def report(self, *_words, **_counts):
        pass

root, order = sys.argv[1], json.loads(sys.argv[2])
host = Host(SystemClock(), Path(root))
staging = look_at(host, StagingOrder.of(order, {}), Deadline(60, host.clock))
"""
BRING = """
create_folder(staging.folder, staging.content)
stage_blobs(host_root=root, order=order, progress=NoProgress())
"""
PROVE = """
assert look_at(host, StagingOrder.of(order, {}), Deadline(60, host.clock)).state.is_complete
"""

FLOOR = """
import hashlib, os, sys
from concurrent.futures import ThreadPoolExecutor

source, target, workers = sys.argv[1:]

def copy(name):
    buffer, hasher = memoryview(bytearray(1 << 20)), hashlib.sha256()
    with open(f"{source}/{name}", "rb", buffering=0) as reader, open(f"{target}/{name}", "wb", buffering=0) as writer:
        while count := reader.readinto(buffer):
            hasher.update(buffer[:count])
            writer.write(buffer[:count])
        os.fsync(writer.fileno())
    assert hasher.hexdigest() == name

with ThreadPoolExecutor(int(workers)) as pool:
    list(pool.map(copy, os.listdir(source)))
"""


HASH = """
import hashlib, os, sys
from concurrent.futures import ThreadPoolExecutor
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.prefix_hasher import PrefixHasher

make = {"prefixes": PrefixHasher, "once": hashlib.sha256}[sys.argv[1]]
block, size = memoryview(os.urandom(1 << 19)), int(sys.argv[2])

def fill(_number):
    hasher = make()
    for _unused in range(size // len(block) // os.cpu_count()):
        hasher.update(block)

with ThreadPoolExecutor(os.cpu_count()) as pool:
    list(pool.map(fill, range(os.cpu_count())))
"""


class Contest:
    """One bundle, and a host's root that is empty before each run."""

    def __init__(self, scratch: Path, bundle: WrittenBundle) -> None:
        self._scratch = scratch
        self._bundle = bundle
        self._root = scratch / "root"
        order = {"index_digest": str(bundle.index.digest), "images": [], "sources": [], "src": "/medium", "parts": []}
        self._order = json.dumps(order)

    def stage(self) -> Run:
        """Stage the bundle."""
        shutil.rmtree(self._root, ignore_errors=True)
        self._root.mkdir()
        (self._root / "medium").mkdir()
        for path in self._bundle.folder.rglob("*"):
            target = self._root / "medium" / path.relative_to(self._bundle.folder)
            target.mkdir(exist_ok=True) if path.is_dir() else target.hardlink_to(path)
        return measured([sys.executable, "-c", LOOK + BRING + PROVE, self._root, self._order])

    def again(self) -> Run:
        """See that the staged bundle is complete."""
        return measured([sys.executable, "-c", LOOK + PROVE, self._root, self._order])

    def floor(self) -> Run:
        """Hash, write and flush every blob, and nothing else."""
        target = self._scratch / "floor"
        shutil.rmtree(target, ignore_errors=True)
        target.mkdir()
        return measured([sys.executable, "-c", FLOOR, self._bundle.folder / "blobs/sha256", target, "4"])


def main(rounds: int) -> None:
    """Let them run and print what it came to."""
    with tempfile.TemporaryDirectory(prefix="fieldops-bench-") as folder:
        scratch = Path(folder)
        bundle = write_bundle(scratch / "bundle", large_release(scratch / "pool"))
        size = bundle.index.size
        print(f"{len(bundle.index.images)} images, {len(bundle.index.blobs)} blobs, {size / 1e9:.2f} GB")
        contest = Contest(scratch, bundle)
        ours, again, floor = (Series(name, size) for name in ("stage", "look again", "hash + write, 4 threads"))
        contestants: list[tuple[Series, Callable[[], Run]]] = [
            (ours, contest.stage),
            (again, contest.again),
            (floor, contest.floor),
        ]
        hashing, once = Series("hashing of staging, all cores", size), Series("one SHA-256, all cores", size)
        for series, kind in ((hashing, "prefixes"), (once, "once")):
            command = [sys.executable, "-c", HASH, kind, str(size)]
            contestants.append((series, partial(measured, command)))
        alternate(contestants, rounds)
        ratio("part of the rate of one SHA-256 on all cores, in memory", once.wall / hashing.wall, "at least 0.9")
        ratio("part of the rate of hashing and writing alone", floor.wall / ours.wall)
        ratio("CPU time of staging beside hashing and writing", ours.cpu / floor.cpu, "at most 2")
        ratio("seconds to see that all is there", again.wall, "below 2")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS)
