# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The actor of the machine-config daemon takes the course that is upstream's (see ``daemon_course.py``)."""

from __future__ import annotations

import copy
from collections.abc import Iterator

import pytest

from ansible_collections.fieldops.openshift.tests.integration.lab.daemon_course import COURSE, STEPS, Course, Steps
from ansible_collections.fieldops.openshift.tests.integration.lab.waiting import wait_for
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_operator import (
    machine_config_operator,
    reboot_objects,
)
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_pools import POOLS
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.machine_config.reading import pool_is
from ansible_collections.fieldops.openshift.tests.lab.seed.healthy import healthy_cluster, plant
from ansible_collections.fieldops.openshift.tests.lab.seed.machine_configs import rendered_name

CONFIGS = "/apis/machineconfiguration.openshift.io/v1/machineconfigs"
NEXT = "rendered-worker-" + "1" * 32


@pytest.fixture
def server() -> Iterator[ApiServer]:
    with ApiServer.start_openshift() as started:
        plant(started.rest, healthy_cluster("4.21.3", control_plane=1, workers=1))
        yield started


def test_a_node_takes_the_course_of_upstream(server: ApiServer) -> None:
    client = server.rest
    rendered = copy.deepcopy(client.get(f"{CONFIGS}/{rendered_name('worker')}"))
    rendered["metadata"] = {**rendered["metadata"], "name": NEXT}
    for key in ("uid", "resourceVersion", "creationTimestamp", "managedFields", "generation"):
        rendered["metadata"].pop(key, None)
    client.create(CONFIGS, rendered)
    with (
        machine_config_operator(server, reboot_objects(client)),
        Steps(client, "worker-0") as steps,
        Course(client, "worker-0") as course,
    ):
        client.merge(f"{POOLS}/worker", {"spec": {"configuration": {"name": NEXT}}})
        wait_for(lambda: not pool_is(client, "worker", "Updated"))
        wait_for(lambda: pool_is(client, "worker", "Updated"))
    assert tuple(course.stages[-len(COURSE) :]) == COURSE
    assert tuple(steps.seen) == STEPS
