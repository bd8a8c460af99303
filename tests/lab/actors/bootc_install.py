# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Puts the actors bootc and rpm-ostree onto a host of the lab."""

from __future__ import annotations

import shutil
from pathlib import Path

# As in ostree's own unit: without the conflict nothing would stop it before the last processes are killed.
FINALIZE_UNIT = """[Unit]
Description=Deploys what is staged when the host goes down (stands in for ostree-finalize-staged.service)
DefaultDependencies=no
RequiresMountsFor=/sysroot
Before=basic.target final.target
Conflicts=final.target
After=local-fs.target

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/bin/true
ExecStop=/usr/bin/bootc internals finalize-staged

[Install]
WantedBy=multi-user.target
"""

PROGRAMS = "usr/libexec/fieldops-actors"


def install(root: Path, *, bootc: bool = True, rpm_ostree: bool = True, sysroot: str = "/sysroot") -> None:
    """Put the programs into the tree ``root``, with ``ostree`` in /usr/local/bin that knows their staged deployment."""
    folder = root / PROGRAMS
    folder.mkdir(parents=True, exist_ok=True)
    here = Path(__file__).parent
    for path in (*here.glob("bootc*.py"), here / "rpm_ostree.py"):
        shutil.copy(path, folder / path.name)
    wanted = {"usr/bin/bootc": ("bootc.py", ""), "usr/bin/rpm-ostree": ("rpm_ostree.py", "")}
    chosen = {name: what for name, what in wanted.items() if (bootc if "bootc" in name else rpm_ostree)}
    for name, (program, words) in {**chosen, "usr/local/bin/ostree": ("bootc.py", " as-ostree")}.items():
        launcher = root / name
        launcher.parent.mkdir(parents=True, exist_ok=True)
        text = f'export FIELDOPS_ACTOR_SYSROOT={sysroot}\nexec /usr/bin/python3 /{PROGRAMS}/{program}{words} "$@"\n'
        launcher.write_text("#!/bin/sh\n" + text)
        launcher.chmod(0o755)
