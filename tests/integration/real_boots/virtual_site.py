# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The virtual machine as a technician switches it: by playbooks and modules, over ssh."""

from __future__ import annotations

import json
import os
import subprocess
import typing as t
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.integration.os_switch.switching import Switching, SwitchRun
from ansible_collections.fieldops.openshift.tests.integration.play_processes import BINARIES
from ansible_collections.fieldops.openshift.tests.integration.plays import environment_for
from ansible_collections.fieldops.openshift.tests.lab.virtual.images import VERSION_FILE
from ansible_collections.fieldops.openshift.tests.lab.virtual.lab import VirtualLab
from ansible_collections.fieldops.openshift.tests.lab.virtual.system import REPOSITORY


class VirtualSite(Switching):
    """One machine, the node ``name``."""

    def __init__(self, lab: VirtualLab, folder: Path) -> None:
        super().__init__(lab, lab.hosts, folder)
        self.machine = lab.machine
        self.name = lab.machine.name
        self._lab = lab

    def publish(self, version: str, tag: str = "") -> str:
        """Publish the image of a version, under another tag where one is named; return its digest."""
        return self._lab.images.publish(self._lab.registry, version, tag=tag)

    def publish_list(self, version: str) -> tuple[str, str]:
        """Publish it for two architectures; return the list's digest and that of this machine's image."""
        return self._lab.images.publish_list(self._lab.registry, version)

    @property
    def booted(self) -> str:
        """The digest of the image that the machine has booted."""
        return self.digests()[self.name]

    @property
    def boot_id(self) -> str:
        """The boot that the machine is in; a soft reboot keeps it."""
        return self.machine.run("cat", "/proc/sys/kernel/random/boot_id").strip()

    @property
    def version(self) -> str:
        """The version of the booted image."""
        return self.machine.run("cat", f"/{VERSION_FILE}").strip()

    @property
    def soft_reboots(self) -> str:
        """How often userspace has restarted in this boot; empty while it does."""
        return self.machine.run("systemctl", "show", "--property=SoftRebootsCount", "--value", check=False).strip()

    def request(self, digest: str) -> dict[str, t.Any]:
        """Return the variables that ask for an image by the tag's repository and its digest."""
        return {"site_os_image": f"{REPOSITORY}:stable", "site_os_image_digest": digest}

    def play(self, name: str, *words: str, killed: str = "", **variables: t.Any) -> SwitchRun:
        """Run a playbook on the pool of the machine; the cluster's other node has no host."""
        return super().play(name, *words, killed=killed, site_pools=["worker"], **variables)

    def module(self, name: str, **options: t.Any) -> dict[str, t.Any]:
        """Return the result of a module on the machine; it has to end well."""
        task = {"name": "Task under test", f"fieldops.openshift.{name}": options}
        path = self._folder / "task.yml"
        path.write_text(json.dumps([{"hosts": self.name, "gather_facts": False, "become": True, "tasks": [task]}]))
        done = subprocess.run(
            self._lab.command([BINARIES / "ansible-playbook", path]),
            env=environment_for(self._folder, {**self._lab.environment, "PATH": f"{BINARIES}:{os.environ['PATH']}"}),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        found: dict[str, t.Any] = json.loads((self._folder / "result.json").read_text())
        return found
