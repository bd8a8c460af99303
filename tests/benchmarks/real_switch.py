# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""How long a switch by switch_os_image.yml takes on a machine that really boots, beside bootc switch and a reboot.

Run it with ``python -m ansible_collections.fieldops.openshift.tests.benchmarks.real_switch``. Both reboot the whole
machine into an image of which one layer is new. The play drains, proves the image and the node, and uncordons as well.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.benchmarks.measurement import ratio
from ansible_collections.fieldops.openshift.tests.integration.real_boots.virtual_site import VirtualSite
from ansible_collections.fieldops.openshift.tests.lab.virtual import bootc_program
from ansible_collections.fieldops.openshift.tests.lab.virtual.lab import VirtualLab
from ansible_collections.fieldops.openshift.tests.lab.virtual.system import REPOSITORY

ROUNDS = 3


def bare(lab: VirtualLab, site: VirtualSite, digest: str) -> None:
    """Switch as an administrator does it by hand."""
    boot = lab.boot
    site.machine.run("bootc", "switch", f"{REPOSITORY}@{digest}")
    site.machine.run("systemctl", "reboot", check=False)
    lab.wait_booted(boot)


def by_play(_lab: VirtualLab, site: VirtualSite, digest: str) -> None:
    """Switch by the playbook."""
    done = site.play("switch_os_image", **site.request(digest), site_soft_reboot="never")
    if done.status:
        raise SystemExit(done.output)


def main() -> None:
    """Print the median times of some rounds, in turns, and their ratio."""
    lacking = bootc_program.lacking()
    if lacking:
        raise SystemExit(lacking)
    contestants: dict[str, Callable[[VirtualLab, VirtualSite, str], None]] = {"bare": bare, "play": by_play}
    found: dict[str, list[float]] = {name: [] for name in contestants}
    began = time.perf_counter()
    with VirtualLab() as lab, tempfile.TemporaryDirectory() as folder:
        sys.stderr.write(f"lab and first boot: {_since(began)}\n")
        site = VirtualSite(lab, Path(folder))
        for number in range(ROUNDS):
            for name, switch in contestants.items():
                digest = site.publish(f"{number}.{name}")
                began = time.perf_counter()
                switch(lab, site, digest)
                found[name].append(time.perf_counter() - began)
                sys.stderr.write(f"{name}: {_since(began)}\n")
                if site.booted != digest:
                    raise SystemExit(f"{name}: {site.booted} is booted instead of {digest}")
    ours, theirs = statistics.median(found["play"]), statistics.median(found["bare"])
    print(f"bootc switch and reboot {theirs:.0f} s, switch_os_image.yml {ours:.0f} s")
    ratio("switch_os_image.yml beside bootc switch and reboot", ours / theirs, goal="1.20")


def _since(began: float) -> str:
    return f"{time.perf_counter() - began:.0f} s at load {os.getloadavg()[0]:.1f}"


if __name__ == "__main__":
    main()
