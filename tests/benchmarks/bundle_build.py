# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""How quickly a bundle is built from a registry like quay.io, near and far: tokens, redirects, TLS, and a delay.

Beside it run a loop of ``skopeo copy``, and fetching, hashing and writing alone with the same number of connections.

Run it with ``python -m ansible_collections.fieldops.openshift.tests.benchmarks.bundle_build``, or with ``--help``.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import MIB
from ansible_collections.fieldops.openshift.tests.benchmarks.bundle_contest import CONNECTIONS, Contest
from ansible_collections.fieldops.openshift.tests.benchmarks.distance import Distance
from ansible_collections.fieldops.openshift.tests.benchmarks.large_release import large_release
from ansible_collections.fieldops.openshift.tests.benchmarks.measurement import Run, Series, alternate, ratio
from ansible_collections.fieldops.openshift.tests.lab.registry.release_spec import ReleaseSpec

IMAGES = 190  # of a release of OpenShift 4.20, the release image among them
DELAYS = "0,20,80"


def spec_of(images: int) -> ReleaseSpec:
    """Return a release of so many images: as many requests as the real thing, a twentieth of its bytes."""
    return ReleaseSpec(
        components=images - 1,
        base_layers=(24 * MIB, 8 * MIB),
        own_layers=(2 * MIB, 256 * 1024),
        os_layers=(48 * MIB, 48 * MIB),
        compressible=0.1,
    )


def contest(distance: Distance, found: Contest, size: int, delay: int, rounds: int) -> None:
    """Let them run at one distance and print what it came to."""
    print(f"\n{delay} ms away, by {distance.set(delay)}")
    ours, floor, peer = (
        Series(name, size) for name in ("release_bundle", f"fetch + hash + write, {CONNECTIONS} threads", "skopeo loop")
    )
    contestants: list[tuple[Series, Callable[[], Run]]] = [
        (ours, found.build),
        (floor, found.floor),
        (peer, found.skopeo),
    ]
    alternate(contestants, rounds)
    ratio("times as fast as the skopeo loop", peer.wall / ours.wall, "at least 3, or the next")
    ratio("part of the rate of fetch + hash + write alone", floor.wall / ours.wall, "at least 0.95")
    ratio("CPU of fetch + hash + write alone", ours.cpu / floor.cpu, "at most 1.5")
    ratio("memory in MB", ours.memory / 1e6, "below 150")


def main() -> None:
    """Let them run at each distance."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--images", type=int, default=IMAGES)
    parser.add_argument("--delays", default=DELAYS, help="milliseconds to and fro, with commas between them")
    parser.add_argument("--rounds", type=int, default=2)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="fieldops-bench-") as folder, Distance() as distance:
        scratch = Path(folder)
        release = large_release(scratch / "pool", spec_of(chosen.images))
        distance.registry.publish(release)
        print(f"{len(release.images)} images, {len(release.blobs)} blobs, {release.size / 1e9:.2f} GB")
        found = Contest(scratch, distance.registry, release, distance.prefix)
        for delay in map(int, chosen.delays.split(",")):
            contest(distance, found, release.size, delay, chosen.rounds)


if __name__ == "__main__":
    main()
