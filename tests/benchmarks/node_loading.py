# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What it costs to load a bundle's images on a host, beside a plain loop of skopeo, and whether the forecast is right.

Run it as root with ``python -m ansible_collections.fieldops.openshift.tests.benchmarks.node_loading [ROUNDS]``.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.benchmarks.large_release import large_release
from ansible_collections.fieldops.openshift.tests.benchmarks.measurement import ROUNDS, Run, Series, alternate, ratio
from ansible_collections.fieldops.openshift.tests.integration.node_images.bundles import WrittenBundle, write_bundle
from ansible_collections.fieldops.openshift.tests.integration.node_images.nodes import upper
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
from ansible_collections.fieldops.openshift.tests.lab.node.host import NodeHost
from ansible_collections.fieldops.openshift.tests.lab.registry.release_spec import ReleaseSpec

LARGE = ReleaseSpec(
    components=24,
    base_layers=(32 << 20, 16 << 20),
    own_layers=(6 << 20,),
    os_layers=(32 << 20, 32 << 20),
    compressible=0.6,
)
"""Shrinks to two fifths, as OpenShift's own images do."""

MANY = ReleaseSpec(version="4.21.9", components=190, seed=9, base_layers=(64 << 10,), own_layers=(8 << 10,))
PLUGINS = Path(__file__).resolve().parents[2] / "plugins"
CODE = "/opt/bench"
STORAGE = "/var/lib/containers/storage"
PRELUDE = """
import json, sys
from pathlib import Path
sys.path.insert(0, "/opt/bench")
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.blob_proofs import write_proofs
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staging import pull_job
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do import staged_bundles
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.loading import load_step
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do import node_storage
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan import forecast
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.source.image_source import ensure_source
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest

class NoProgress:
    def report(self, *_words, **_counts):
        pass

digest = Digest.parse(sys.argv[1])
host = Host(SystemClock())
"""
SERVE = """
folder = staged_bundles.staged_folder(host, digest)
write_proofs(folder, staged_bundles.staged_index(folder, digest).blobs, {})
options = {"state": "present", "port": 9700, "block_registries": "always", "other_machines": None}
ensure_source(host, options, check_mode=False)
"""
LOAD = """
index = staged_bundles.staged_index(staged_bundles.staged_folder(host, digest), digest)
images = {str(image.name): image.component or "" for image in index.images if image.is_image}
arguments = {"host_root": "/", "staged": str(digest), "images": images, "parallel": int(sys.argv[2])}
pull_job.pull_images(**arguments, progress=NoProgress())
"""
LOOK = """
order, bound = load_step.LoadingOrder(digest), Deadline(60, host.clock)
state = load_step.ensure_loaded(host, order, keep_free_percent=1, check_mode=False, deadline=bound)
assert state.done and not state.changed
"""
FORECAST = """
index = staged_bundles.staged_index(staged_bundles.staged_folder(host, digest), digest)
stored = node_storage.Storage.of(host).read(host)
for need in (forecast.storage_need, forecast.spool_need):
    print(need(index, index.images, stored, "/").size)
"""


