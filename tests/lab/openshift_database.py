# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The database that API servers of the lab start from: OpenShift's definitions, and what controllers fill in once."""

from __future__ import annotations

import shutil
import time
import typing as t

from ansible_collections.fieldops.openshift.tests.lab import crds
from ansible_collections.fieldops.openshift.tests.lab.api_access import SERVICE_NETWORK
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.cache import cached, key_of
from ansible_collections.fieldops.openshift.tests.lab.control_plane import start_controller_manager
from ansible_collections.fieldops.openshift.tests.lab.errors import LabError
from ansible_collections.fieldops.openshift.tests.lab.go import module_directory, program

if t.TYPE_CHECKING:
    from pathlib import Path

    from ansible_collections.fieldops.openshift.tests.lab.rest import RestClient

AGGREGATED = ("admin", "edit", "view")
NAMESPACES = ("default", "kube-public", "kube-system")
FILL_SECONDS = 60.0


def openshift_definitions() -> list[crds.Definition]:
    """Return OpenShift's definitions, of the pinned version of its API."""
    return crds.definitions(module_directory("github.com/openshift/api"))


def openshift_database() -> Path:
    """Return the data directory of an etcd, built once and cached; to be copied, not used in place.

    Besides the definitions it holds what the controller manager makes of a new cluster: the rules of aggregated
    ClusterRoles and the service accounts ``default``. An API server alone would never get them.
    """
    wanted = openshift_definitions()
    programs = [str(program(name)) for name in ("etcd", "kube-apiserver", "kube-controller-manager")]
    key = key_of([*programs, SERVICE_NETWORK, *(part for one in wanted for part in (one.name, one.file))])

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
