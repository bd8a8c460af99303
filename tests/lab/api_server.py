# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A real kube-apiserver with its database and OpenShift's definitions, as processes of this machine."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping, Sequence
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab import admission_policies
from ansible_collections.fieldops.openshift.tests.lab.api_access import READY, READY_AGAIN, SECURE_PORT, ApiAccess
from ansible_collections.fieldops.openshift.tests.lab.audit import AuditLog
from ansible_collections.fieldops.openshift.tests.lab.etcd import Etcd
from ansible_collections.fieldops.openshift.tests.lab.go import program
from ansible_collections.fieldops.openshift.tests.lab.network import GATEWAY, LabNetwork, ReservedPort
from ansible_collections.fieldops.openshift.tests.lab.workspace import LeashedProcess, Workspace


class ApiServer(ApiAccess):
    """A running API server; a context manager.

    Without ``template`` the database starts empty; ``start_openshift`` starts with OpenShift's definitions in it. In a
    ``network`` the server listens on the lab's address there, and ``url`` is a way to it from the machine's loopback.
    """

    def __init__(
        self,
        *,
        users: Mapping[str, Sequence[str]] | None = None,
        template: Path | None = None,
        workspace: Workspace | None = None,
        network: LabNetwork | None = None,
    ) -> None:
        super().__init__(users=users, workspace=workspace, network=network)
        try:
            self._readiness = READY_AGAIN if template else READY
            self.etcd = Etcd(self.workspace, template)
            self._connect(network.publish("api", f"{GATEWAY}:{SECURE_PORT}") if network else self._reserve())
            self.start()
        except BaseException:
            self.close()
            raise

    @classmethod
    def start_openshift(cls, *, users: Mapping[str, Sequence[str]] | None = None) -> ApiServer:
        """Start a server that has OpenShift's definitions and policies; the first time ever they are cached."""
        from ansible_collections.fieldops.openshift.tests.lab.openshift_database import (
            openshift_database,
            openshift_policies,
        )

        server = cls(users=users, template=openshift_database())
        try:
            admission_policies.install(server.rest, openshift_policies())
        except BaseException:
            server.close()
            raise
        return server

    def __enter__(self) -> ApiServer:
        return self

    @property
    def audit(self) -> AuditLog:
        """The requests that this server was sent."""
        return AuditLog([(self.directory / "audit.log", self._rest)])

    def stop(self) -> None:
        """Let the API server crash. The database stays."""
        self._rest.close()
        self._process.kill()

    def start(self) -> None:
        """Start the API server again: same address, same data. Returns when it is ready."""
        self._process = self._start_process()
        self.wait_ready()

    def freeze(self) -> None:
        """Let the server hang: it accepts connections and answers nothing."""
        self._process.freeze()

    def thaw(self) -> None:
        """Let a frozen server go on."""
        self._process.thaw()

    def require_running(self) -> None:
        """Raise LabError with the end of its log when the server has ended."""
        self._process.require_running()

    def _reserve(self) -> int:
        """Return the port that the server has for as long as this object lives."""
        port = ReservedPort()
        self._closing.callback(port.close)
        return port.number

    def _start_process(self) -> LeashedProcess:
        address, port = (GATEWAY, SECURE_PORT) if self._network else ("127.0.0.1", self.port)
        flags = self.server_flags(self.directory, address=address, port=port)
        flags |= {"etcd-servers": self.etcd.url, "audit-log-path": f"{self.directory}/audit.log"}
        flags["permit-port-sharing"] = "true"  # with our own reservation of the port
        prefix = self._network.prefix if self._network else []
        command = [*prefix, program("kube-apiserver"), *(f"--{name}={value}" for name, value in flags.items())]
        return self.workspace.start("kube-apiserver", t.cast("list[str | Path]", command))
