# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Everything about an API server of the lab that does not depend on where it runs: identities, ways in, readiness."""

from __future__ import annotations

import abc
import http.client
import json
import re
import secrets
import time
import typing as t
import warnings
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab import kubeconfig
from ansible_collections.fieldops.openshift.tests.lab.audit import POLICY, AuditLog
from ansible_collections.fieldops.openshift.tests.lab.certificates import Authority, signing_key
from ansible_collections.fieldops.openshift.tests.lab.clock import LabClock
from ansible_collections.fieldops.openshift.tests.lab.errors import LabApiError, LabError
from ansible_collections.fieldops.openshift.tests.lab.network import GATEWAY, LabNetwork
from ansible_collections.fieldops.openshift.tests.lab.rest import RestClient
from ansible_collections.fieldops.openshift.tests.lab.workspace import Workspace, write_private

ADMIN = "system:admin"
MASTERS = "system:masters"
ISSUER = "https://kubernetes.default.svc"
SERVICE_NETWORK = "172.30.0.0/16"  # OpenShift's default
SECURE_PORT = 6443  # in the lab's network
READY_SECONDS = 180.0
READY = "/readyz"
READY_AGAIN = "/readyz?exclude=poststarthook/rbac/bootstrap-roles"  # where the roles are in the database already
OFTEN_READ = (
    "config.openshift.io/v1/clusteroperators",
    "config.openshift.io/v1/clusterversions",
    "config.openshift.io/v1/infrastructures",
    "machine.openshift.io/v1beta1/machinesets",
    "machineconfiguration.openshift.io/v1/machineconfignodes",
    "machineconfiguration.openshift.io/v1/machineconfigpools",
    "machineconfiguration.openshift.io/v1/machineconfigs",
)
SERVER_FILES = (
    *("lab-ca.crt", "api-server.crt", "api-server.key", "service-account.key", "service-account.pub"),
    *("tokens.csv", "audit-policy.yaml"),
)


