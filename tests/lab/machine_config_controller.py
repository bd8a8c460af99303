# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The real machine-config-controller: chooses the next nodes of pools, drains them, and hands out PinnedImageSets.

If it is asked to, it renders pools' configurations, too; and it chooses built images as the releases before
OCPBUGS-63006 do, which do not ask the MachineOSConfig for its build.

It is upstream's code (``components/machine-config-operator/node-controllers``), started with shorter times to wait than
in production, because upstream waits five seconds after each change of a node.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from ansible_collections.fieldops.openshift.tests.lab.api_access import ApiAccess
from ansible_collections.fieldops.openshift.tests.lab.go import program
from ansible_collections.fieldops.openshift.tests.lab.seed.controller_config import controller_config, scheduler

NAME = "node-controllers"
INFRASTRUCTURE = "/apis/config.openshift.io/v1/infrastructures/cluster"
SHORTER = {"settle": "100ms", "drain-again": "2s", "drain-attempt": "20s"}


@contextlib.contextmanager
def machine_config_controller(server: ApiAccess, *, renders: bool = False, named_builds: bool = True) -> Iterator[None]:
    """Let the controller work on a seeded cluster for as long as the context lasts; it must not have ended by then."""
    server.rest.apply_all([controller_config(server.rest.get(INFRASTRUCTURE)), scheduler()])
    choices = {"render": renders, "named-builds": named_builds}
    flags = {"kubeconfig": str(server.kubeconfig), **SHORTER, **{key: f"{one}".lower() for key, one in choices.items()}}
    process = server.workspace.start(NAME, [program(NAME), *(f"--{flag}={value}" for flag, value in flags.items())])
    try:
        yield
        process.require_running()
    finally:
        process.kill()
