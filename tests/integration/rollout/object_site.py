# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Rollouts by the machine-config operator: real API and controller, nodes without hosts, an actor as their daemons."""

from __future__ import annotations

import contextlib
import json
import subprocess
import threading
import typing as t
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.integration.modules.change_sites import assignments
from ansible_collections.fieldops.openshift.tests.integration.play_processes import Play, start_ansible_playbook
from ansible_collections.fieldops.openshift.tests.integration.plays import environment_for
from ansible_collections.fieldops.openshift.tests.integration.rollout.roll import NAMESPACE, wait_for
from ansible_collections.fieldops.openshift.tests.integration.shipped_rights import grant
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_node import NODES as MACHINE_CONFIG_NODES
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_operator import (
    machine_config_operator,
    reboot_objects,
)
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.errors import LabApiError
from ansible_collections.fieldops.openshift.tests.lab.rest import Json
from ansible_collections.fieldops.openshift.tests.lab.seed.healthy import healthy_cluster, plant
from ansible_collections.fieldops.openshift.tests.lab.seed.machine_configs import machine_configs, rendered_name

POOLS = "/apis/machineconfiguration.openshift.io/v1/machineconfigpools"
DAEMON = "machineconfiguration.openshift.io/"
TECHNICIAN = "technician"
OLD, NEW = "4.21.3", "4.21.5"


def start_cluster() -> ApiServer:
    """Start an API server on which the technician has the rights that are shipped, and no others."""
    server = ApiServer.start_openshift(users={TECHNICIAN: []})
    grant(server.rest, TECHNICIAN, "rollout.yml", "change-management-reader.yml", "cluster-health-reader.yml")
    return server


WAITS = '"fieldops_ending": "waits_for_window"'
"""What the output of a run has that ended because change is restricted."""


