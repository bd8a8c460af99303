# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Runs early on a node host: gives it its address and what a kubelet expects of a machine and a container lacks."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

KERNEL_SETTINGS = {"vm/overcommit_memory": "1", "kernel/panic": "10", "kernel/panic_on_oops": "1"}
INTERFACE = "host0"  # systemd-nspawn's name for the host's end of its cable


def main() -> None:
    """Prepare the host."""
    settings = json.loads(Path("/etc/lab/host.json").read_text())
    if not Path("/dev/kmsg").exists():
        Path("/dev/kmsg").symlink_to("/dev/console")
    for name, value in KERNEL_SETTINGS.items():
        place = Path("/proc/sys", name)
        if place.read_text().strip() != value:
            pretended = Path("/run/lab-sysctl", name)
            pretended.parent.mkdir(parents=True, exist_ok=True)
            pretended.write_text(f"{value}\n")
            subprocess.run(["mount", "--bind", pretended, place], check=True)
    ip("link", "set", "lo", "up")
    ip("address", "add", f"{settings['address']}/24", "dev", INTERFACE)
    ip("link", "set", INTERFACE, "up")
    for network, gateway in settings["routes"].items():
        ip("route", "add", network, "via", gateway)


def ip(*arguments: str) -> None:
    """Run ip(8)."""
    subprocess.run(["ip", *arguments], check=True)


if __name__ == "__main__":
    main()
