# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""An API that the control-plane hosts serve themselves: etcd and kube-apiserver on each, behind a balancer.

Quorum, outages and reboots of the control plane are real with it: a host that goes down takes its member along.
"""

from __future__ import annotations

import shutil
import sys
import typing as t
from collections.abc import Mapping, Sequence
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab.api_access import (
    READY_AGAIN,
    SECURE_PORT,
    SERVER_FILES,
    ApiAccess,
)
from ansible_collections.fieldops.openshift.tests.lab.audit import AuditLog
from ansible_collections.fieldops.openshift.tests.lab.certificates import Authority
from ansible_collections.fieldops.openshift.tests.lab.network import GATEWAY, LabNetwork
from ansible_collections.fieldops.openshift.tests.lab.node.control_plane_layer import FILES
from ansible_collections.fieldops.openshift.tests.lab.node.host import HostIdentity, NodeHost
from ansible_collections.fieldops.openshift.tests.lab.node.layer import as_json
from ansible_collections.fieldops.openshift.tests.lab.openshift_database import member_databases
from ansible_collections.fieldops.openshift.tests.lab.rest import RestClient
from ansible_collections.fieldops.openshift.tests.lab.workspace import Workspace, write_private

BALANCER = Path(__file__).with_name("balancer.py")
UNIT = "kube-apiserver.service"
LOGS = "/var/log/kube-apiserver"
ETCD_HEALTH_PORT = 9980  # where OpenShift's etcd answers whether it is ready
ETCD_FILES = ("etcd-ca.crt", "etcd.crt", "etcd.key")
ETCD_METRICS = "https://127.0.0.1:9978"
ETCD_POD = "/etc/kubernetes/static-pod-resources/etcd-certs"
"""Where OpenShift's etcd pod has them. Source: cluster-etcd-operator, bindata/etcd/pod.gotpl.yaml."""


