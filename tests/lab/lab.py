# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The whole lab: a control plane and node hosts in a network of their own."""

from __future__ import annotations

import http.client
import time
import typing as t
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace

from ansible_collections.fieldops.openshift.tests.lab import crds, ssh
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.control_plane import start_controller_manager, start_scheduler
from ansible_collections.fieldops.openshift.tests.lab.debian import node_root, require_packages, require_root
from ansible_collections.fieldops.openshift.tests.lab.errors import LabError
from ansible_collections.fieldops.openshift.tests.lab.go import program
from ansible_collections.fieldops.openshift.tests.lab.hosted_api import HostedApi
from ansible_collections.fieldops.openshift.tests.lab.inotify_limit import raise_inotify_limit
from ansible_collections.fieldops.openshift.tests.lab.network import LabNetwork
from ansible_collections.fieldops.openshift.tests.lab.node.control_plane_layer import control_plane_layer
from ansible_collections.fieldops.openshift.tests.lab.node.host import DiskTemplate, HostIdentity, NodeHost
from ansible_collections.fieldops.openshift.tests.lab.node.images import container_storage
from ansible_collections.fieldops.openshift.tests.lab.node.layer import node_layer
from ansible_collections.fieldops.openshift.tests.lab.openshift_database import (
    openshift_database,
    openshift_definitions,
)
from ansible_collections.fieldops.openshift.tests.lab.seed.healthy import healthy_cluster
from ansible_collections.fieldops.openshift.tests.lab.workspace import Workspace

if t.TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from ansible_collections.fieldops.openshift.tests.lab.api_access import ApiAccess

READY_SECONDS = 90.0
PARALLEL = 4


