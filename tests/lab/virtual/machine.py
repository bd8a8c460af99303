# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A virtual machine that really boots: QEMU emulates every instruction, since no host of tests lets it do otherwise.

It is on from ``power_on`` to ``close``: a reboot ends QEMU, which is started again with what the disk then wants to be
booted, and so does a power cut.
"""

from __future__ import annotations

import shlex
import subprocess
import threading
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab.errors import LabError, last_lines
from ansible_collections.fieldops.openshift.tests.lab.network import LabNetwork
from ansible_collections.fieldops.openshift.tests.lab.network_place import NetworkPlace
from ansible_collections.fieldops.openshift.tests.lab.node.host import HostIdentity
from ansible_collections.fieldops.openshift.tests.lab.registry.programs import program
from ansible_collections.fieldops.openshift.tests.lab.virtual.disk import installed_disk
from ansible_collections.fieldops.openshift.tests.lab.workspace import LeashedProcess, Workspace

MEMORY = "2000"  # MiB
PROCESSORS = "2"
UNUSED = "systemd.mask=netavark-dhcp-proxy.service systemd.mask=e2scrub_reap.service"
ALWAYS = f"panic=-1 selinux=0 loglevel=4 rd.shell=0 rd.emergency=poweroff {UNUSED}"
SSH_PORT = 22
CONNECT_SECONDS = 30
"""How long its ssh server may take to say its first word: an emulated machine is slow, and this one may be busy."""
HOST_KEY = "ssh_host_ed25519_key"


class VirtualMachine:
    """The machine; ``ssh_config`` is set by the lab that it belongs to. ``arguments`` are the kernel's at the next
    boot, besides those that the disk names."""

    ssh_config: Path

    def __init__(
        self, identity: HostIdentity, workspace: Workspace, network: LabNetwork, *, arguments: str = ""
    ) -> None:
        self.identity = identity
        self.name = identity.name
        self.address = identity.address
        self.directory = workspace.directory / "nodes" / self.name
        self.directory.mkdir(parents=True)
        self.boots = 0
        self.arguments = arguments
        self._workspace = workspace
        self._place = NetworkPlace(self.name, self.address, workspace=workspace, network=network)
        self._disk = installed_disk(self.directory / "disk.img")
        self._is_wanted = False
        self._process: LeashedProcess | None = None
        key = self.directory / HOST_KEY
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", self.name, "-f", key], check=True)
        self.put_in(key)

    @property
    def public_host_key(self) -> Path:
        """The file by which its ssh server is known."""
        return self.directory / f"{HOST_KEY}.pub"

    def put_in(self, file: Path) -> None:
        """Put a file into its /var/lib/lab, before it is on."""
        self._disk.put_in(file)

    def power_on(self) -> None:
        """Switch the machine on; returns at once."""
        self._is_wanted = True
        self._thread = threading.Thread(target=self._keep_on, daemon=True)
        self._thread.start()

    def power_cut(self) -> None:
        """Cut the power: what is not on the disk is lost; it comes back at once."""
        assert self._process, f"{self.name} has never been on"
        self._process.kill()

    def close(self) -> None:
        """Switch the machine off for ever."""
        self._is_wanted = False
        if self._process:
            self._process.kill()
            self._thread.join()

    def run(self, *command: str, check: bool = True) -> str:
        """Run a command on the machine as root and return its output."""
        patient = ("-o", f"ConnectTimeout={CONNECT_SECONDS}")
        words = ["ssh", "-q", "-F", str(self.ssh_config), *patient, self.name, "sudo", "--", *map(shlex.quote, command)]
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        if check and done.returncode:
            seen = f"exit status {done.returncode}: {done.stderr or done.stdout}"
            raise LabError(f"run {command[0]}", on=self.name, seen=seen, advice=f"Its console says: {self.console}")
        return done.stdout

    @property
    def console(self) -> str:
        """The last lines of its console."""
        return last_lines(self._console, 40)

    @property
    def _console(self) -> Path:
        return self.directory / f"console-{self.boots}.log"

    def _keep_on(self) -> None:
        while self._is_wanted:
            self.boots += 1
            self._process = self._workspace.start(f"{self.name}-{self.boots}", self._command())
            while not self._process.wait(3600.0):
                pass

    def _command(self) -> list[str | Path]:
        entry = self._disk.entry()
        kernel = self._disk.take_out(entry.kernel, self.directory / "kernel")
        initramfs = self._disk.take_out(entry.initramfs, self.directory / "initramfs")
        forward = f"user,id=lab,hostfwd=tcp:{self.address}:{SSH_PORT}-:22"
        return [
            *("nsenter", f"--net={self._place.namespace}", program("qemu-system-x86_64")),
            *("-accel", "tcg,thread=multi", "-smp", PROCESSORS, "-cpu", "max", "-m", MEMORY),
            *("-display", "none", "-serial", f"file:{self._console}", "-monitor", "none", "-no-reboot"),
            *("-kernel", kernel, "-initrd", initramfs),
            *("-append", f"{entry.options} {ALWAYS} {self.arguments}"),
            # What is written is this machine's at once, and outlives QEMU: no flush has to be waited for.
            *("-drive", f"file={self._disk.file},format=raw,if=virtio,cache=unsafe"),
            *("-netdev", forward, "-device", "virtio-net-pci,netdev=lab,romfile="),
            *("-device", "virtio-rng-pci"),
        ]
