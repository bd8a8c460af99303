# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How long a switch by switch_os_image.yml takes on a machine that really boots, beside bootc switch and a reboot.

Run it with ``python -m ansible_collections.fieldops.openshift.tests.benchmarks.real_switch``. Both reboot the whole
machine into an image of which one layer is new. The play drains, proves the image and the node, and uncordons as well.
"""

from __future__ import annotations

import sys
import tempfile
import time
import typing as t
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.benchmarks.measurement import ratio
from ansible_collections.fieldops.openshift.tests.integration.real_boots.virtual_site import VirtualSite
from ansible_collections.fieldops.openshift.tests.lab.virtual import bootc_program
from ansible_collections.fieldops.openshift.tests.lab.virtual.lab import VirtualLab
from ansible_collections.fieldops.openshift.tests.lab.virtual.system import REPOSITORY

if t.TYPE_CHECKING:
    from collections.abc import Callable

ROUNDS = 2


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
    """Print both times, the best of some rounds, and their ratio."""
    lacking = bootc_program.lacking()
    if lacking:
        raise SystemExit(lacking)
    contestants: dict[str, Callable[[VirtualLab, VirtualSite, str], None]] = {"bare": bare, "play": by_play}
    found: dict[str, list[float]] = {name: [] for name in contestants}
    with VirtualLab() as lab, tempfile.TemporaryDirectory() as folder:
        site = VirtualSite(lab, Path(folder))
        for number in range(ROUNDS):
            for name, switch in contestants.items():
                digest = site.publish(f"{number}.{name}")
                began = time.perf_counter()
                switch(lab, site, digest)
                found[name].append(time.perf_counter() - began)
                sys.stderr.write(f"{name}: {found[name][-1]:.0f} s\n")
                if site.booted != digest:
                    raise SystemExit(f"{name}: {site.booted} is booted instead of {digest}")
    ours, theirs = min(found["play"]), min(found["bare"])
    print(f"bootc switch and reboot {theirs:.0f} s, switch_os_image.yml {ours:.0f} s")
    ratio("switch_os_image.yml beside bootc switch and reboot", ours / theirs, goal="1.20")


if __name__ == "__main__":
    main()