class ObjectSite:
    """A healthy cluster of one control-plane node and two workers, whose workers are to get another configuration."""

    def __init__(self, server: ApiServer, folder: Path, name: str) -> None:
        self._server = server
        self.rest = server.rest
        self.name = name
        self.reboots: list[str] = []
        self._folder = folder
        self._kubeconfig = server.kubeconfig_for(TECHNICIAN)
        # Journals of earlier rollouts say how long nodes took.
        cleared = (POOLS, "/api/v1/nodes", MACHINE_CONFIG_NODES, f"/api/v1/namespaces/{NAMESPACE}/configmaps")
        plant(self.rest, healthy_cluster(OLD, control_plane=1, workers=2), cleared=cleared)
        self.window(permitted=True)
        self.pause("worker")
        self.give_next("worker")

    def give_next(self, pool: str) -> None:
        """Let a pool have another configuration."""
        self.rest.apply_all(machine_configs(pool, NEW)[-1:])
        self._change(pool, {"spec": {"configuration": {"name": rendered_name(pool, NEW)}}})

    def pause(self, pool: str, *, paused: bool = True) -> None:
        """Pause a pool, as its owner would with a mark of ours: nobody else's pause is opened."""
        record = {"schemaVersion": 1, "paused": paused, "at": "2026-11-20T08:00:00.000000Z", "by": TECHNICIAN}
        notes = {"fieldops-openshift/pause": json.dumps(record)}
        self._change(pool, {"metadata": {"annotations": notes}, "spec": {"paused": paused}})

    def _change(self, pool: str, change: Json) -> None:
        """Change a pool, which its operator then has seen."""
        changed = self.rest.merge(f"{POOLS}/{pool}", change)
        seen = {"observedGeneration": changed["metadata"]["generation"]}
        self.rest.merge(f"{POOLS}/{pool}/status", {"status": seen})

    @contextlib.contextmanager
    def operator(self, seconds: float = 0.2, held_until: Callable[[], bool] | None = None) -> Iterator[None]:
        """Let the operator work; a reboot takes ``seconds``, and does not begin before ``held_until`` is true."""
        restart = reboot_objects(self.rest, seconds)

        def reboot(name: str) -> None:
            self.reboots.append(name)
            if held_until is None:
                restart(name)
            else:
                threading.Thread(target=hold, args=[held_until, name], daemon=True).start()

        def hold(condition: Callable[[], bool], name: str) -> None:
            wait_for(condition, f"{name} may reboot", 300)
            restart(name)

        with machine_config_operator(self._server, reboot):
            yield

    def window(self, *, permitted: bool) -> None:
        """Open or close the window of all pools, for a play that is running as well."""
        strategy = "Permissive" if permitted else "Restrictive"
        self.rest.apply(assignments(master=strategy, worker=strategy))

    def start(self, way: str, *words: str, playbook: str = "roll_nodes", **variables: t.Any) -> Play:
        """Start a play, with short times to wait."""
        known = {
            "site_rollout": self.name,
            "site_pools": ["worker"],
            "site_node_change": way,
            "roll_nodes_pool_timeout": 120,
            "roll_nodes_settle": "never",
            **variables,
        }
        environment = {"K8S_AUTH_KUBECONFIG": str(self._kubeconfig), "ANSIBLE_SHOW_CUSTOM_STATS": "true"}
        command = [*words, f"fieldops.openshift.{playbook}", "-e", json.dumps(known)]
        return start_ansible_playbook(command, environment_for(self._folder, environment), self._folder)

    def run(self, way: str, *words: str, **variables: t.Any) -> subprocess.CompletedProcess[str]:
        """Run the play to its end."""
        return finish(self.start(way, *words, **variables))

    def kill_when(self, moment: str, has_come: Callable[[], bool], way: str, **variables: t.Any) -> None:
        """Run the play and kill it, without any warning, as soon as ``has_come`` says so."""
        process = self.start(way, **variables)
        try:
            wait_for(lambda: has_come() or process.poll() is not None, moment)
            ended = process.poll()
        finally:
            process.kill()
            output = process.communicate()[0]
        assert ended is None, f"the play ended before the moment that was waited for ({moment}):\n{output}"

    def node(self, name: str) -> Mapping[str, t.Any]:
        """Return a Node object."""
        return self.rest.get(f"/api/v1/nodes/{name}")

    def pool(self, name: str = "worker") -> Mapping[str, t.Any]:
        """Return a pool."""
        return self.rest.get(f"{POOLS}/{name}")

    def pause_record(self, name: str = "worker") -> dict[str, t.Any]:
        """Return what was written last on a pool, with whether it is paused now."""
        found = self.pool(name)
        text = (found["metadata"].get("annotations") or {}).get("fieldops-openshift/pause", "{}")
        return {**json.loads(text), "now": bool(found["spec"].get("paused"))}

    def has_config(self, name: str, version: str = NEW) -> bool:
        """Whether a node has the configuration of a version, and its daemon is done."""
        notes: dict[str, str] = self.node(name)["metadata"]["annotations"]
        wanted = rendered_name(name.partition("-")[0], version)
        return notes[f"{DAEMON}currentConfig"] == wanted and notes[f"{DAEMON}state"] == "Done"

    def is_paused(self) -> bool:
        """Whether the operator begins no further worker."""
        return bool(self.pool()["spec"].get("paused"))

    def is_schedulable(self, name: str) -> bool:
        """Whether new pods may be placed on a node."""
        return not self.node(name)["spec"].get("unschedulable")

    def journal(self) -> dict[str, dict[str, t.Any]]:
        """Return the journal's entries by node."""
        try:
            found = self.rest.get(f"/api/v1/namespaces/{NAMESPACE}/configmaps/rollout-{self.name}")
        except LabApiError as error:
            if error.status != 404:
                raise
            return {}
        nodes = ("master", "worker", "infra")
        return {name: json.loads(text) for name, text in found["data"].items() if name.startswith(nodes)}


def finish(process: Play) -> subprocess.CompletedProcess[str]:
    """Wait for a started play."""
    output, _unused = process.communicate(timeout=900)
    return subprocess.CompletedProcess(process.args, process.returncode or 0, output)
