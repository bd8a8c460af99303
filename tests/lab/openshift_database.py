# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The database that API servers of the lab start from.

It holds OpenShift's definitions, and what controllers fill in once.
"""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab import admission_policies, crds
from ansible_collections.fieldops.openshift.tests.lab.api_access import SERVICE_NETWORK
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.cache import cached, key_of
from ansible_collections.fieldops.openshift.tests.lab.control_plane import start_controller_manager
from ansible_collections.fieldops.openshift.tests.lab.errors import LabError
from ansible_collections.fieldops.openshift.tests.lab.go import module_directory, program
from ansible_collections.fieldops.openshift.tests.lab.rest import RestClient

AGGREGATED = ("admin", "edit", "view")
MANIFESTS = "manifests"  # the module that pins those whose YAML files alone are read
NAMESPACES = ("default", "kube-public", "kube-system")
FILL_SECONDS = 60.0


def openshift_definitions() -> list[crds.Definition]:
    """Return OpenShift's and HyperShift's definitions, of the pinned versions of their APIs."""
    hypershift = module_directory("github.com/openshift/hypershift/api", MANIFESTS)
    return [*crds.definitions(module_directory("github.com/openshift/api")), *crds.hypershift_definitions(hypershift)]


@cache
def openshift_policies() -> tuple[Path, ...]:
    """Return the manifests of the admission policies, of the pinned version of the machine-config operator.

    They are not in the database: a server that starts with them takes half a minute before it decides by them, and a
    cluster at rest has long done so.
    """
    operator = module_directory("github.com/openshift/machine-config-operator", MANIFESTS)
    return tuple(admission_policies.policy_files(operator))


def openshift_database() -> Path:
    """Return the data directory of an etcd, built once and cached; to be copied, not used in place.

    Besides the definitions it holds what the controller manager makes of a new cluster: the rules of aggregated
    ClusterRoles and the service accounts ``default``. An API server alone would never get them.
    """
    wanted = openshift_definitions()
    programs = [str(program(name)) for name in ("etcd", "kube-apiserver", "kube-controller-manager")]
    files = (part for one in wanted for part in (one.name, one.file))
    key = key_of([*programs, SERVICE_NETWORK, *files])

    def build(directory: Path) -> None:
        with ApiServer() as server:
            controllers = start_controller_manager(server)
            crds.install(server.rest, wanted)
            _wait_filled(server.rest)
            controllers.kill()
            server.stop()
            server.etcd.process.stop()
            shutil.copytree(server.etcd.data, directory / "etcd")

    return cached("openshift-database", key, build) / "etcd"


def member_databases(peers: Mapping[str, str]) -> Path:
    """Return a directory with the same data for each member of an etcd cluster, by the member's name; cached.

    ``peers`` are the members' peer URLs: a data directory knows the whole membership.
    """
    single, tool = openshift_database(), program("etcdutl")
    cluster = ",".join(f"{name}={url}" for name, url in peers.items())

    def build(directory: Path) -> None:
        for name, url in peers.items():
            command = [str(tool), "snapshot", "restore", str(single / "member/snap/db"), "--skip-hash-check"]
            command += [f"--data-dir={directory / name}", f"--name={name}", f"--initial-cluster={cluster}"]
            command += [f"--initial-advertise-peer-urls={url}"]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                seen = done.stderr[-3000:]
                raise LabError("restore a snapshot", on=name, seen=seen, advice="Remove the entry from the cache.")

    return cached("member-databases", key_of([str(single), str(tool), cluster]), build)


def _wait_filled(client: RestClient) -> None:
    deadline = time.monotonic() + FILL_SECONDS
    missing = True
    while missing:
        roles = (client.get(f"/apis/rbac.authorization.k8s.io/v1/clusterroles/{name}") for name in AGGREGATED)
        accounts = (client.exists(f"/api/v1/namespaces/{name}/serviceaccounts/default") for name in NAMESPACES)
        missing = not (all(role.get("rules") for role in roles) and all(accounts))
        if time.monotonic() > deadline:
            raise LabError(
                "fill the database", on=client.url, seen="no roles", advice="See kube-controller-manager.log."
            )
        time.sleep(0.1)
