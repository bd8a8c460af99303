# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A lab with one virtual machine: the API of a cluster that knows it as a node, and a registry with its images."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab import admission_policies, kubeconfig, ssh
from ansible_collections.fieldops.openshift.tests.lab.api_access import ApiAccess
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.debian import require_packages, require_root
from ansible_collections.fieldops.openshift.tests.lab.errors import LabError
from ansible_collections.fieldops.openshift.tests.lab.inventory import write_inventory
from ansible_collections.fieldops.openshift.tests.lab.network import LabNetwork
from ansible_collections.fieldops.openshift.tests.lab.node.host import HostIdentity
from ansible_collections.fieldops.openshift.tests.lab.openshift_database import openshift_database, openshift_policies
from ansible_collections.fieldops.openshift.tests.lab.registry.lab_registry import LabRegistry, RegistrySetup
from ansible_collections.fieldops.openshift.tests.lab.seed.healthy import healthy_cluster, plant
from ansible_collections.fieldops.openshift.tests.lab.virtual.disk import FIRST_VERSION
from ansible_collections.fieldops.openshift.tests.lab.virtual.images import BootableImages
from ansible_collections.fieldops.openshift.tests.lab.virtual.machine import (
    CONNECT_SECONDS,
    VirtualMachine,
)
from ansible_collections.fieldops.openshift.tests.lab.workspace import Workspace, write_private

PERSIST_SECONDS = 60
"""As Ansible itself keeps connections. They end with the machine, of which each takes seconds where it is emulated."""
UP_SECONDS = 600.0  # a boot takes one minute on two quiet processors
WORKER = HostIdentity("worker", 0)


class VirtualLab:
    """A running lab; a context manager. The machine is the only worker; the node of the control plane has no host.

    ``arguments`` are the kernel's, besides those that the disk names.
    """

    def __init__(self, *, arguments: str = "") -> None:
        require_root()
        require_packages()
        self._closing = ExitStack()
        self.workspace = Workspace("virtual")
        self._closing.callback(self.workspace.close)
        try:
            self.network = LabNetwork(self.workspace)
            setup = RegistrySetup(quay=None, tls=False)
            self.registry = LabRegistry(setup, workspace=self.workspace, network=self.network)
            self._closing.push(self.registry)
            self.images = BootableImages(self.workspace.directory / "images")
            self.first = self.images.publish(self.registry, FIRST_VERSION)
            self.machine = VirtualMachine(WORKER, self.workspace, self.network, arguments=arguments)
            self._key = ssh.make_key(self.workspace.directory)
            self.api: ApiAccess = self._start_api()
            self._furnish()
            self.hosts = {self.machine.name: self.machine}
            self.machine.ssh_config = ssh.write_config(
                self.workspace.directory, self._key, self.network, self.hosts.values()
            )
            self.machine.power_on()
            self._closing.callback(self.machine.close)
            self.wait_booted()
        except BaseException:
            self.close()
            raise

    @property
    def boot(self) -> str:
        """The boot that the node has told of."""
        node = self.api.rest.get(f"/api/v1/nodes/{self.machine.name}")
        return str(node.get("status", {}).get("nodeInfo", {}).get("bootID", ""))

    def wait_booted(self, before: str = "") -> None:
        """Wait until the machine has told the API of another boot than ``before``."""
        known = before or self._seeded
        deadline = time.monotonic() + UP_SECONDS
        while self.boot == known:
            if time.monotonic() > deadline:
                raise LabError("wait for a boot", on=self.machine.name, seen=self.machine.console, advice="See above.")
            time.sleep(0.2)

    def command(self, words: Sequence[str | Path]) -> list[str]:
        """Return a command that runs ``words`` in the lab's network, where plays have to run."""
        return [*self.network.prefix, *map(str, words)]

    @property
    def environment(self) -> dict[str, str]:
        """What to add to a command's environment there."""
        directory, api = self.workspace.directory, self.api
        inside = kubeconfig.with_token(directory / "inside.kubeconfig", api.inner_url, api.ca_file, api.admin_token)
        inventory = write_inventory(directory, self._key, self.hosts.values(), PERSIST_SECONDS)
        found = {name: str(inside) for name in ("KUBECONFIG", "K8S_AUTH_KUBECONFIG")}
        return {**found, "ANSIBLE_INVENTORY": str(inventory), "ANSIBLE_TIMEOUT": str(CONNECT_SECONDS)}

    def close(self) -> None:
        """End everything and remove all of it."""
        self._closing.close()

    def __enter__(self) -> VirtualLab:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _start_api(self) -> ApiServer:
        server = ApiServer(template=openshift_database(), workspace=self.workspace, network=self.network)
        self._closing.push(server)
        admission_policies.install(server.rest, openshift_policies())
        plant(server.rest, healthy_cluster(control_plane=1, workers=1))
        self._seeded = str(server.rest.get(f"/api/v1/nodes/{WORKER.name}")["status"]["nodeInfo"]["bootID"])
        return server

    def _furnish(self) -> None:
        """Put on the disk how the machine is reached, and how it reaches the API."""
        folder = self.machine.directory
        settings = {"url": self.api.inner_url, "token": self.api.admin_token, "node": self.machine.name}
        keys = folder / "authorized_keys"  # which ssh's server reads as the user
        keys.write_text(self._key.with_suffix(".pub").read_text())
        self.machine.put_in(keys)
        contents = {
            "node.json": json.dumps(settings),
            "ca.crt": self.api.ca_file.read_text(),
        }
        for name, content in contents.items():
            self.machine.put_in(write_private(folder / name, content))