class Bench:
    """One host with the collection's code and one bundle on it."""

    def __init__(self, host: NodeHost, bundle: WrittenBundle) -> None:
        self.host = host
        self.bundle = bundle
        self.folder = f"/var/lib/fieldops/bundles/{bundle.index.folder_name}"
        root = upper(host)
        shutil.copytree(bundle.folder, root / self.folder.lstrip("/"))
        code = root / CODE.lstrip("/") / "ansible_collections/fieldops/openshift/plugins"
        if not code.exists():
            shutil.copytree(PLUGINS, code, ignore=shutil.ignore_patterns("__pycache__"))

    def python(self, program: str, *words: str) -> str:
        """Run a program of ours on the host."""
        return self.host.run("python3", "-c", PRELUDE + program, str(self.bundle.index.digest), *words)

    def serve(self) -> None:
        """Let the host serve the bundle to itself, as staging and the role do."""
        self.python(SERVE)

    def ours(self, parallel: int = 1) -> Run:
        """Load the bundle into an emptied storage."""
        self.empty()
        return timed(lambda: self.python(LOAD, str(parallel)))

    def loop(self) -> Run:
        """Load it as a shell loop over ready folders does."""
        self.empty()
        self._write_views()
        script = ["set -e"]
        for image in self.bundle.index.images:
            view = f"{self.folder}/views/{image.manifests[0].hex}"
            script.append(
                f"skopeo --insecure-policy copy -q --preserve-digests dir:{view} containers-storage:{image.name}"
            )
        run = timed(lambda: self.host.run("sh", "-c", "\n".join(script)))
        self.host.run("rm", "-rf", f"{self.folder}/views")
        return run

    def empty(self) -> None:
        """Take the bundle's images out of the storage."""
        listed = json.loads(self.host.run("crictl", "--timeout", "1m", "images", "-o", "json"))["images"]
        names = {name for image in listed for name in image["repoDigests"]} & set(self.bundle.names)
        if names:
            self.host.run("crictl", "--timeout", "2m", "rmi", *names)

    def used(self) -> int:
        """Return the bytes that the storage takes."""
        return int(self.host.run("du", "--summarize", "--block-size=1", STORAGE).split()[0])

    def _write_views(self) -> None:
        for image in self.bundle.index.images:
            view = upper(self.host) / f"{self.folder}/views/{image.manifests[0].hex}".lstrip("/")
            view.mkdir(parents=True)
            (view / "version").write_text("Directory Transport Version: 1.1\n")
            first, *instances = image.manifests
            (view / "manifest.json").symlink_to(f"../../blobs/sha256/{first.hex}")
            for digest in instances:
                (view / f"{digest.hex}.manifest.json").symlink_to(f"../../blobs/sha256/{digest.hex}")
            for digest in image.content:
                (view / digest.hex).symlink_to(f"../../blobs/sha256/{digest.hex}")


def timed(work: Callable[[], object]) -> Run:
    """Return what ``work`` took; CPU time is not known of what runs on a host."""
    started = time.perf_counter()
    work()
    return Run(time.perf_counter() - started, 0.0, 0)


def compare(bench: Bench, rounds: int) -> None:
    """Load by the job and by the loop, and see whether the forecast was right."""
    index = bench.bundle.index
    print(f"{len(index.images)} images, {len(index.blobs)} blobs, {index.size / 1e9:.2f} GB")
    bench.empty()
    storage, spool = (int(word) for word in bench.python(FORECAST).split())
    before = bench.used()
    bench.ours()
    taken = bench.used() - before
    ratio("forecast of the container storage beside what was taken", storage / taken, "0.95 to 1.05")
    print(f"storage: forecast {storage / 1e6:.1f} MB, taken {taken / 1e6:.1f} MB; spool: forecast {spool / 1e6:.1f} MB")
    size = index.size
    ours, two, loop = (Series(name, size) for name in ("node_images", "node_images, two at a time", "skopeo loop"))
    contestants: list[tuple[Series, Callable[[], Run]]] = [
        (ours, bench.ours),
        (loop, bench.loop),
        (two, lambda: bench.ours(2)),
    ]
    alternate(contestants, rounds)
    ratio("wall time of loading beside the loop", ours.wall / loop.wall, "at most 1.1")
    ratio("wall time of two at a time beside the loop", two.wall / loop.wall, "at most 1.1")


def main(rounds: int) -> None:
    """Start a host and measure on it."""
    with tempfile.TemporaryDirectory(prefix="fieldops-bench-") as folder, Lab(control_plane=1, workers=0) as lab:
        scratch = Path(folder)
        host = lab.hosts["master-0"]
        large = write_bundle(scratch / "large", large_release(scratch / "pool", LARGE))
        many = Bench(host, write_bundle(scratch / "many", large_release(scratch / "pool", MANY)))
        for bench in (Bench(host, large), many):
            bench.serve()
            compare(bench, rounds)
        many.ours(2)
        seconds = min(timed(lambda: many.python(LOOK)).wall for _round in range(rounds))
        ratio(f"seconds to see that {len(many.bundle.index.images)} images are loaded", seconds, "below 2")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS)
