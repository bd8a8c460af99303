# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Commands of oc and kubectl on pages, run by the real kubectl against a real API server with OpenShift's kinds.

oc is in no package registry. It takes ``get`` and ``apply`` as kubectl does, and ``adm policy
add-cluster-role-to-user`` creates a ClusterRoleBinding (openshift/oc, pkg/cli/admin/policy/modify_roles.go).
"""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.errors import LabError
from ansible_collections.fieldops.openshift.tests.lab.kubectl import kubectl
from ansible_collections.fieldops.openshift.tests.lab.seed.healthy import healthy_cluster, plant
from ansible_collections.fieldops.openshift.tests.structure.page_blocks import commands
from ansible_collections.fieldops.openshift.tests.structure.source_tree import ROOT

OF_CLUSTERS = [line for program in ("oc", "kubectl") for _page, line in commands(program)]
OF_OPENSHIFT = (
    "openshift-config",
    "openshift-config-managed",
    "openshift-machine-api",
    "openshift-machine-config-operator",
)
BIND = ["adm", "policy", "add-cluster-role-to-user"]


@pytest.fixture(scope="module")
def program() -> Path:
    try:
        return kubectl()
    except LabError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def server() -> Iterator[ApiServer]:
    with ApiServer.start_openshift() as started:
        plant(started.rest, healthy_cluster())
        for name in OF_OPENSHIFT:
            started.rest.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
        operator = {"apiVersion": "operator.openshift.io/v1", "kind": "KubeAPIServer", "metadata": {"name": "cluster"}}
        started.rest.apply({**operator, "spec": {"managementState": "Managed"}})
        yield started


def words_of(command: str) -> list[str]:
    """Return the words for kubectl."""
    words = shlex.split(command, comments=True)[1:]
    if words[:3] == BIND:
        return ["create", "clusterrolebinding", "of-the-page", f"--clusterrole={words[3]}", f"--user={words[4]}"]
    return words


@pytest.mark.parametrize("command", OF_CLUSTERS)
def test_a_command_on_a_page_works(server: ApiServer, program: Path, command: str) -> None:
    words = [str(program), f"--kubeconfig={server.kubeconfig}", *words_of(command)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    # What a page looks for exists at a site in that state. The server has to know the kind, and no such object.
    if " get " in command and done.returncode:
        assert "(NotFound)" in done.stderr, done.stderr
    else:
        assert done.returncode == 0, done.stderr
