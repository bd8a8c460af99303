# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The firmware of a node host: mounts its disk and boots it, again after each reboot, until it is powered off.

Runs as ``python -I -S firmware.py NODE_DIRECTORY`` as process 1 of a process and mount namespace of its own, in the
lab's network: whatever ends this process is a loss of power, and takes every process and mount of the host with it.

``NODE_DIRECTORY/firmware.json`` holds ``name``, ``layers`` (lower directories, topmost first), ``cgroups`` and
``bridge``. The host's own files are in ``upper``, its container storage in ``containers``, or on a disk of its own if
there is a file ``containers.img``. A file ``hold`` delays the next boot for as long as it exists. Each end of the host
is a line in ``events``: time and exit status.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

REBOOT = 133  # exit status of systemd-nspawn when the container asks for a reboot
HERE = Path("/run/node")
DISK = "containers.img"


def main() -> int:
    """Boot until powered off; return the exit status of the last run."""
    directory = Path(sys.argv[1])
    settings = json.loads((directory / "firmware.json").read_text())
    for group in settings["cgroups"]:
        Path(group, "cgroup.procs").write_text("0")
    assemble(directory, settings["layers"])
    while True:
        while (HERE / "hold").exists():
            time.sleep(0.02)
        unplug(settings["name"])
        status = boot(settings["name"], settings["bridge"])
        with (HERE / "events").open("a") as events:
            events.write(f"{time.time():.3f} exit {status}\n")
        if status != REBOOT:
            return status


def assemble(directory: Path, layers: list[str]) -> None:
    """Mount the disk, and a private /run and /tmp so that systemd-nspawn leaves nothing on the machine."""
    places = [directory, *map(Path, layers)]
    handles = [os.open(place, os.O_PATH | os.O_DIRECTORY) for place in places]
    mount("-t", "tmpfs", "lab", "/run")
    mount("-t", "tmpfs", "lab", "/tmp")
    targets = [HERE, *(Path(f"/run/layer{number}") for number in range(len(layers)))]
    for handle, target in zip(handles, targets):
        target.mkdir()
        mount("--bind", f"/proc/{os.getpid()}/fd/{handle}", str(target))
    for name in ("work", "root", "upper", "containers"):
        (HERE / name).mkdir(exist_ok=True)
    if (HERE / DISK).exists():
        mount("-o", "loop", f"{HERE}/{DISK}", f"{HERE}/containers")
    lower = ":".join(map(str, targets[1:]))
    mount("-t", "overlay", "-o", f"lowerdir={lower},upperdir={HERE}/upper,workdir={HERE}/work", "lab", f"{HERE}/root")


def mount(*arguments: str) -> None:
    """Run mount(8)."""
    subprocess.run(["mount", "--no-canonicalize", *arguments], check=True)


def unplug(name: str) -> None:
    """Take away the cable of a run that lost its power: the kernel removes it too, but later."""
    subprocess.run(["ip", "link", "delete", f"vb-{name}"], stderr=subprocess.DEVNULL, check=False)


def boot(name: str, bridge: str) -> int:
    """Run the host once, in a time namespace whose uptime starts at zero; return systemd-nspawn's exit status."""
    uptime = Path("/proc/uptime").read_text().partition(".")[0]
    clock = ["unshare", "--time", f"--boottime=-{uptime}", f"--monotonic=-{uptime}", "--fork", "--kill-child", "--"]
    machine = ["--quiet", "--boot", f"--machine={name}", f"--hostname={name}", "--register=no", "--keep-unit"]
    rights = ["--capability=all", "--system-call-filter=@keyring bpf", "--link-journal=no"]
    places = [f"--directory={HERE}/root", f"--bind={HERE}/containers:/var/lib/containers"]
    environment = {**os.environ, "UNIFIED_CGROUP_HIERARCHY": "yes", "SYSTEMD_NSPAWN_API_VFS_WRITABLE": "network"}
    with (HERE / "console.log").open("ab") as console:
        done = subprocess.run(
            [*clock, "systemd-nspawn", *machine, *rights, *places, f"--network-bridge={bridge}"],
            stdin=subprocess.DEVNULL,
            stdout=console,
            stderr=console,
            env=environment,
            check=False,
        )
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
