# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A site whose cluster is on its way to the release of a bundle, as objects of a real API server without hosts.

What the operators of OpenShift report is planted here in the words of the real ones.
"""

from __future__ import annotations

import contextlib
import json
import typing as t
from collections.abc import Iterator
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.dynamic_client import USER_AGENT
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_record import ROLLOUT_ANNOTATION
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.pause_record import (
    PAUSE_ANNOTATION,
    REQUIRED_LABEL,
)
from ansible_collections.fieldops.openshift.tests.integration.node_images.bundles import WrittenBundle
from ansible_collections.fieldops.openshift.tests.integration.site_phases.played_site import (
    CONFIG,
    CONFIG_MAPS,
    MACHINE_CONFIGURATION,
    NODES,
    POOLS,
    VERSION,
    PlayedSite,
)
from ansible_collections.fieldops.openshift.tests.lab.actors.actor import now
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_daemon import CURRENT, DESIRED, STATE
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_operator import (
    machine_config_operator,
    reboot_objects,
)
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.machine_config.first_state import settle_node
from ansible_collections.fieldops.openshift.tests.lab.rest import Json
from ansible_collections.fieldops.openshift.tests.lab.seed.cluster import release_image
from ansible_collections.fieldops.openshift.tests.lab.seed.conditions import condition
from ansible_collections.fieldops.openshift.tests.lab.seed.healthy import healthy_cluster, plant
from ansible_collections.fieldops.openshift.tests.lab.seed.machine_configs import (
    ROLE_LABEL,
    machine_configs,
    rendered_name,
)

OLD, NEW, OTHER = "4.21.3", "4.21.5", "4.21.4"
OPERATORS = f"{CONFIG}/clusteroperators"
MACHINE_CONFIG_NODES = f"{MACHINE_CONFIGURATION}/machineconfignodes"
SETS = f"{MACHINE_CONFIGURATION}/pinnedimagesets"
RENDERED = "machineconfiguration.openshift.io/machineconfigs"
LAST_OPERATOR = "machine-config"


class PhaseSite(PlayedSite):
    """A cluster of some nodes whose operators do what a test lets them do."""

    def __init__(
        self, server: ApiServer, bundle: WrittenBundle, folder: Path, *, control_plane: int, workers: int
    ) -> None:
        super().__init__(server, bundle, folder)
        for name in [one["metadata"]["name"] for one in self.journals()] + ["accepted-bundles"]:
            if self.rest.exists(f"{CONFIG_MAPS}/{name}"):
                self.rest.delete(f"{CONFIG_MAPS}/{name}")
        cleared = (f"{CONFIG}/clusterversions", OPERATORS, POOLS, MACHINE_CONFIG_NODES, SETS, NODES)
        plant(self.rest, healthy_cluster(OLD, control_plane=control_plane, workers=workers), cleared=cleared)
        self.rest.merge(f"{POOLS}/master", {"metadata": {"labels": {REQUIRED_LABEL: ""}}})

    def begin_release(self) -> None:
        """Let all operators be at the next release but the last, which has rendered nothing yet.

        As the cluster-version-operator reports it (its pkg/cvo/status.go, updateClusterVersionStatus).
        """
        cluster = self.rest.merge(VERSION, {"spec": {"desiredUpdate": self.request}})
        begun = {"state": "Partial", "startedTime": "2026-11-21T22:05:00Z", "completionTime": None, "verified": True}
        history = [{**begun, **self.request}, *cluster["status"]["history"]]
        self._report(desired=self.request, history=history, observedGeneration=cluster["metadata"]["generation"])
        self._say(condition("Progressing", True, "", f"Working towards {NEW}: waiting on {LAST_OPERATOR}"))
        for operator in self.rest.get(OPERATORS)["items"]:
            if operator["metadata"]["name"] != LAST_OPERATOR:
                self._bring_operator(operator["metadata"]["name"])

    def begin_another_release(self) -> None:
        """Let the cluster be on its way to a release that is not the bundle's."""
        self.request, ours = {"image": release_image(OTHER), "version": OTHER}, self.request
        self.begin_release()
        self.request = ours

    def fail_for_nodes(self) -> None:
        """Let the last operator have waited for more than 40 minutes for a required pool that is paused.

        In the words of machine-config-operator, pkg/operator/sync.go, syncRequiredMachineConfigPools, and of
        cluster-version-operator, pkg/cvo/status.go, convertErrorToProgressing.
        """
        paused = "error required MachineConfigPool master is paused and cannot sync until it is unpaused"
        degraded = condition("Degraded", True, "RequiredPoolsFailed", f"Failed to resync {NEW} because: {paused}")
        found = self.rest.get(f"{OPERATORS}/{LAST_OPERATOR}")["status"]["conditions"]
        said = {"conditions": [degraded if one["type"] == "Degraded" else one for one in found]}
        self.rest.merge(f"{OPERATORS}/{LAST_OPERATOR}/status", {"status": said})
        exceeded = f"Unable to apply {NEW}: wait has exceeded 40 minutes for these operators: {LAST_OPERATOR}"
        reason = "ClusterOperatorDegraded"
        self._say(condition("Progressing", True, reason, exceeded))
        self._say(condition("Failing", True, reason, f"Cluster operator {LAST_OPERATOR} is degraded"))

    def degrade(self, operator: str, since: str) -> None:
        """Let an operator be degraded since some time."""
        degraded = {**condition("Degraded", True, "Failed", "gathering fails"), "lastTransitionTime": since}
        found = self.rest.get(f"{OPERATORS}/{operator}")["status"]["conditions"]
        said = [degraded if one["type"] == "Degraded" else one for one in found]
        self.rest.merge(f"{OPERATORS}/{operator}/status", {"status": {"conditions": said}})

    def complete(self) -> None:
        """Let the last operator report the release and the release be complete."""
        self._bring_operator(LAST_OPERATOR)
        begun, *earlier = self.rest.get(VERSION)["status"]["history"]
        self._report(history=[{**begun, "state": "Completed", "completionTime": now()}, *earlier])
        self._say(condition("Failing", False, ""))
        self._say(condition("Progressing", False, "", f"Cluster version is {NEW}"))

    def render(self, *pools: str, version: str = NEW) -> None:
        """Let pools have the configuration of the next release, or another one, which no node of them has."""
        for pool in pools:
            self.rest.apply_all(machine_configs(pool, version)[-1:])
            self.rest.merge(f"{POOLS}/{pool}", {"spec": {"configuration": {"name": rendered_name(pool, version)}}})
            waiting = [condition("Updated", False, ""), condition("Updating", False, "")]
            status = {"updatedMachineCount": 0, "readyMachineCount": 0, "conditions": waiting}
            self.rest.merge(f"{POOLS}/{pool}/status", {"status": status})
            self.see(pool)

    def finish_pool(self, pool: str) -> None:
        """Let all nodes of a pool have been updated just now."""
        updated = {**condition("Updated", True, ""), "lastTransitionTime": now()}
        self.rest.merge(f"{POOLS}/{pool}/status", {"status": {"updatedMachineCount": 1, "conditions": [updated]}})

    def pause(self, *pools: str, rollout: str = "") -> None:
        """Pause pools as this collection does, in a rollout of that name or outside of any."""
        record = {"schemaVersion": 1, "paused": True, "at": "2026-11-21T22:04:00.000000Z", "by": "system:admin"}
        record["rollout"] = rollout
        for pool in pools:
            notes = {PAUSE_ANNOTATION: json.dumps(record)}
            self.rest.merge(f"{POOLS}/{pool}", {"metadata": {"annotations": notes}, "spec": {"paused": True}})
            self.see(pool)

    def record(self, node: str, phase: str) -> None:
        """Let a node carry the record of this update in a phase, as this collection leaves it there."""
        record = {"schemaVersion": 1, "phase": phase, "since": "2026-11-21T22:04:00.000000Z", "rollout": self.rollout}
        notes = {ROLLOUT_ANNOTATION: json.dumps(record)}
        self.rest.merge(f"{NODES}/{node}", {"metadata": {"annotations": notes}})

    def see(self, pool: str) -> None:
        """Let the operator have seen the pool as it is now."""
        generation = self.rest.get(f"{POOLS}/{pool}")["metadata"]["generation"]
        self.rest.merge(f"{POOLS}/{pool}/status", {"status": {"observedGeneration": generation}})

    def bring(self, node: str) -> None:
        """Let a node have been taken to the next release."""
        settle_node(self.rest, node, self._target(node))

    @contextlib.contextmanager
    def operator(self) -> Iterator[None]:
        """Let the machine-config operator's controller work, and its daemons."""
        with machine_config_operator(self._server, reboot_objects(self.rest)):
            yield

    def is_told(self, name: str, version: str = NEW) -> bool:
        """Whether the daemon of a node has been told to go to the next release, or another one."""
        return bool(self.node(name)["metadata"]["annotations"][DESIRED] == self._target(name, version))

    def is_done(self, name: str) -> bool:
        """Whether the daemon of a node has brought it to the next release."""
        notes = self.node(name)["metadata"]["annotations"]
        return (notes[CURRENT], notes[STATE]) == (self._target(name), "Done")

    def times_read(self, pool: str, version: str) -> int:
        """Return how often plays have read the configuration of a pool that was rendered for a release."""
        read = self._server.audit.requests(verb="get", resource=RENDERED)
        return sum(one.name == rendered_name(pool, version) and one.user_agent == USER_AGENT for one in read)

    def pinned(self, pool: str) -> set[str]:
        """Return the images that the nodes of a pool are to keep by PinnedImageSets."""
        sets = self.rest.get(SETS, labelSelector=f"{ROLE_LABEL}={pool}")["items"]
        return {image["name"] for one in sets for image in one["spec"]["pinnedImages"]}

    def _bring_operator(self, name: str) -> None:
        reported = {"versions": [{"name": "operator", "version": NEW}]}
        self.rest.merge(f"{OPERATORS}/{name}/status", {"status": reported})

    def _say(self, said: Json) -> None:
        kept = [said if one["type"] == said["type"] else one for one in self.rest.get(VERSION)["status"]["conditions"]]
        self._report(conditions=kept)

    def _report(self, **status: t.Any) -> None:
        cluster = self.rest.get(VERSION)
        # A merge patch would take the time of completion away, which has to be there as null.
        whole = {**cluster, "status": {**cluster["status"], **status}}
        self.rest.request("PUT", f"{VERSION}/status", whole, "application/json")

    def _target(self, node: str, version: str = NEW) -> str:
        return rendered_name(node.partition("-")[0], version)
