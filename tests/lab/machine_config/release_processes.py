# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The real machine-config operator and controller of one release after another, on a cluster without hosts."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence

from ansible_collections.fieldops.openshift.tests.lab.actors.actor import Actor
from ansible_collections.fieldops.openshift.tests.lab.actors.other_operators import CONFIG, version_of
from ansible_collections.fieldops.openshift.tests.lab.api_access import ApiAccess
from ansible_collections.fieldops.openshift.tests.lab.machine_config.processes import (
    seed,
    start_controller,
    start_operator,
    wait_for_controller_config,
)
from ansible_collections.fieldops.openshift.tests.lab.machine_config.rollouts import Rollouts
from ansible_collections.fieldops.openshift.tests.lab.seed.cluster import release_image
from ansible_collections.fieldops.openshift.tests.lab.workspace import LeashedProcess

NAME = "machine-config"


@contextlib.contextmanager
def release_processes(server: ApiAccess, versions: Sequence[str]) -> Iterator[None]:
    """Run those of the first version, and of each that the cluster goes to, for as long as the context lasts.

    Raise LabError at the end if one has ended by itself.
    """
    with Rollouts(server.rest):
        followed = _FollowedRelease(server, versions)
        try:
            followed.start(versions[0])
            with followed:
                yield
        finally:
            followed.stop()


class _FollowedRelease(Actor):
    """Stands for the Deployments of operator and controller, which are replaced as the version operator applies them.

    Copies cluster-version-operator, pkg/payload/task_graph.go: the last run level follows when those before are done.
    """

    watched = (f"{CONFIG}/clusterversions", f"{CONFIG}/clusteroperators")

    def __init__(self, server: ApiAccess, versions: Sequence[str]) -> None:
        super().__init__(server.rest)
        self._server = server
        self._versions = versions
        self._running: list[LeashedProcess] = []
        self._version = ""

    def step(self) -> None:
        """Replace the processes when it is their turn."""
        for process in self._running:
            process.require_running()
        newest = self.client.get(f"{CONFIG}/clusterversions/version")["status"]["history"][0]
        operators = self.client.get(f"{CONFIG}/clusteroperators")["items"]
        before = [one for one in operators if one["metadata"]["name"] != NAME]
        due = newest["state"] == "Partial" and all(version_of(one) == newest["version"] for one in before)
        if due and newest["version"] != self._version:
            self.stop()
            self.start(newest["version"])

    def start(self, version: str) -> None:
        """Start both with what the payload of their version brings along."""
        seed(self._server, version, others=self._versions)
        operator = start_operator(self._server, version, release_image(version))
        self._running = [operator]
        wait_for_controller_config(self._server, operator)
        self._running.append(start_controller(self._server, version))
        self._version = version

    def stop(self) -> None:
        """End both as a kubelet does: asked to, they give their Leases back."""
        while self._running:
            self._running.pop().stop()