class HostedApi(ApiAccess):
    """The API of ``members``; ``install`` before each is powered on, ``connect`` after."""

    _readiness = READY_AGAIN

    def __init__(
        self,
        members: Sequence[HostIdentity],
        *,
        workspace: Workspace,
        network: LabNetwork,
        users: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        addresses = [member.address for member in members]
        super().__init__(users=users, workspace=workspace, network=network, hosts=addresses)
        self._members = members
        self._hosts: list[NodeHost] = []
        self._peers = {member.name: f"https://{member.address}:2380" for member in members}
        self._lab_network = network
        authority = Authority.create(self.directory, "etcd-ca")
        authority.issue("etcd", "etcd", hosts=["127.0.0.1", "localhost", *addresses])

    def install(self, host: NodeHost) -> None:
        """Write a member's configuration, keys and data on its host's disk."""
        upper = host.directory / "upper"
        target = upper / FILES.lstrip("/")
        for directory in (target, upper / LOGS.lstrip("/"), upper / "var/lib"):
            directory.mkdir(parents=True)
        shutil.copytree(member_databases(self._peers) / host.name, upper / "var/lib/etcd")
        for name in (*SERVER_FILES, *ETCD_FILES):
            write_private(target / name, (self.directory / name).read_text())
        pod = upper / ETCD_POD.lstrip("/")
        member = f"secrets/etcd-all-certs/etcd-peer-{host.name}"
        names = ("configmaps/etcd-all-bundles/server-ca-bundle.crt", f"{member}.crt", f"{member}.key")
        for name, known in zip(ETCD_FILES, names, strict=True):
            (pod / known).parent.mkdir(parents=True, exist_ok=True)
            write_private(pod / known, (self.directory / name).read_text())
        (target / "etcd.json").write_text(as_json(self._etcd(host.identity)))
        (target / "kube-apiserver.env").write_text(f"FLAGS={self._server(host.identity)}\n")
        self._hosts.append(host)

    def connect(self) -> None:
        """Start the balancer and wait until the API is ready."""
        command: list[str | Path] = [*self._lab_network.prefix, sys.executable, "-I", "-S", BALANCER]
        command += [f"--listen={GATEWAY}:{SECURE_PORT}"]
        command += [f"--target={member.address}:{SECURE_PORT}" for member in self._members]
        self._balancer = self.workspace.start("balancer", command)
        self._connect(self._lab_network.publish("api", f"{GATEWAY}:{SECURE_PORT}"))
        self._clients = {member.name: self._client(member) for member in self._members}
        self._wait_members()

    def member(self, name: str) -> RestClient:
        """Return a client of one member's API server alone, past the balancer."""
        client = self._clients[name]
        client.close()  # connections from before its host went down
        return client

    @property
    def audit(self) -> AuditLog:
        """The requests that the members were sent."""
        log = f"upper{LOGS}/audit.log"
        return AuditLog([(host.directory / log, self._clients[host.name]) for host in self._hosts])

    def stop(self) -> None:
        """Stop every member's API server; etcd and the hosts go on."""
        self._rest.close()
        self._everywhere("stop")

    def start(self) -> None:
        """Start every member's API server again."""
        self._everywhere("start")
        self._wait_members()

    def freeze(self) -> None:
        """Let every member's API server hang."""
        self._everywhere("kill", "--signal=STOP")

    def thaw(self) -> None:
        """Let frozen API servers go on."""
        self._everywhere("kill", "--signal=CONT")

    def is_healthy(self, name: str) -> bool:
        """Whether a member's etcd says that it has a leader and can take writes (etcd, ``/health``)."""
        host = next(host for host in self._hosts if host.name == name)
        identity = ["--cacert", f"{FILES}/etcd-ca.crt", "--cert", f"{FILES}/etcd.crt", "--key", f"{FILES}/etcd.key"]
        command = ["curl", "--silent", "--max-time", "8", *identity, "https://127.0.0.1:2379/health"]
        answer = host.run(*command, check=False)
        return '"health":"true"' in answer

    def require_running(self) -> None:
        """Raise LabError when the balancer has ended."""
        self._balancer.require_running()

    def _wait_members(self) -> None:
        for name in self._clients:
            self.wait_ready(self.member(name))

    def _everywhere(self, *command: str) -> None:
        for host in self._hosts:
            host.run("systemctl", *command, UNIT)

    def _client(self, member: HostIdentity) -> RestClient:
        port = self._lab_network.publish(f"api-{member.name}", f"{member.address}:{SECURE_PORT}")
        client = RestClient(f"https://127.0.0.1:{port}", self.ca_file, self.admin_token)
        return self._closing.enter_context(client)

    def _etcd(self, identity: HostIdentity) -> dict[str, t.Any]:
        """Source: etcd, etcd.conf.yml.sample."""
        security = {"cert-file": f"{FILES}/etcd.crt", "key-file": f"{FILES}/etcd.key"}
        security |= {"trusted-ca-file": f"{FILES}/etcd-ca.crt"}
        cluster = ",".join(f"{name}={url}" for name, url in self._peers.items())
        return {
            "name": identity.name,
            "data-dir": "/var/lib/etcd",
            "log-level": "warn",
            "listen-client-urls": f"https://{identity.address}:2379,https://127.0.0.1:2379",
            "advertise-client-urls": f"https://{identity.address}:2379",
            "listen-peer-urls": f"https://{identity.address}:2380",
            "initial-advertise-peer-urls": f"https://{identity.address}:2380",
            "initial-cluster": cluster,
            "initial-cluster-state": "new",
            "listen-metrics-urls": f"http://{identity.address}:{ETCD_HEALTH_PORT},{ETCD_METRICS}",
            "client-transport-security": {**security, "client-cert-auth": True},
            "peer-transport-security": {**security, "client-cert-auth": True},
        }

    def _server(self, identity: HostIdentity) -> str:
        flags = self.server_flags(FILES, address=identity.address, port=SECURE_PORT)
        flags["etcd-servers"] = ",".join(f"https://{member.address}:2379" for member in self._members)
        flags |= {"etcd-cafile": f"{FILES}/etcd-ca.crt", "etcd-certfile": f"{FILES}/etcd.crt"}
        flags |= {"etcd-keyfile": f"{FILES}/etcd.key", "audit-log-path": f"{LOGS}/audit.log"}
        return " ".join(f"--{name}={value}" for name, value in flags.items())
