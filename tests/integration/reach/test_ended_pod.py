# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A helper pod that has ended while the API still reports it as running, as after a reboot of its node."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.helper_pods.node_session import NodeSession
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.helper_pods.pods import HelperPods
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.helper_pods.run_identity import RunIdentity
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_session import cluster_client
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import ModuleRun
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.tests.integration.reach.conftest import Site
from ansible_collections.fieldops.openshift.tests.lab.node.images import pause_image

RUN = "ended"
POD = "$(crictl pods --quiet --namespace fieldops-reach-ended)"


@pytest.fixture
def sessions(site: Site) -> Iterator[list[NodeSession]]:
    """Two sessions of one node, as two tasks that run side by side have them."""
    params = {"kubeconfig": str(site.lab.api.kubeconfig)}
    client = cluster_client(ModuleRun(params=params, check_mode=False, clock=SystemClock()))
    pods = HelperPods(client, RunIdentity(RUN), lifetime=3600, image=pause_image().name)
    opened = [NodeSession(client, pods, "worker-0", in_host=True) for _ in range(2)]
    for session in opened:
        session.open(Deadline(60, SystemClock()))
    yield opened
    pods.remove(Deadline(60, SystemClock()))
    client.close()


@pytest.mark.parametrize(
    "ending",
    [
        pytest.param(f"crictl stop --timeout 0 $(crictl ps --quiet --pod {POD})", id="its container has ended"),
        pytest.param(f"crictl rmp --force {POD}", id="the node does not know it any more"),
    ],
)
def test_the_next_command_runs_in_a_new_pod(site: Site, sessions: list[NodeSession], ending: str) -> None:
    site.lab.hosts["worker-0"].run("sh", "-c", ending)
    given = (5, lambda: iter([b"in", b"put"]))
    seen = [session.run("hostname; cat", given, Deadline(60, SystemClock())) for session in sessions]
    assert seen == [(0, b"worker-0\ninput", b"")] * 2
