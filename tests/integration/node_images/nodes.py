# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Modules and playbooks run for hosts of the lab as a person runs them, and what the hosts say afterwards."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
import typing as t
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.integration.node_images.bundles import WrittenBundle
from ansible_collections.fieldops.openshift.tests.integration.play_processes import BINARIES
from ansible_collections.fieldops.openshift.tests.integration.plays import environment_for
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
from ansible_collections.fieldops.openshift.tests.lab.node.host import NodeHost
from ansible_collections.fieldops.openshift.tests.lab.seed import workloads

MEDIUM = "/srv/drive"
BUNDLES = "/var/lib/fieldops/bundles"
JOBS = "/var/lib/fieldops/jobs"
DROP_INS = "/etc/crio/crio.conf.d"
OURS = f"{DROP_INS}/99-fieldops-pinned-images"
FORGET = f"""
systemctl disable --quiet --now fieldops-image-source.socket fieldops-image-source-site.socket 2>/dev/null
systemctl disable --quiet --now fieldops-image-source-mirrors.path 2>/dev/null
systemctl stop 'fieldops-*'
rm -rf {OURS} {DROP_INS}/50-pinned-images
rm -rf /var/lib/fieldops/* /etc/systemd/system/fieldops-* /etc/containers/registries*.d/zz-fieldops-*
sed '/fieldops.openshift image source$/d' /etc/hosts > /etc/hosts.kept && cat /etc/hosts.kept > /etc/hosts
rm -f /etc/hosts.kept
systemctl daemon-reload
systemctl reload crio
"""


@dataclass(frozen=True)
class Ended:
    """How a play ended: its exit status, all it printed, and the result of the task under test where there is one."""

    rc: int
    output: str
    result: dict[str, t.Any]

    @property
    def changed(self) -> int:
        """How many tasks of the play say that they changed something."""
        return int(self.output.rpartition("changed=")[2].split()[0])


class Controller:
    """Runs plays in the lab's network; ``folder`` takes what they leave."""

    def __init__(self, lab: Lab, folder: Path) -> None:
        self._lab = lab
        self._folder = folder

    def start(self, playbook: str | Path, *words: str, **variables: t.Any) -> subprocess.Popen[str]:
        """Start a playbook."""
        command = [BINARIES / "ansible-playbook", *words, playbook, "-e", json.dumps(variables)]
        path = f"{BINARIES}:{os.environ['PATH']}"
        return subprocess.Popen(
            self._lab.command(command),
            env=environment_for(self._folder, {**self._lab.environment, "PATH": path}),
            cwd=self._folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def finish(self, process: subprocess.Popen[str]) -> Ended:
        """Wait for a started play."""
        output, _unused = process.communicate(timeout=900)
        kept = self._folder / "result.json"
        result = json.loads(kept.read_text()) if kept.exists() else {}
        return Ended(process.returncode, output, result)

    def play(self, playbook: str, *words: str, **variables: t.Any) -> Ended:
        """Run a playbook to its end."""
        return self.finish(self.start(playbook, *words, **variables))

    def written(self, module: str, node: str, **options: t.Any) -> Path:
        """Write a play of one task that is delegated to a node, as the roles do it, and return its path."""
        (self._folder / "result.json").unlink(missing_ok=True)
        task = {f"fieldops.openshift.{module}": options, "name": "Task under test"}
        delegated = {**task, "delegate_to": node, "become": True}
        return self.play_of([delegated])

    def play_of(self, tasks: Sequence[dict[str, t.Any]]) -> Path:
        """Write a play on localhost and return its path."""
        path = self._folder / "play.yml"
        known = {"site_settings": "{{ lookup('fieldops.openshift.site_settings', 'update_site') }}"}
        path.write_text(json.dumps([{"hosts": "localhost", "gather_facts": False, "vars": known, "tasks": tasks}]))
        return path

    def task(self, node: str, module: str, *words: str, **options: t.Any) -> Ended:
        """Run one task on a node."""
        return self.play(str(self.written(module, node, **options)), *words)


def plug_in(lab: Lab, node: str, bundle: WrittenBundle) -> str:
    """Put a copy of the bundle onto the host's disk, where a mounted drive would be; return its folder there."""
    target = upper(lab.hosts[node]) / MEDIUM.lstrip("/")
    if target.exists():
        shutil.rmtree(target)
    shutil.copytree(bundle.folder, target)
    return MEDIUM


def upper(host: NodeHost) -> Path:
    """Return the host's root as this machine sees it."""
    return Path(f"/proc/{host._init()}/root")


def listed(host: NodeHost) -> dict[str, bool]:
    """Return what CRI-O on the host lists: names, and whether each is pinned."""
    images = json.loads(host.run("crictl", "--timeout", "1m", "images", "-o", "json"))["images"]
    return {name: image["pinned"] for image in images for name in image["repoDigests"]}


def forget_everything(host: NodeHost, names: Sequence[str]) -> None:
    """Bring the host back to where it was before anything was staged."""
    host.run("sh", "-c", FORGET)
    present = [name for name in names if name in listed(host)]
    if present:
        host.run("crictl", "--timeout", "2m", "rmi", *present)


def wait_for(condition: Callable[[], bool], what: str, seconds: float = 60.0) -> None:
    """Wait until ``condition`` holds."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"it did not come to this in {seconds:.0f} s: {what}"
        time.sleep(0.2)


def run_pod(lab: Lab, node: str, name: str, image: str) -> None:
    """Start a pod of ``image`` on ``node``, wait until it runs, and delete it."""
    pod = workloads.pod(name, image, node=node)
    pod["spec"]["containers"][0]["command"] = ["/usr/bin/sh", "-c", "trap 'exit 0' TERM; while true; do sleep 1; done"]
    path = f"/api/v1/namespaces/default/pods/{name}"
    lab.api.rest.apply(pod)
    try:
        wait_for(lambda: lab.api.rest.get(path)["status"].get("phase") == "Running", "the pod runs", 180)
    except AssertionError as error:
        raise AssertionError(f"{error}: {json.dumps(lab.api.rest.get(path)['status'])}") from error
    lab.api.rest.delete(path)
    wait_for(lambda: not lab.api.rest.exists(path), "the pod is gone", 180)
