# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How quickly a bundle is built, against a loop of skopeo copies and against fetching, hashing and writing alone.

Run it with ``python -m ansible_collections.fieldops.openshift.tests.benchmarks.bundle_build [ROUNDS]``.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import typing as t
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
from ansible_collections.fieldops.openshift.tests.lab.debian import node_root
from ansible_collections.fieldops.openshift.tests.lab.registry.server import Registry

if t.TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ansible_collections.fieldops.openshift.tests.lab.registry.release import Release

BUILD = """
import json, sys
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build_job import build

class Silent:
    def report(self, *_words, **_counts):
        pass

host, version, path = sys.argv[1:]
mirror = {"source": "quay.io", "mirrors": [host], "insecure": True, "contact_source": False}
request = {
    "release": f"quay.io/openshift-release-dev/ocp-release:{version}-x86_64",
    "architecture": "x86_64",
    "registry": {"mirrors": [mirror]},
    "trusted_keys": [],
    "signature_stores": ["/nonexistent"],
    "image_signatures": False,
}
build(request, path, Silent())
"""

FLOOR = """
import hashlib, http.client, os, sys
from concurrent.futures import ThreadPoolExecutor

host, listing, target, workers = sys.argv[1:]

def fetch(line):
    repository, digest = line.split()
    connection = http.client.HTTPConnection(host)
    connection.request("GET", f"/v2/{repository}/blobs/{digest}")
    answer, buffer, hasher = connection.getresponse(), memoryview(bytearray(1 << 19)), hashlib.sha256()
    with open(os.path.join(target, digest), "wb", buffering=0) as stream:
        while count := answer.readinto(buffer):
            hasher.update(buffer[:count])
            stream.write(buffer[:count])
        os.fsync(stream.fileno())
    assert f"sha256:{hasher.hexdigest()}" == digest

with ThreadPoolExecutor(int(workers)) as pool:
    list(pool.map(fetch, open(listing)))
"""


def newer_skopeo() -> list[Path | str]:
    """Return the command of skopeo 1.18, from the root of node hosts and with their C library."""
    root = node_root()
    (libraries,) = {path.parent for path in root.glob("usr/lib/*/libc.so.6")}
    (loader,) = libraries.glob("ld-linux-*.so.*")
    return [loader, "--library-path", libraries, root / "usr/bin/skopeo"]


class Contest:
    """One registry, one release, and a folder that is empty before each run."""

    def __init__(self, scratch: Path, registry: Registry, release: Release) -> None:
        self._target = scratch / "target"
        self._registry = registry
        self._release = release
        self._policy = scratch / "policy.json"
        self._policy.write_text('{"default":[{"type":"insecureAcceptAnything"}]}')
        self._listing = scratch / "blobs"
        named = {str(blob.digest): one.reference.repository for one in release.images for blob in one.image.blobs}
        self._listing.write_text("".join(f"{repository} {digest}\n" for digest, repository in named.items()))

    def empty(self) -> Path:
        """Return the folder, which is empty now."""
        shutil.rmtree(self._target, ignore_errors=True)
        self._target.mkdir()
        return self._target

    def build(self) -> Run:
        """Build a bundle."""
        target = self.empty()
        return measured([sys.executable, "-c", BUILD, self._registry.host, self._release.spec.version, target])

    def floor(self) -> Run:
        """Fetch, hash and write every blob, and nothing else."""
        return measured([sys.executable, "-c", FLOOR, self._registry.host, self._listing, self.empty(), "6"])

    def skopeo(self, command: Sequence[str | Path]) -> Run:
        """Copy image by image into one shared layout, as a shell loop would."""
        target = self.empty()
        total = Run(0.0, 0.0, 0)
        for number, one in enumerate(self._release.images):
            source = f"docker://{self._registry.host}/{one.reference.repository}@{one.reference.digest}"
            words: list[Path | str] = ["--policy", self._policy, "copy", "--quiet", "--src-tls-verify=false"]
            words += ["--dest-shared-blob-dir", target / "shared", source, f"oci:{target}/layout:image-{number}"]
            run = measured([*command, *words])
            total = Run(total.wall + run.wall, total.cpu + run.cpu, max(total.memory, run.memory))
        return total


def main(rounds: int) -> None:
    """Let them run and print what it came to."""
    with tempfile.TemporaryDirectory(prefix="fieldops-bench-") as folder, Registry() as registry:
        scratch = Path(folder)
        release = large_release(scratch / "pool")
        registry.publish(release)
        print(f"{len(release.images)} images, {len(release.blobs)} blobs, {release.size / 1e9:.2f} GB")
        contest = Contest(scratch, registry, release)
        newest = newer_skopeo()
        ours, floor, peer = (
            Series(name, release.size) for name in ("release_bundle", "fetch + hash + write, 6 threads", "skopeo loop")
        )
        contestants: list[tuple[Series, Callable[[], Run]]] = [
            (ours, contest.build),
            (floor, contest.floor),
            (peer, lambda: contest.skopeo(newest)),
        ]
        alternate(contestants, rounds)
        ratio("times as fast as the skopeo loop", peer.wall / ours.wall, "at least 3")
        ratio("CPU of fetch + hash + write alone", ours.cpu / floor.cpu, "at most 1.5")
        ratio("memory in MB", ours.memory / 1e6, "below 300")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS)
