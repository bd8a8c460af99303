# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What pulling a bundle's images from the node's own image source costs beside another registry, and how it starts.

Run it as root with ``python -m ansible_collections.fieldops.openshift.tests.benchmarks.image_source [ROUNDS]``.
"""

from __future__ import annotations

import contextlib
import json
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import (
    PREFIX_STEP,
    Blob,
    BundleIndex,
    blobs_by_digest,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.tests.benchmarks.large_release import large_release
from ansible_collections.fieldops.openshift.tests.benchmarks.measurement import ROUNDS, Run, Series, alternate, ratio
from ansible_collections.fieldops.openshift.tests.benchmarks.node_loading import LARGE, MANY, Bench, timed
from ansible_collections.fieldops.openshift.tests.integration.node_images.bundles import write_bundle
from ansible_collections.fieldops.openshift.tests.integration.node_images.nodes import upper
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
from ansible_collections.fieldops.openshift.tests.lab.node.host import NodeHost
from ansible_collections.fieldops.openshift.tests.lab.registry.programs import program
from ansible_collections.fieldops.openshift.tests.lab.registry.release import Release
from ansible_collections.fieldops.openshift.tests.lab.registry.release_spec import ReleaseSpec
from ansible_collections.fieldops.openshift.tests.lab.registry.storage import RegistryStorage

SERVICE = "fieldops-image-source.service"
SOCKET = "fieldops-image-source.socket"
PEER, PEER_ROOT, PEER_PROGRAM = "distribution.service", "/var/lib/registry", "/opt/docker-registry"
PEER_SETTINGS = {
    "version": "0.1",
    "log": {"level": "error", "accesslog": {"disabled": True}},
    "storage": {"filesystem": {"rootdirectory": PEER_ROOT}},
    "http": {"addr": "127.0.0.1:9700"},
}
HUGE = 20 << 30
BYTES = replace(LARGE, version="4.21.10", seed=10, compressible=0.0)
"""The cost of bytes: 25 images in 0.27 GB. A real release has 190 in 16 GB, so its share of requests is far smaller."""
BLOB = PREFIX_STEP


class SourceBench(Bench):
    """A host that serves its bundle to itself."""

    def pulled(self) -> Run:
        """Let CRI-O pull all images of the bundle, one after another, into an emptied storage."""
        self.empty()
        pulls = [f"crictl --timeout 2m pull {name} > /dev/null" for name in self.bundle.names]
        return timed(lambda: self.host.run("sh", "-c", "\n".join(["set -e", *pulls])))

    def install_peer(self, release: Release) -> None:
        """Give the host a distribution registry that holds the same images."""
        root = upper(self.host)
        RegistryStorage(root / PEER_ROOT.lstrip("/")).publish(release.pool, release.images)
        shutil.copyfile(program("docker-registry"), root / PEER_PROGRAM.lstrip("/"))
        self.host.run("chmod", "755", PEER_PROGRAM)
        self.host.write("/etc/distribution.json", json.dumps(PEER_SETTINGS))

    @contextlib.contextmanager
    def peer_in_place(self) -> Iterator[None]:
        """Let distribution answer at the port of the source."""
        self.host.run("systemctl", "stop", SOCKET, SERVICE)
        serve = (PEER_PROGRAM, "serve", "/etc/distribution.json")
        self.host.run("systemd-run", f"--unit={PEER}", "--property=CPUAccounting=yes", *serve)
        asked = "until curl --silent --fail --output /dev/null http://127.0.0.1:9700/v2/; do sleep 0.05; done"
        self.host.run("timeout", "30", "sh", "-c", asked)
        try:
            yield
        finally:
            self.host.run("systemctl", "stop", PEER)
            self.host.run("systemctl", "start", SOCKET)

    def pulled_from_peer(self) -> Run:
        """Let CRI-O pull the same images by the same rules from distribution."""
        with self.peer_in_place():
            return self.pulled()

    def seconds_of_processor(self, unit: str = SERVICE) -> float:
        """Return what a server has used since it started."""
        return int(self.host.run("systemctl", "show", unit, "--property=CPUUsageNSec", "--value")) / 1e9

    def first_byte(self, path: str) -> float:
        """Return the best of many times to the first byte of an answer, of a server that runs."""
        asked = f"curl --silent --output /dev/null --write-out '%{{time_starttransfer}}\\n' http://127.0.0.1:9700{path}"
        words = self.host.run("sh", "-c", f"for n in $(seq 20); do {asked}; done").split()
        return min(float(word) for word in words)


def compare(bench: SourceBench, rounds: int) -> None:
    """Pull from the source and from distribution, in turns."""
    size = bench.bundle.index.size
    pulled, peer = (Series(name, size) for name in ("CRI-O from the source", "CRI-O from distribution"))
    contestants: list[tuple[Series, Callable[[], Run]]] = [(pulled, bench.pulled), (peer, bench.pulled_from_peer)]
    alternate(contestants, rounds)
    ratio("speed of pulling beside pulling from distribution", peer.wall / pulled.wall, "at least 1.0")


def cost(bench: SourceBench) -> None:
    """Say what the server itself takes, once it runs."""
    release = bench.bundle.index.release
    path = f"/v2/{release.name.partition('/')[2]}/manifests/{release.digest}"
    ratio("milliseconds to the first byte of a manifest", bench.first_byte(path) * 1000, "below 5")
    share = 300e6 / bench.bundle.index.size
    before = bench.seconds_of_processor()
    bench.pulled()
    ratio("seconds of processor of the server for 300 MB", (bench.seconds_of_processor() - before) * share, "below 0.2")
    with bench.peer_in_place():
        bench.pulled()
        ratio("the same of distribution", bench.seconds_of_processor(PEER) * share, "not above it")


def opening(host: NodeHost, index: BundleIndex) -> None:
    """Say how long a bundle of 20 GiB, whose proofs are on record, takes to its first answer after a restart."""
    sizes = {Digest(f"{number:064x}"): BLOB for number in range(HUGE // BLOB)}
    first, *others = index.images
    large = replace(
        index,
        serial=2,
        images=(replace(first, content=(*first.content, *sizes)), *others),
        blobs=blobs_by_digest(*index.blobs.values(), *(Blob(one, size, "x/y") for one, size in sizes.items())),
    )
    folder = upper(host) / f"var/lib/fieldops/bundles/{large.folder_name}"
    (folder / "blobs/sha256").mkdir(parents=True)
    known = {}
    for digest, size in sizes.items():
        path = folder / "blobs/sha256" / digest.hex
        with path.open("wb") as file:
            file.truncate(size)
        seen = path.stat()
        known[digest.hex] = [seen.st_ino, seen.st_size, seen.st_mtime_ns]
    (folder / "proofs.json").write_text(json.dumps({"schemaVersion": 1, "files": known}))
    (folder / "index.json").write_bytes(large.as_bytes())
    blob = f"http://127.0.0.1:9700/v2/a/blobs/{next(iter(sizes))}"
    asked = f"curl --silent --fail --range 0-9 --output /dev/null --write-out '%{{time_total}}' {blob}"
    host.run("systemctl", "stop", SERVICE)
    ratio("seconds to the first answer from 20 GiB after a restart", float(host.run("sh", "-c", asked)), "below 1")


def main(rounds: int) -> None:
    """Start a host and measure on it."""
    with tempfile.TemporaryDirectory(prefix="fieldops-bench-") as folder, Lab(control_plane=1, workers=0) as lab:
        for spec in (LARGE, MANY):
            bench = _serving(lab.hosts["master-0"], Path(folder), spec)
            compare(bench, rounds)
            bench.empty()
        bench = _serving(lab.hosts["master-0"], Path(folder), BYTES)
        bench.pulled()
        cost(bench)
        bench.empty()
        opening(bench.host, bench.bundle.index)


def _serving(host: NodeHost, scratch: Path, spec: ReleaseSpec) -> SourceBench:
    release = large_release(scratch / "pool", spec)
    bundle = write_bundle(scratch / spec.version, release)
    images, size = len(bundle.index.images), bundle.index.size
    print(f"{images} images, {len(bundle.index.blobs)} blobs, {size / 1e6:.0f} MB")
    bench = SourceBench(host, bundle)
    bench.serve()
    bench.install_peer(release)
    return bench


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS)
