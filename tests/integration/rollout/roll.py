# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A rollout on the lab's hosts as a person runs it, and as the cluster shows it from outside."""

from __future__ import annotations

import json
import os
import subprocess
import time
import typing as t
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.integration.play_processes import BINARIES
from ansible_collections.fieldops.openshift.tests.integration.plays import environment_for
from ansible_collections.fieldops.openshift.tests.lab.errors import LabApiError
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
from ansible_collections.fieldops.openshift.tests.lab.node.images import pause_image
from ansible_collections.fieldops.openshift.tests.lab.seed import workloads

ANNOTATION = "fieldops-openshift/rollout"
NAMESPACE = "fieldops-openshift"
PLAYBOOK = "fieldops.openshift.roll_nodes"
WAIT_SECONDS = 120.0
PLAY_SECONDS = 2400.0  # three nodes one after another on a machine that many share
SLOW_END = "trap 'sleep 2; exit 0' TERM; while true; do sleep 1000 & wait $!; done"


class Rollout:
    """One rollout of ``nodes``: its play, started, awaited or killed, and what the API and the hosts say of it."""

    def __init__(self, lab: Lab, folder: Path, name: str, *, nodes: Sequence[str], **variables: t.Any) -> None:
        self.lab = lab
        self.name = name
        self._folder = folder
        self._nodes = list(nodes)
        self._variables = {"site_rollout": name, "site_rollout_target": f"for {name}", "site_nodes": self._nodes}
        self._variables.update(variables)

    def start(self, *words: str, playbook: str = PLAYBOOK, **variables: t.Any) -> subprocess.Popen[str]:
        """Start the play in the lab's network, in a session of its own."""
        known = json.dumps({**self._variables, **variables})
        command = self.lab.command([BINARIES / "ansible-playbook", *words, playbook, "-e", known])
        path = f"{BINARIES}:{os.environ['PATH']}"
        return subprocess.Popen(
            command,
            env=environment_for(self._folder, {**self.lab.environment, "PATH": path}),
            cwd=self._folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def run(self, *words: str, playbook: str = PLAYBOOK, **variables: t.Any) -> subprocess.CompletedProcess[str]:
        """Run the play to its end."""
        process = self.start(*words, playbook=playbook, **variables)
        output, _unused = process.communicate(timeout=PLAY_SECONDS)
        return subprocess.CompletedProcess(process.args, process.returncode, output)

    def kill_when(self, moment: str, has_come: Callable[[], bool]) -> None:
        """Run the play and kill it, without any warning, as soon as ``has_come`` says so."""
        process = self.start()
        try:
            wait_for(lambda: has_come() or process.poll() is not None, f"{moment}, rollout {self.name}")
            ended = process.poll()
        finally:
            # Its tasks may run in processes of their own, which outlive it as they would on a controller.
            process.kill()
            output = process.communicate()[0]
        assert ended is None, f"the play ended before the moment that was waited for ({moment}):\n{output}"

    def clear(self) -> None:
        """Take away what this rollout may have left on its nodes."""
        for name in self._nodes:
            cleared = {"metadata": {"annotations": {ANNOTATION: None}}, "spec": {"unschedulable": None}}
            self.lab.api.rest.merge(f"/api/v1/nodes/{name}", cleared)

    def node(self, name: str) -> Mapping[str, t.Any]:
        """Return a Node object."""
        return self.lab.api.rest.get(f"/api/v1/nodes/{name}")

    def record(self, name: str) -> dict[str, t.Any]:
        """Return what this rollout wrote on a node."""
        text = (self.node(name)["metadata"].get("annotations") or {}).get(ANNOTATION, "{}")
        found: dict[str, t.Any] = json.loads(text)
        return found if found.get("rollout") == self.name else {}

    def phase(self, name: str) -> str:
        """Return the phase that a node is in."""
        return str(self.record(name).get("phase", ""))

    def is_in(self, name: str, phase: str) -> bool:
        """Whether a node is in a phase of this rollout."""
        return self.phase(name) == phase

    def has_gone_down(self, name: str, boots: int) -> bool:
        """Whether a host has gone down more often than ``boots`` times."""
        return self.lab.hosts[name].boots > boots

    def is_schedulable(self, name: str) -> bool:
        """Whether new pods may be placed on a node."""
        return not self.node(name)["spec"].get("unschedulable")

    def boots(self) -> dict[str, int]:
        """Return how often each host of this rollout has gone down."""
        return {name: self.lab.hosts[name].boots for name in self._nodes}

    def holder(self) -> str:
        """Return who holds the lock."""
        lease = self._found("/apis/coordination.k8s.io/v1", "leases/rollout")
        return str((lease.get("spec") or {}).get("holderIdentity") or "")

    def journal(self) -> dict[str, dict[str, t.Any]]:
        """Return the journal's entries by node."""
        content = self._found("/api/v1", f"configmaps/rollout-{self.name}").get("data") or {}
        return {name: json.loads(text) for name, text in content.items() if name in self._nodes}

    def _found(self, root: str, path: str) -> dict[str, t.Any]:
        try:
            return self.lab.api.rest.get(f"{root}/namespaces/{NAMESPACE}/{path}")
        except LabApiError as error:
            if error.status != 404:
                raise
            return {}


def run_slowly_ending_pods(lab: Lab, name: str, replicas: int) -> None:
    """Run pods on the lab's workers that take two seconds to end, so that drains have something to wait for."""
    made = workloads.deployment(name, pause_image().name, replicas=replicas)
    made["spec"]["template"]["spec"]["containers"][0]["command"] = ["/bin/sh", "-c", SLOW_END]
    lab.api.rest.apply(made)
    path = f"/apis/apps/v1/namespaces/default/deployments/{name}"
    wait_for(lambda: lab.api.rest.get(path)["status"].get("readyReplicas") == replicas, f"pods of {name}")


def wait_for(condition: Callable[[], bool], what: str, seconds: float = WAIT_SECONDS) -> None:
    """Wait until ``condition`` holds."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"it did not come to this in {seconds:.0f} s: {what}"
        time.sleep(0.2)
