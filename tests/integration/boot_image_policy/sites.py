# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The cluster that these tests configure, and how they ask it."""

from __future__ import annotations

import time
import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.do.policy_step import (
    policy_step,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.api_error import ApiError
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.authentication import resolve_access
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Step
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.rest import RestClient
from ansible_collections.fieldops.openshift.tests.lab.seed import boot_images, cluster

Json = dict[str, t.Any]
CONFIG = "/apis/config.openshift.io/v1"
CONFIGURATION = "/apis/operator.openshift.io/v1/machineconfigurations/cluster"
MACHINE_API = "/apis/machine.openshift.io/v1beta1/namespaces/openshift-machine-api"
MACHINE_SETS, MACHINES = f"{MACHINE_API}/machinesets", f"{MACHINE_API}/machines"
ACKS = "/api/v1/namespaces/openshift-config/configmaps/admin-acks"
GATES = "/api/v1/namespaces/openshift-config-managed/configmaps/admin-gates"
KEPT = "/api/v1/namespaces/fieldops-openshift/configmaps"
SECONDS = 60.0
"""How long an operator that is an actor may take on a loaded machine."""


class Site:
    """A cluster on one API server; ``rest`` is the lab's own client of it."""

    def __init__(self, server: ApiServer) -> None:
        self.server = server
        self.rest: RestClient = server.rest

    def reset(self, version: str, *, installed: str = "4.20.12", platform: str = "AWS") -> None:
        """Make it a cluster at rest on ``version``, whose operator has not said anything about boot images yet."""
        for path in (MACHINE_SETS, MACHINES, KEPT):
            self.rest.delete(path)
        for path in (ACKS, GATES, CONFIGURATION):
            if self.rest.exists(path):
                self.rest.delete(path)
        self.rest.apply(cluster.cluster_version(version, earlier=(installed,)))
        self.rest.apply(cluster.infrastructure(platform))
        self.rest.apply(boot_images.machine_configuration())

    def client(self, user: str = "", *, dry_run: bool = False) -> ClusterClient:
        """Return a client of the administrator or of ``user``; ``dry_run`` is check mode."""
        kubeconfig = self.server.kubeconfig_for(user) if user else self.server.kubeconfig
        access = resolve_access({"kubeconfig": str(kubeconfig)}, {"HOME": "/nonexistent"})
        return ClusterClient(access, SystemClock(), dry_run=dry_run)

    def follow(self, wanted: Json, user: str = "technician") -> tuple[Step, list[str]]:
        """Take steps towards a policy until it holds; return the last one and what each said, without repetition."""
        deadline = time.monotonic() + SECONDS
        said: list[str] = []
        while True:
            state = self._step(wanted, user)
            if state and said[-1:] != [state.sentence]:
                said.append(state.sentence)
            if state and state.done:
                return state, said
            if time.monotonic() > deadline:
                raise AssertionError(f"not there after {SECONDS} s: {said}")
            time.sleep(0.3)

    def _step(self, wanted: Json, user: str) -> Step | None:
        """Take one step; None where the operator was faster than our write, which every wait goes through."""
        with self.client(user) as client:
            try:
                return policy_step(client, wanted)
            except ApiError as error:
                if not error.transient:
                    raise
                return None

    def wait_for(self, mode: str) -> Json:
        """Wait until the operator says this mode of skew enforcement, and return the MachineConfiguration."""

        def said(found: Json) -> bool:
            stanza: Json = found.get("status", {}).get("bootImageSkewEnforcementStatus", {})
            return stanza.get("mode") == mode

        return self._wait(CONFIGURATION, said)

    def wait_upgradeable(self, status: str) -> Json:
        """Wait until the ClusterOperator machine-config says so of Upgradeable, and return the condition."""

        def condition(found: Json) -> Json:
            return next(one for one in found["status"]["conditions"] if one["type"] == "Upgradeable")

        path = f"{CONFIG}/clusteroperators/machine-config"
        return condition(self._wait(path, lambda found: bool(condition(found)["status"] == status)))

    def _wait(self, path: str, holds: t.Callable[[Json], bool]) -> Json:
        deadline = time.monotonic() + SECONDS
        while True:
            found = self.rest.get(path)
            if holds(found):
                return found
            if time.monotonic() > deadline:
                raise AssertionError(f"not there after {SECONDS} s: {found}")
            time.sleep(0.3)

    @property
    def spec(self) -> Json:
        """What the MachineConfiguration says about boot images."""
        found: Json = self.rest.get(CONFIGURATION)["spec"]
        return {key: found[key] for key in ("managedBootImages", "bootImageSkewEnforcement") if key in found}


def entry(mode: str, resource: str = "machinesets", **partial: t.Any) -> Json:
    """Return a machine manager as the API has it."""
    return {"resource": resource, "apiGroup": "machine.openshift.io", "selection": {"mode": mode, **partial}}