class ApiAccess(abc.ABC):
    """Identities of an API server and its users, in a workspace; a context manager.

    ``users`` maps names to groups: each gets a bearer token.
    """

    port: int
    """The port on the machine's loopback."""

    _readiness = READY

    def __init__(
        self,
        *,
        users: Mapping[str, Sequence[str]] | None = None,
        workspace: Workspace | None = None,
        network: LabNetwork | None = None,
        hosts: Sequence[str] = (),
    ) -> None:
        self._closing = ExitStack()
        self.workspace = workspace or Workspace("api")
        if not workspace:
            self._closing.callback(self.workspace.close)
        self.directory = self.workspace.directory
        self._network = network
        self._groups: dict[str, Sequence[str]] = {ADMIN: [MASTERS], **(users or {})}
        self._tokens = {user: secrets.token_hex(16) for user in self._groups}
        self._issue(hosts)

    @property
    def url(self) -> str:
        """``https://127.0.0.1:PORT``; stays the same over ``stop`` and ``start``."""
        return f"https://127.0.0.1:{self.port}"

    @property
    def inner_url(self) -> str:
        """The address for processes in the lab's network, or the same as ``url`` where there is none."""
        return f"https://{GATEWAY}:{SECURE_PORT}" if self._network else self.url

    @property
    def admin_token(self) -> str:
        """The bearer token of a cluster administrator."""
        return self._tokens[ADMIN]

    @property
    def kubeconfig(self) -> Path:
        """The kubeconfig file of a cluster administrator."""
        return kubeconfig.with_token(self.directory / "admin.kubeconfig", self.url, self.ca_file, self.admin_token)

    @property
    def rest(self) -> RestClient:
        """The lab's own client, as a cluster administrator."""
        return self._rest

    def token_of(self, user: str) -> str:
        """Return the bearer token of a user named at the start."""
        return self._tokens[user]

    def token_of_service_account(self, namespace: str, name: str) -> str:
        """Return a fresh bound token of an existing ServiceAccount, valid for an hour."""
        request = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {}}
        path = f"/api/v1/namespaces/{namespace}/serviceaccounts/{name}/token"
        token: str = self._rest.create(path, request)["status"]["token"]
        return token

    def kubeconfig_for(self, user: str, groups: Sequence[str] = ()) -> Path:
        """Write a kubeconfig file for any user in any groups, who has what RBAC gives them; by client certificate."""
        name = re.sub(r"[^\w.-]", "-", f"user-{user}")
        pair = self.authority.issue(name, user, groups=groups)
        return kubeconfig.with_certificate(self.directory / f"{name}.kubeconfig", self.url, self.ca_file, pair)

    def kubeconfig_of_service_account(self, namespace: str, name: str) -> Path:
        """Write a kubeconfig file for a ServiceAccount, which need not be there yet; its rights are its own."""
        account, path = f"system:serviceaccount:{namespace}:{name}", self.directory / f"account-{name}.kubeconfig"
        return kubeconfig.with_token(path, self.url, self.ca_file, self.admin_token, acting_as=account)

    def close(self) -> None:
        """End all processes and remove all files, unless the workspace is somebody else's."""
        self._closing.close()

    def __enter__(self) -> t.Any:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    @abc.abstractmethod
    def audit(self) -> AuditLog:
        """The requests that the API was sent."""

    @abc.abstractmethod
    def stop(self) -> None:
        """Let the API go down: connections are refused. Its data stays."""

    @abc.abstractmethod
    def start(self) -> None:
        """Bring a stopped API back at the same address. Returns when it is ready."""

    @abc.abstractmethod
    def freeze(self) -> None:
        """Let the API hang: it accepts connections and answers nothing."""

    @abc.abstractmethod
    def thaw(self) -> None:
        """Let a frozen API go on."""

    @property
    def clock(self) -> LabClock:
        """The clock of the API and of everything else in its workspace."""
        return self.workspace.clock

    def wait_ready(self, client: RestClient | None = None) -> None:
        """Wait until ``/readyz`` says ok, and until what nearly every test reads no longer answers 429.

        ``client`` is one of a single server, where there are several.
        """
        asked = client or self._rest
        deadline = time.monotonic() + READY_SECONDS
        answer = ""
        while answer != "ok":
            if time.monotonic() > deadline:
                raise LabError("wait until ready", on=asked.url, seen=answer, advice="Is the machine overloaded?")
            self.require_running()
            answer = asked_readiness(asked, self._readiness)
        self._readiness = READY_AGAIN
        _warm_up(asked)

    @abc.abstractmethod
    def require_running(self) -> None:
        """Raise LabError when waiting any longer makes no sense."""

    def server_flags(self, files: str | Path, *, address: str, port: int) -> dict[str, str]:
        """Return the flags that every API server of the lab has, its ``SERVER_FILES`` being in ``files``."""
        return {
            "bind-address": address,
            "advertise-address": GATEWAY if address == "127.0.0.1" else address,
            "secure-port": str(port),
            "tls-cert-file": f"{files}/api-server.crt",
            "tls-private-key-file": f"{files}/api-server.key",
            "client-ca-file": f"{files}/lab-ca.crt",
            "kubelet-certificate-authority": f"{files}/lab-ca.crt",
            "kubelet-preferred-address-types": "InternalIP",
            "kubelet-client-certificate": f"{files}/api-server.crt",
            "kubelet-client-key": f"{files}/api-server.key",
            "token-auth-file": f"{files}/tokens.csv",
            "authorization-mode": "Node,RBAC",
            "enable-admission-plugins": "NodeRestriction",
            "allow-privileged": "true",
            "service-account-issuer": ISSUER,
            "service-account-key-file": f"{files}/service-account.pub",
            "service-account-signing-key-file": f"{files}/service-account.key",
            "service-cluster-ip-range": SERVICE_NETWORK,
            "audit-policy-file": f"{files}/audit-policy.yaml",
        }

    def _connect(self, port: int) -> None:
        self.port = port
        self._rest = self._closing.enter_context(RestClient(self.url, self.ca_file, self.admin_token))

    def _issue(self, hosts: Sequence[str]) -> None:
        directory = self.directory
        self.authority = Authority.create(directory, "lab-ca")
        self.ca_file = self.authority.pair.certificate
        known = ("localhost", "kubernetes.default.svc", "api.lab.example", "api-int.lab.example")
        names = [GATEWAY, "127.0.0.1", "172.30.0.1", *known, *hosts]
        self.authority.issue("api-server", "kube-apiserver", groups=[MASTERS], hosts=names)
        signing_key(directory / "service-account.key")
        lines = [f'{self._tokens[user]},{user},{user},"{",".join(groups)}"' for user, groups in self._groups.items()]
        write_private(directory / "tokens.csv", "\n".join(lines) + "\n")
        write_private(directory / "audit-policy.yaml", json.dumps(POLICY))


def asked_readiness(client: RestClient, path: str) -> str:
    """Return what a server answers to the question whether it is ready, in an outage what came instead."""
    # A server that resets the connection before the handshake makes CPython's SSLSocket._create lose a socket.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        try:
            return str(client.get(path)["message"])
        except (OSError, http.client.HTTPException, LabApiError) as error:
            time.sleep(0.05)
            return str(error)


def _warm_up(client: RestClient) -> None:
    served = {group["name"] for group in client.get("/apis")["groups"]}
    paths = [f"/apis/{path}" for path in OFTEN_READ if path.partition("/")[0] in served]
    with ThreadPoolExecutor(len(OFTEN_READ)) as pool:
        list(pool.map(client.get, paths))
