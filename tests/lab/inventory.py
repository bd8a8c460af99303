# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""An Ansible inventory of the lab's hosts, for plays that run in the lab's network."""

from __future__ import annotations

import json
import typing as t
from collections.abc import Iterable
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab.ssh import USER, Reachable, write_known_hosts
from ansible_collections.fieldops.openshift.tests.lab.workspace import write_private

PERSIST_SECONDS = 10  # how long a shared connection outlives its play, and with it the lab's network the lab


def write_inventory(
    directory: Path, key: Path, hosts: Iterable[Reachable], persist_seconds: int = PERSIST_SECONDS
) -> Path:
    """Write the inventory and return its path: every host under its node's name, in ``masters`` or ``workers``.

    Shared connections are kept in the lab's directory: another lab has hosts of the same addresses.
    """
    everybody = [*hosts]
    known_hosts = write_known_hosts(directory, everybody)
    groups: dict[str, dict[str, t.Any]] = {"masters": {"hosts": {}}, "workers": {"hosts": {}}}
    for host in everybody:
        groups[f"{host.identity.role}s"]["hosts"][host.name] = {"ansible_host": host.address}
    known = [f"-o UserKnownHostsFile={known_hosts}", "-o StrictHostKeyChecking=yes"]
    alone = ["-F none", "-o GlobalKnownHostsFile=/dev/null", "-o IdentitiesOnly=yes", "-o ConnectTimeout=5"]
    shared = ["-o ControlMaster=auto", f"-o ControlPersist={persist_seconds}s", "-o ServerAliveInterval=5"]
    variables = {
        "ansible_user": USER,
        "ansible_ssh_private_key_file": str(key),
        "ansible_ssh_common_args": " ".join([*alone, *known]),
        "ansible_ssh_args": " ".join(shared),
        "ansible_control_path_dir": str(directory / "cp"),
        "ansible_python_interpreter": "/usr/bin/python3",
    }
    document = {"all": {"children": groups, "vars": variables}}
    return write_private(directory / "inventory.json", json.dumps(document, indent=1))
