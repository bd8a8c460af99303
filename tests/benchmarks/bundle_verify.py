# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""How quickly every byte of a bundle is verified, against sha256sum and against OpenSSL on all cores.

Run it with ``python -m ansible_collections.fieldops.openshift.tests.benchmarks.bundle_verify [ROUNDS]``.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.benchmarks.bundle_contest import build_command
from ansible_collections.fieldops.openshift.tests.benchmarks.large_release import large_release
from ansible_collections.fieldops.openshift.tests.benchmarks.measurement import (
    ROUNDS,
    Run,
    Series,
    alternate,
    measured,
    ratio,
)
from ansible_collections.fieldops.openshift.tests.lab.registry.server import Registry

VERIFY = """
import sys
from pathlib import Path
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import BundleFolder
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.verify_bundle import verify_all

folder = BundleFolder(Path(sys.argv[1]))
sys.exit(1 if verify_all(folder, folder.require_index()) else 0)
"""


ON_ALL_CORES = (
    "bash",
    "-c",
    'printf "%s\\0" "$@" | xargs -0 -n 1 -P "$(nproc)" openssl dgst -sha256 -out /dev/null',
    "openssl dgst",
)
"""Command that lets OpenSSL read the files that follow it, the largest first, as many at once as there are cores."""


def openssl_rate() -> float:
    """Return the bytes per second that OpenSSL hashes in memory on all cores, 16 KiB at a time."""
    cores = len(os.sched_getaffinity(0))
    command = ["openssl", "speed", "-multi", str(cores), "-bytes", "16384", "-seconds", "3", "-evp", "sha256"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = re.search(r"^sha256\s+([0-9.]+)k", done.stdout, re.MULTILINE | re.IGNORECASE)
    assert found is not None, done.stdout
    return float(found[1]) * 1000


def main(rounds: int) -> None:
    """Let them run and print what it came to."""
    with tempfile.TemporaryDirectory(prefix="fieldops-bench-") as folder, Registry() as registry:
        bundle = Path(folder) / "bundle"
        release = large_release(Path(folder) / "pool")
        registry.publish(release)
        measured(build_command(registry, release, bundle))
        sums = ["sha256sum", "--check", "--quiet", "SHA256SUMS"]
        ours, peer, openssl = (
            Series(name, release.size)
            for name in ("release_bundle_info, full", "sha256sum --check", "openssl dgst, all cores")
        )
        blobs = sorted((bundle / "blobs/sha256").iterdir(), key=lambda path: path.stat().st_size, reverse=True)
        os.chdir(bundle)
        contestants: list[tuple[Series, Callable[[], Run]]] = [
            (ours, lambda: measured([sys.executable, "-c", VERIFY, bundle])),
            (peer, lambda: measured(sums)),
            (openssl, lambda: measured([*ON_ALL_CORES, *blobs])),
        ]
        rates = [openssl_rate()]
        alternate(contestants, rounds)
        rates.append(openssl_rate())
        rate = release.size / ours.wall
        ratio("part of openssl dgst on all cores, over the same files", openssl.wall / ours.wall, "at least 0.9")
        ratio("part of OpenSSL's sha256 in memory on all cores, reading nothing", rate / max(rates))
        ratio("times as fast as sha256sum --check", peer.wall / ours.wall, "at least 2")
        os.chdir("/")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS)
