# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""An API that the control-plane hosts serve themselves: etcd and kube-apiserver on each, behind a balancer.

Quorum, outages and reboots of the control plane are real with it: a host that goes down takes its member along.
"""

from __future__ import annotations

import shutil
import sys
import time
import typing as t
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab import crds
from ansible_collections.fieldops.openshift.tests.lab.api_access import (
    READY_SECONDS,
    SECURE_PORT,
    SERVER_FILES,
    ApiAccess,
)
from ansible_collections.fieldops.openshift.tests.lab.certificates import Authority
from ansible_collections.fieldops.openshift.tests.lab.errors import LabError
from ansible_collections.fieldops.openshift.tests.lab.network import GATEWAY, LabNetwork
from ansible_collections.fieldops.openshift.tests.lab.node.control_plane_layer import FILES
from ansible_collections.fieldops.openshift.tests.lab.node.layer import as_json
from ansible_collections.fieldops.openshift.tests.lab.rest import RestClient
from ansible_collections.fieldops.openshift.tests.lab.workspace import Workspace, write_private

if t.TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ansible_collections.fieldops.openshift.tests.lab.node.host import HostIdentity, NodeHost

BALANCER = Path(__file__).with_name("balancer.py")
ETCD_FILES = ("etcd-ca.crt", "etcd.crt", "etcd.key")


class HostedApi(ApiAccess):
    """The API of ``members``; ``install`` before each is powered on, ``connect`` after."""

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
        self._lab_network = network
        authority = Authority.create(self.directory, "etcd-ca")
        authority.issue("etcd", "etcd", hosts=["127.0.0.1", "localhost", *addresses])

    def install(self, host: NodeHost, database: Path | None = None) -> None:
        """Write a member's configuration and keys, and the data of an only member, on its host's disk."""
        upper = host.directory / "upper"
        target = upper / FILES.lstrip("/")
        target.mkdir(parents=True)
        (upper / "var/log/kube-apiserver").mkdir(parents=True)
        if database:
            shutil.copytree(database, upper / "var/lib/etcd")
        for name in (*SERVER_FILES, *ETCD_FILES):
            write_private(target / name, (self.directory / name).read_text())
        (target / "etcd.json").write_text(as_json(self._etcd(host.identity)))
        (target / "kube-apiserver.env").write_text(f"FLAGS={self._server(host.identity)}\n")

    def connect(self) -> None:
        """Start the balancer and wait until the API is ready."""
        command: list[str | Path] = [*self._lab_network.prefix, sys.executable, "-I", "-S", BALANCER]
        command += [f"--listen={GATEWAY}:{SECURE_PORT}"]
        command += [f"--target={member.address}:{SECURE_PORT}" for member in self._members]
        self._balancer = self.workspace.start("balancer", command)
        self._connect(self._lab_network.publish("api", f"{GATEWAY}:{SECURE_PORT}"))
        self._clients = {member.name: self._client(member) for member in self._members}
        self.wait_ready()

    def member(self, name: str) -> RestClient:
        """Return a client of one member's API server alone, past the balancer."""
        return self._clients[name]

    def wait_served(self, names: Iterable[str]) -> None:
        """Wait until every member serves the definitions ``names``: each learns of them by itself."""
        wanted = set(names)
        deadline = time.monotonic() + READY_SECONDS
        for name, client in self._clients.items():
            while missing := wanted - crds.served(client):
                if time.monotonic() > deadline:
                    seen = f"{len(missing)} definitions are not served"
                    raise LabError("wait for definitions", on=name, seen=seen, advice="See its journal.")
                time.sleep(0.1)

    def require_running(self) -> None:
        """Raise LabError when the balancer has ended."""
        self._balancer.require_running()

    def _client(self, member: HostIdentity) -> RestClient:
        port = self._lab_network.publish(f"api-{member.name}", f"{member.address}:{SECURE_PORT}")
        client = RestClient(f"https://127.0.0.1:{port}", self.ca_file, self.admin_token)
        return self._closing.enter_context(client)

    def _etcd(self, identity: HostIdentity) -> dict[str, t.Any]:
        """Source: etcd, etcd.conf.yml.sample."""
        security = {"cert-file": f"{FILES}/etcd.crt", "key-file": f"{FILES}/etcd.key"}
        security |= {"trusted-ca-file": f"{FILES}/etcd-ca.crt"}
        cluster = ",".join(f"{member.name}=https://{member.address}:2380" for member in self._members)
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
            "client-transport-security": {**security, "client-cert-auth": True},
            "peer-transport-security": {**security, "client-cert-auth": True},
        }

    def _server(self, identity: HostIdentity) -> str:
        flags = self.server_flags(FILES, address=identity.address, port=SECURE_PORT)
        flags["etcd-servers"] = ",".join(f"https://{member.address}:2379" for member in self._members)
        flags |= {"etcd-cafile": f"{FILES}/etcd-ca.crt", "etcd-certfile": f"{FILES}/etcd.crt"}
        flags |= {"etcd-keyfile": f"{FILES}/etcd.key", "audit-log-path": "/var/log/kube-apiserver/audit.log"}
        return " ".join(f"--{name}={value}" for name, value in flags.items())
