# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""SSH access to node hosts, from the machine itself: a key made on the spot and a client configuration."""

from __future__ import annotations

import shlex
import subprocess
import typing as t
from collections.abc import Iterable
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab.network import LabNetwork
from ansible_collections.fieldops.openshift.tests.lab.node.host import HostIdentity
from ansible_collections.fieldops.openshift.tests.lab.workspace import write_private

USER = "core"


class Reachable(t.Protocol):
    """A host that is reached by ssh; ``public_host_key`` is the file by which its server is known."""

    @property
    def identity(self) -> HostIdentity:
        """Its role and number."""

    @property
    def name(self) -> str:
        """The name of its node."""

    @property
    def address(self) -> str:
        """The address in the lab."""

    @property
    def public_host_key(self) -> Path:
        """The file."""


def make_key(directory: Path) -> Path:
    """Make the key of the lab's technician; its public half is beside it, with suffix ``.pub``."""
    key = directory / "id_ed25519"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "lab", "-f", key], check=True)
    return key


def write_config(directory: Path, key: Path, network: LabNetwork, hosts: Iterable[Reachable]) -> Path:
    """Write an ssh_config(5) by which ``ssh -F FILE master-0`` works; host keys are known beforehand."""
    everybody = [*hosts]
    lines = []
    for host in everybody:
        lines += [f"Host {host.name}", f"  HostName {host.address}", f"  HostKeyAlias {host.name}"]
    known_hosts = write_known_hosts(directory, everybody)
    lines += ["Host *", f"  User {USER}", f"  IdentityFile {key}", "  IdentitiesOnly yes"]
    lines += [f"  UserKnownHostsFile {known_hosts}", "  StrictHostKeyChecking yes", "  ConnectTimeout 5"]
    lines += [f"  ProxyCommand {shlex.join(network.ssh_proxy('HOST', 'PORT')).replace('HOST:PORT', '%h:%p')}"]
    return write_private(directory / "ssh_config", "\n".join(lines) + "\n")


def write_known_hosts(directory: Path, hosts: Iterable[Reachable]) -> Path:
    """Write the hosts' keys, as their disks have them, under their names and addresses (sshd(8))."""
    lines = []
    for host in hosts:
        public = host.public_host_key.read_text()
        lines.append(f"{host.name},{host.address} {' '.join(public.split()[:2])}\n")
    return write_private(directory / "known_hosts", "".join(lines))
