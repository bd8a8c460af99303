# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The other two processes of the control plane, beside the API server."""

from __future__ import annotations

from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab import kubeconfig
from ansible_collections.fieldops.openshift.tests.lab.api_access import SERVICE_NETWORK, ApiAccess
from ansible_collections.fieldops.openshift.tests.lab.go import program
from ansible_collections.fieldops.openshift.tests.lab.network import LabNetwork
from ansible_collections.fieldops.openshift.tests.lab.workspace import LeashedProcess


def start_controller_manager(server: ApiAccess, network: LabNetwork | None = None) -> LeashedProcess:
    """Start kube-controller-manager: disruption budgets, workloads, garbage collection, namespaces, node lifecycle."""
    authority = server.authority.pair
    flags: dict[str, str | Path] = {
        "root-ca-file": server.ca_file,
        "service-account-private-key-file": server.directory / "service-account.key",
        "cluster-signing-cert-file": authority.certificate,
        "cluster-signing-key-file": authority.key,
        "service-cluster-ip-range": SERVICE_NETWORK,
        "use-service-account-credentials": "true",
        "node-monitor-grace-period": "40s",
    }
    return _start(server, network, "kube-controller-manager", flags)


def start_scheduler(server: ApiAccess, network: LabNetwork | None = None) -> LeashedProcess:
    """Start kube-scheduler."""
    return _start(server, network, "kube-scheduler", {})


def _start(server: ApiAccess, network: LabNetwork | None, name: str, flags: dict[str, str | Path]) -> LeashedProcess:
    directory = server.directory
    pair = server.authority.issue(name, f"system:{name}")
    identity = kubeconfig.with_certificate(directory / f"{name}.kubeconfig", server.inner_url, server.ca_file, pair)
    common: dict[str, str | Path] = {
        "kubeconfig": identity,
        "authentication-kubeconfig": identity,
        "authorization-kubeconfig": identity,
        "secure-port": "0",
        "leader-elect": "false",
    }
    command: list[str | Path] = [
        *(network.prefix if network else []),
        program(name),
        *(f"--{flag}={value}" for flag, value in {**common, **flags}.items()),
    ]
    return server.workspace.start(name, command)
