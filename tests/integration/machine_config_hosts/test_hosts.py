# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The real machine-config operator, controller and daemons on plain hosts: a configuration reaches a worker."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from ansible_collections.fieldops.openshift.tests.integration.lab.daemon_course import (
    COURSE,
    STEPS,
    Course,
    Steps,
    resumed_once,
)
from ansible_collections.fieldops.openshift.tests.integration.machine_config_hosts.operated import (
    WORKER,
    daemon_notes,
    operated_lab,
    update_worker,
    worker_node,
)
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
from ansible_collections.fieldops.openshift.tests.lab.node.host import NodeHost
from ansible_collections.fieldops.openshift.tests.lab.seed.machine_configs import machine_config_with_file

FILE = "/etc/lab-test.conf"


@pytest.fixture(scope="module")
def plain_site() -> Iterator[Lab]:
    """A site whose hosts boot no OS images: its daemons leave those alone."""
    if os.geteuid():
        pytest.skip("node hosts need root")
    with operated_lab(NodeHost) as lab:
        yield lab


def test_a_worker_is_drained_configured_and_rebooted_until_its_pool_is_updated(plain_site: Lab) -> None:
    host = plain_site.hosts[WORKER]
    boots, before = host.boots, worker_node(plain_site)["status"]["nodeInfo"]["bootID"]
    with Steps(plain_site.api.rest, WORKER) as steps, Course(plain_site.api.rest, WORKER) as course:
        target = update_worker(plain_site, machine_config_with_file("50-test", "worker", FILE, "hello\n"))
    assert tuple(course.stages[-len(COURSE) :]) == COURSE
    assert resumed_once(steps.seen) == STEPS
    notes, after = daemon_notes(plain_site), worker_node(plain_site)
    assert (notes["currentConfig"], notes["desiredConfig"], notes["state"]) == (target, target, "Done")
    assert notes["lastAppliedDrain"] == f"uncordon-{target}"
    assert host.run("cat", FILE) == "hello\n"
    assert host.boots == boots + 1
    assert after["status"]["nodeInfo"]["bootID"] != before
    assert not after["spec"].get("unschedulable")
