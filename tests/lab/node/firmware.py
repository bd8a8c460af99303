# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The firmware of a node host: mounts its disk and boots it, again after each reboot, until it is powered off.

Runs as ``python -I -S firmware.py NODE_DIRECTORY`` as process 1 of a process and mount namespace of its own, in the
lab's network: whatever ends this process is a loss of power, and takes every process and mount of the host with it.

``NODE_DIRECTORY/firmware.json`` holds ``name``, ``layers`` (lower directories, topmost first), ``cgroups``, ``bridge``,
``disks`` (a path on the host for each name) and ``clock``, the file of the lab's clock. The host's own files are in
``upper``. What is below a disk's path lies in the directory of the disk's name, or in a file system of its own if there
is an image ``NAME.img``. A file ``hold`` delays the next boot for as long as it exists. Each end of the host is a line
in ``events``: time and exit status.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import typing
from pathlib import Path

REBOOT = 133  # exit status of systemd-nspawn when the container asks for a reboot
HERE = Path("/run/node")
CLOCK = Path("/run/clock")
CLOCK_ON_HOST = "/etc/lab/clock"


def main() -> int:
    """Boot until powered off; return the exit status of the last run."""
    directory = Path(sys.argv[1])
    settings = json.loads((directory / "firmware.json").read_text())
    for group in settings["cgroups"]:
        Path(group, "cgroup.procs").write_text("0")
    assemble(directory, settings)
    while True:
        while (HERE / "hold").exists():
            time.sleep(0.02)
        unplug(settings["name"])
        status = boot(settings)
        with (HERE / "events").open("a") as events:
            events.write(f"{time.time():.3f} exit {status}\n")
        if status != REBOOT:
            return status


def assemble(directory: Path, settings: dict[str, typing.Any]) -> None:
    """Mount the disks, and a private /run and /tmp so that systemd-nspawn leaves nothing on the machine."""
    layers = [Path(f"/run/layer{number}") for number in range(len(settings["layers"]))]
    places = dict(zip([HERE, *layers, CLOCK], [directory, *settings["layers"], settings["clock"]]))
    handles = {target: os.open(place, os.O_PATH) for target, place in places.items()}
    mount("-t", "tmpfs", "lab", "/run")
    mount("-t", "tmpfs", "lab", "/tmp")
    CLOCK.touch()
    for target, handle in handles.items():
        if target != CLOCK:
            target.mkdir()
        mount("--bind", f"/proc/{os.getpid()}/fd/{handle}", str(target))
    for name in ("work", "root", "upper", *settings["disks"]):
        (HERE / name).mkdir(exist_ok=True)
    for name in settings["disks"]:
        if (HERE / f"{name}.img").exists():
            mount("-o", "loop", f"{HERE}/{name}.img", f"{HERE}/{name}")
    lower = ":".join(map(str, layers))
    mount("-t", "overlay", "-o", f"lowerdir={lower},upperdir={HERE}/upper,workdir={HERE}/work", "lab", f"{HERE}/root")


def mount(*arguments: str) -> None:
    """Run mount(8)."""
    subprocess.run(["mount", "--no-canonicalize", *arguments], check=True)


def unplug(name: str) -> None:
    """Take away the cable of a run that lost its power: the kernel removes it too, but later."""
    subprocess.run(["ip", "link", "delete", f"vb-{name}"], stderr=subprocess.DEVNULL, check=False)


def boot(settings: dict[str, typing.Any]) -> int:
    """Run the host once, in a time namespace whose uptime starts at zero; return systemd-nspawn's exit status."""
    name, bridge = settings["name"], settings["bridge"]
    uptime = Path("/proc/uptime").read_text().partition(".")[0]
    clock = ["unshare", "--time", f"--boottime=-{uptime}", f"--monotonic=-{uptime}", "--fork", "--kill-child", "--"]
    machine = ["--quiet", "--boot", f"--machine={name}", f"--hostname={name}", "--register=no", "--keep-unit"]
    rights = ["--capability=all", "--system-call-filter=@keyring bpf", "--link-journal=no"]
    places = [f"--directory={HERE}/root", f"--bind-ro={CLOCK}:{CLOCK_ON_HOST}"]
    places += [f"--bind={HERE}/{disk}:{path}" for disk, path in settings["disks"].items()]
    places += settings.get("places", [])
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
