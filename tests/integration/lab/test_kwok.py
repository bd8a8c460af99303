# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Nodes without hosts, by the hundred, are Ready and take pods."""

from __future__ import annotations

import time

from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.control_plane import start_controller_manager, start_scheduler
from ansible_collections.fieldops.openshift.tests.lab.kwok import start_kwok, without_host
from ansible_collections.fieldops.openshift.tests.lab.seed import nodes, workloads

COUNT = 100
PODS = "/api/v1/namespaces/default/pods"


def test_a_hundred_nodes_are_ready_and_run_what_is_scheduled_on_them() -> None:
    with ApiServer.start_openshift() as server:
        start_controller_manager(server)
        start_scheduler(server)
        start_kwok(server)
        server.rest.apply_all(without_host(nodes.node("worker", number)) for number in range(COUNT))
        server.rest.apply(workloads.pod("one", "quay.io/x/y:z"))
        deadline = time.monotonic() + 300
        while (ready(server), server.rest.get(f"{PODS}/one")["status"]["phase"]) != (COUNT, "Running"):
            assert time.monotonic() < deadline, ready(server)
            time.sleep(0.2)


def ready(server: ApiServer) -> int:
    conditions = (one["status"].get("conditions", []) for one in server.rest.get("/api/v1/nodes")["items"])
    return sum({"Ready": "True"}.items() <= {one["type"]: one["status"] for one in each}.items() for each in conditions)
