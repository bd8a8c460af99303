# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The real machine-config operator and controller as processes of this machine, for a cluster without hosts.

They render, choose nodes, drain and keep ClusterOperator machine-config as in production, under their own accounts and
with the rights that these have. Daemons need hosts: here nothing plays them, or the actor does.
"""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Iterable, Iterator

from ansible_collections.fieldops.openshift.tests.lab.admission_policies import wait_enforced
from ansible_collections.fieldops.openshift.tests.lab.api_access import ApiAccess
from ansible_collections.fieldops.openshift.tests.lab.errors import LabError, last_lines
from ansible_collections.fieldops.openshift.tests.lab.go import program
from ansible_collections.fieldops.openshift.tests.lab.machine_config.payload import operator_rights
from ansible_collections.fieldops.openshift.tests.lab.machine_config.rollouts import Rollouts
from ansible_collections.fieldops.openshift.tests.lab.machine_config.templates import templates
from ansible_collections.fieldops.openshift.tests.lab.seed import operator_settings
from ansible_collections.fieldops.openshift.tests.lab.seed.boot_images import MACHINE_CONFIG
from ansible_collections.fieldops.openshift.tests.lab.seed.cluster import release_image
from ansible_collections.fieldops.openshift.tests.lab.workspace import LeashedProcess, write_private

OPERATOR = "machine-config-operator"
CONTROLLER = "machine-config-controller"
VERSION = "4.21.3"  # of the seeds
CONTROLLER_CONFIG = "/apis/machineconfiguration.openshift.io/v1/controllerconfigs/machine-config-controller"
CONFIG_SECONDS = 180.0


@contextlib.contextmanager
def operator_processes(server: ApiAccess, version: str = VERSION) -> Iterator[LeashedProcess]:
    """Run operator and controller of ``version`` on a seeded cluster for as long as the context lasts.

    What it gives is the controller. Raise LabError at the end if one of them has ended by itself.
    """
    seed(server, version)
    with contextlib.ExitStack() as running:
        running.enter_context(Rollouts(server.rest))
        operator = start_operator(server, version, release_image(version))
        running.callback(operator.stop)  # not killed: only then it gives its Lease back
        wait_for_controller_config(server, operator)
        controller = start_controller(server, version)
        running.callback(controller.stop)
        yield controller
        operator.require_running()
        controller.require_running()


def seed(server: ApiAccess, version: str, os_image: str = "", others: Iterable[str] = ()) -> None:
    """Plant what the operator reads, and wait until it may write what it begins with.

    ``others`` are versions whose operators have to find their features there, too.
    """
    os_image = os_image or release_image(version)
    wait_enforced(server.rest)
    server.rest.apply_all([*operator_settings.namespaces(), operator_rights()])
    server.rest.apply_all(operator_settings.settings(server.ca_file.read_text(), version, os_image, others))


def start_operator(server: ApiAccess, version: str, image: str, proxy: str = "") -> LeashedProcess:
    """Start the operator of a payload whose images are ``image`` and, beside it in pods, ``proxy``."""
    described = json.dumps(operator_settings.images(version, image, proxy or image))
    file = write_private(server.directory / "images.json", described)
    return _start(server, OPERATOR, {"images-json": str(file), "payload-version": version, "operator-image": image})


def start_controller(server: ApiAccess, version: str) -> LeashedProcess:
    """Start the controller, as the operator's Deployment does where there are hosts."""
    flags = {"resourcelock-namespace": MACHINE_CONFIG, "templates": str(templates()), "payload-version": version}
    return _start(server, CONTROLLER, flags)


def wait_for_controller_config(server: ApiAccess, operator: LeashedProcess) -> None:
    """Wait for what a controller needs: without it, it tries again after longer and longer pauses."""
    deadline = time.monotonic() + CONFIG_SECONDS
    while not server.rest.exists(CONTROLLER_CONFIG):
        operator.require_running()
        if time.monotonic() > deadline:
            raise LabError("wait for", on=CONTROLLER_CONFIG, seen=last_lines(operator.log), advice="See its log.")
        time.sleep(0.05)


def _start(server: ApiAccess, name: str, flags: dict[str, str]) -> LeashedProcess:
    account = server.kubeconfig_of_service_account(MACHINE_CONFIG, name)
    common = {"kubeconfig": str(account), "metrics-listen-address": "127.0.0.1:0", "v": "2"}
    words = [f"--{flag}={value}" for flag, value in {**common, **flags}.items()]
    return server.workspace.start(name, [program(name), "start", *words])
