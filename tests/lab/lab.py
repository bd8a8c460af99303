# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The whole lab: a control plane and node hosts in a network of their own."""

from __future__ import annotations

import contextlib
import http.client
import time
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from itertools import count
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab import admission_policies, kubeconfig, ssh
from ansible_collections.fieldops.openshift.tests.lab.api_access import ApiAccess
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.clock import LabClock
from ansible_collections.fieldops.openshift.tests.lab.control_plane import start_controller_manager, start_scheduler
from ansible_collections.fieldops.openshift.tests.lab.errors import LabError
from ansible_collections.fieldops.openshift.tests.lab.faults import Faults
from ansible_collections.fieldops.openshift.tests.lab.hosted_api import HostedApi
from ansible_collections.fieldops.openshift.tests.lab.inotify_limit import RaisedInotifyLimit
from ansible_collections.fieldops.openshift.tests.lab.inventory import write_inventory
from ansible_collections.fieldops.openshift.tests.lab.network import LabNetwork
from ansible_collections.fieldops.openshift.tests.lab.node import joining
from ansible_collections.fieldops.openshift.tests.lab.node.control_plane_layer import control_plane_layer
from ansible_collections.fieldops.openshift.tests.lab.node.host import DiskTemplate, HostIdentity, NodeHost
from ansible_collections.fieldops.openshift.tests.lab.node.images import LoadableImage
from ansible_collections.fieldops.openshift.tests.lab.openshift_database import openshift_policies
from ansible_collections.fieldops.openshift.tests.lab.preparation import prepare
from ansible_collections.fieldops.openshift.tests.lab.registry.lab_registry import LabRegistry, RegistrySetup
from ansible_collections.fieldops.openshift.tests.lab.seed.healthy import healthy_cluster
from ansible_collections.fieldops.openshift.tests.lab.workspace import Workspace

READY_SECONDS = 300.0  # how long it may take on a machine that many share; tests ask how long it should
PARALLEL = 4