class Lab:
    """A running lab with ``control_plane`` and ``workers`` node hosts; a context manager.

    ``users`` get bearer tokens (``api.token_of``). ``container_bytes`` gives each host a container storage that small.
    With ``hosted`` etcd and the API server run on the control-plane hosts, and go down with them; else they are
    processes of their own that no host takes along.
    """

    def __init__(
        self,
        *,
        control_plane: int = 3,
        workers: int = 2,
        users: Mapping[str, Sequence[str]] | None = None,
        container_bytes: int = 0,
        hosted: bool = False,
    ) -> None:
        self._disk, self._database = prepare(hosted=hosted)
        self._disk = replace(self._disk, container_bytes=container_bytes)
        identities = [HostIdentity("master", number) for number in range(control_plane)]
        identities += [HostIdentity("worker", number) for number in range(workers)]
        self._closing = ExitStack()
        self.workspace = Workspace("hosts")
        self._closing.callback(self.workspace.close)
        try:
            self.network = LabNetwork(self.workspace)
            self.hosts = {one.name: NodeHost(one, self.workspace, self.network) for one in identities}
            self._key = ssh.make_key(self.workspace.directory)
            self.api = self._start_hosted_api(users) if hosted else self._start_api(users)
            start_controller_manager(self.api, self.network)
            start_scheduler(self.api, self.network)
            self._plant(control_plane, workers)
            self._start_hosts([host for host in self.hosts.values() if not host.is_on])
            self.ssh_config = ssh.write_config(self.workspace.directory, self._key, self.network, self.hosts.values())
            self.wait_ready(self.hosts)
            self._wait_for_workloads()
        except BaseException:
            self.close()
            raise

    def wait_ready(self, names: Iterable[str], timeout: float = READY_SECONDS) -> None:
        """Wait until the nodes are Ready and their Node objects tell of the boot that their hosts are in."""
        waiting = set(names)
        deadline = time.monotonic() + timeout
        while waiting:
            for name in sorted(waiting):
                if self._is_ready(name):
                    waiting.discard(name)
            if time.monotonic() > deadline:
                consoles = "\n".join(self.hosts[name].console for name in sorted(waiting))
                raise LabError(
                    "wait until ready", on=", ".join(sorted(waiting)), seen=consoles, advice="See console.log."
                )
            time.sleep(0.1)

    def reboot(self, name: str) -> None:
        """Let a host reboot itself, and return when it has gone down."""
        host = self.hosts[name]
        boots = host.boots
        host.run("systemctl", "reboot", check=False)
        deadline = time.monotonic() + READY_SECONDS
        while host.boots == boots:
            if time.monotonic() > deadline:
                raise LabError("reboot", on=name, seen=host.console, advice="See its journal.")
            time.sleep(0.02)

    def _wait_for_workloads(self) -> None:
        """Wait until the controller manager has given the default namespace what every pod needs."""
        deadline = time.monotonic() + READY_SECONDS
        for path in ("serviceaccounts/default", "configmaps/kube-root-ca.crt"):
            while not self.api.rest.exists(f"/api/v1/namespaces/default/{path}"):
                if time.monotonic() > deadline:
                    raise LabError("wait for", on=path, seen="nothing", advice="See kube-controller-manager.log.")
                time.sleep(0.05)

    def close(self) -> None:
        """End everything and remove all of it."""
        self._closing.close()

    def __enter__(self) -> Lab:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _start_api(self, users: Mapping[str, Sequence[str]] | None) -> ApiAccess:
        server = ApiServer(users=users, template=self._database, workspace=self.workspace, network=self.network)
        self._closing.push(server)
        return server

    def _start_hosted_api(self, users: Mapping[str, Sequence[str]] | None) -> ApiAccess:
        members = [host for host in self.hosts.values() if host.identity.role == "master"]
        identities = [host.identity for host in members]
        api = HostedApi(identities, workspace=self.workspace, network=self.network, users=users)
        self._closing.push(api)
        self.api = api
        for host in members:
            api.install(host, self._database if len(members) == 1 else None)
        layers = [control_plane_layer(), *self._disk.layers]
        self._start_hosts(members, replace(self._disk, layers=layers))
        api.connect()
        if len(members) > 1:
            definitions = openshift_definitions()
            crds.install(api.rest, definitions)
            api.wait_served(definition.name for definition in definitions)
        return api

    def _start_hosts(self, hosts: Sequence[NodeHost], disk: DiskTemplate | None = None) -> None:
        everybody = [one.identity for one in self.hosts.values()]
        public_key = self._key.with_suffix(".pub").read_text().strip()

        def start(host: NodeHost) -> None:
            host.install(disk or self._disk, self.api, public_key, everybody)
            host.power_on()

        with ThreadPoolExecutor(PARALLEL) as pool:
            list(pool.map(start, hosts))

    def _plant(self, control_plane: int, workers: int) -> None:
        objects = healthy_cluster(control_plane=control_plane, workers=workers)
        self.api.rest.apply_all(
            {key: value for key, value in one.items() if key != "status" or one["kind"] != "Node"} for one in objects
        )

    def _is_ready(self, name: str) -> bool:
        try:
            status = self.api.rest.get(f"/api/v1/nodes/{name}").get("status", {})
        except (OSError, http.client.HTTPException):
            return False
        conditions = {one["type"]: one["status"] for one in status.get("conditions", [])}
        if conditions.get("Ready") != "True":
            return False
        try:
            boot = self.hosts[name].run("cat", "/proc/sys/kernel/random/boot_id").strip()
        except LabError:
            return False
        return bool(boot == status["nodeInfo"]["bootID"])


def prepare(*, hosted: bool = False) -> tuple[DiskTemplate, Path]:
    """Build what is not in the cache yet; return what hosts' disks are made of and the cluster's database."""
    require_root()
    require_packages()
    raise_inotify_limit()
    for name in ("kube-controller-manager", "kube-scheduler"):
        program(name)
    if hosted:
        control_plane_layer()
    return DiskTemplate([node_layer(), node_root()], container_storage()), openshift_database()