class Lab:
    """A running lab with ``control_plane`` and ``workers`` node hosts; a context manager.

    ``users`` get bearer tokens (``api.token_of``). ``sizes`` gives each host disks that small (``DiskTemplate``).
    With ``hosted`` etcd and the API server run on the control-plane hosts, and go down with them; else they are
    processes of their own that no host takes along. With ``registry`` there is one in the lab's network.
    ``host_class`` is what the hosts are, such as those that boot OSTree deployments; ``images`` lie in their container
    storage from the start.
    """

    def __init__(
        self,
        *,
        control_plane: int = 3,
        workers: int = 2,
        users: Mapping[str, Sequence[str]] | None = None,
        sizes: Mapping[str, int] | None = None,
        hosted: bool = False,
        registry: RegistrySetup | None = None,
        host_class: type[NodeHost] = NodeHost,
        images: Sequence[LoadableImage] = (),
    ) -> None:
        self._host_class = host_class
        self.images = tuple(images)
        disk, self._database = prepare(hosted=hosted, images=self.images)
        self._disk = replace(disk, sizes=sizes or {})
        numbers = {"master": control_plane, "worker": workers}
        identities = [HostIdentity(role, number) for role, many in numbers.items() for number in range(many)]
        self._numbers = {role: count(many) for role, many in numbers.items()}
        self._closing = ExitStack()
        self._closing.push(RaisedInotifyLimit())
        self.workspace = Workspace("hosts")
        self._closing.callback(self.workspace.close)
        try:
            self.clock.on_first_move(self._follow_clock)
            self.network = LabNetwork(self.workspace)
            self._registry = self._start_registry(registry) if registry else None
            self.hosts = {one.name: host_class(one, self.workspace, self.network) for one in identities}
            self._key = ssh.make_key(self.workspace.directory)
            self.api: ApiAccess = self._start_hosted_api(users) if hosted else self._start_api(users)
            self._start_controllers()
            self._plant(control_plane, workers)
            self._start_hosts([host for host in self.hosts.values() if not host.is_on])
            self.ssh_config = self._write_ssh_config()
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
                seen = "\n".join(f"{name}: {self.hosts[name].last_words}" for name in sorted(waiting))
                raise LabError("wait until ready", on=", ".join(sorted(waiting)), seen=seen, advice="See its journal.")
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
            time.sleep(0.1)

    @property
    def registry(self) -> LabRegistry:
        """The registry in the lab's network; raise LabError if the lab was started without one."""
        if not self._registry:
            raise LabError("find the registry", on="the lab", seen="none", advice="Start it with registry=....")
        return self._registry

    def cut_registry(self) -> None:
        """Cut the registry off from hosts and controller, as on a site that has none; ``restore_registry`` ends it.

        Nobody remembers its hardware address either: connections fail after three seconds with "no route to host".
        """
        self.registry.cut()
        for address in self.registry.addresses:
            forget = ("ip", "neighbour", "flush", "to", address)
            self.network.ip(*forget[1:])
            for host in self.hosts.values():
                with contextlib.suppress(LabError):  # between two boots a host remembers nothing
                    host.run(*forget)

    def restore_registry(self) -> None:
        """Connect the registry again."""
        self.registry.restore()

    def command(self, words: Sequence[str | Path]) -> list[str]:
        """Return a command that runs ``words`` in the lab's network, where plays have to run; see ``environment``."""
        return [*self.network.prefix, *map(str, words)]

    @property
    def environment(self) -> dict[str, str]:
        """What to add to a command's environment there: the cluster, the hosts, and the registry if there is one."""
        directory = self.workspace.directory
        api = self.api
        inside = kubeconfig.with_token(directory / "inside.kubeconfig", api.inner_url, api.ca_file, api.admin_token)
        found = {name: str(inside) for name in ("KUBECONFIG", "K8S_AUTH_KUBECONFIG")}
        found["ANSIBLE_INVENTORY"] = str(self.inventory)
        if self._registry:
            found["CONTAINERS_REGISTRIES_CONF"] = str(self._registry.registries_conf)
            found["REGISTRY_AUTH_FILE"] = str(self._registry.pull_secret)
            found["SSL_CERT_FILE"] = str(self._registry.ca_file)
        return found

    @property
    def inventory(self) -> Path:
        """An Ansible inventory of the hosts that there are now, in groups ``masters`` and ``workers``."""
        return write_inventory(self.workspace.directory, self._key, self.hosts.values())

    @property
    def clock(self) -> LabClock:
        """The clock of API, hosts and plays; the machine's until it is moved."""
        return self.workspace.clock

    @property
    def faults(self) -> Faults:
        """What can go wrong, on request."""
        return Faults(self)

    def add_host(self, role: str = "worker", *, sizes: Mapping[str, int] | None = None) -> NodeHost:
        """Let a new host join the running cluster, under a name that none has had; return when it is Ready."""
        identity = HostIdentity(role, next(self._numbers[role]))
        host = self.hosts[identity.name] = self._host_class(identity, self.workspace, self.network)
        try:
            joining.announce(self.api.rest, identity)
            self._start_hosts([host], replace(self._disk, sizes=sizes or {}))
            self.wait_ready([host.name])
        except BaseException:
            self.remove_host(host.name)
            raise
        self.ssh_config = self._write_ssh_config()
        return host

    def remove_host(self, name: str) -> None:
        """Take a host away, with its disks and its objects."""
        host = self.hosts.pop(name)
        if host.is_on:
            host.lose_power()
        joining.forget(self.api.rest, name)
        joining.scrap(host)

    def _start_controllers(self) -> None:
        start_controller_manager(self.api, self.network)
        start_scheduler(self.api, self.network)

    def _write_ssh_config(self) -> Path:
        return ssh.write_config(self.workspace.directory, self._key, self.network, self.hosts.values())

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

    def _follow_clock(self) -> None:
        for host in self.hosts.values():
            host.follow_clock()

    def _start_registry(self, setup: RegistrySetup) -> LabRegistry:
        made = LabRegistry(setup, workspace=self.workspace, network=self.network)
        self._closing.push(made)
        return made

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
            api.install(host)
        layers = [control_plane_layer(), *self._disk.layers]
        self._start_hosts(members, replace(self._disk, layers=layers))
        api.connect()
        return api

    def _start_hosts(self, hosts: Sequence[NodeHost], disk: DiskTemplate | None = None) -> None:
        everybody = [one.identity for one in self.hosts.values()]
        public_key = self._key.with_suffix(".pub").read_text().strip()

        files = self._registry.host_files if self._registry else {}

        def start(host: NodeHost) -> None:
            for path, content in files.items():
                host.write(path, content)
            host.install(disk or self._disk, self.api, public_key, everybody)
            host.power_on()

        with ThreadPoolExecutor(PARALLEL) as pool:
            list(pool.map(start, hosts))

    def _plant(self, control_plane: int, workers: int) -> None:
        admission_policies.install(self.api.rest, openshift_policies())
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
