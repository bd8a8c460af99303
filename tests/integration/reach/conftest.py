# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A lab whose nodes are reached through the API alone, and plays that go that way."""

from __future__ import annotations

import functools
import json
import os
import subprocess
import typing as t
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration import shipped_rights
from ansible_collections.fieldops.openshift.tests.integration.play_processes import BINARIES
from ansible_collections.fieldops.openshift.tests.integration.plays import environment_for
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
from ansible_collections.fieldops.openshift.tests.lab.node.images import pause_image

Tasks = list[dict[str, t.Any]]


@dataclass
class PlayOutcome:
    """What a person saw, what ``result`` a task registered as ``seen`` last left, and how the play ended."""

    output: str
    result: dict[str, t.Any]
    status: int


@dataclass
class Site:
    """The lab and a folder in which plays against it are run, with helper pods of ``run``."""

    lab: Lab
    folder: Path
    run: str
    variables: dict[str, t.Any] = field(default_factory=dict)

    def play(self, tasks: Tasks, *words: str, hosts: str = "worker-0", **variables: t.Any) -> PlayOutcome:
        """Run ``tasks`` on ``hosts`` by way of their pods and return what came of it."""
        kept = self.folder / "result.json"
        kept.unlink(missing_ok=True)
        content = {"content": "{{ seen | to_json }}", "dest": str(kept), "mode": "0600"}
        keep = {"ansible.builtin.copy": content, "delegate_to": "localhost", "check_mode": False}
        play = {"hosts": hosts, "gather_facts": False, "tasks": [*tasks, {**keep, "when": "seen is defined"}]}
        (self.folder / "play.yml").write_text(json.dumps([play]))
        self._write_inventory(variables)
        command = [str(BINARIES / "ansible-playbook"), "-i", "inventory.json", *words, "play.yml"]
        ended = subprocess.run(
            command,
            cwd=self.folder,
            env=environment_for(self.folder, {}),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=300,
        )
        result = json.loads(kept.read_text()) if kept.exists() else {}
        return PlayOutcome(ended.stdout, result, ended.returncode)

    def _write_inventory(self, variables: dict[str, t.Any]) -> None:
        by_pod = {
            "ansible_connection": "fieldops.openshift.node_pod",
            "ansible_node_pod_kubeconfig": str(self.lab.api.kubeconfig),
            "ansible_node_pod_image": pause_image().name,
            "ansible_node_pod_run": self.run,
            "ansible_python_interpreter": "/usr/bin/python3",
            **self.variables,
            **variables,
        }
        here = {"ansible_connection": "local", "ansible_python_interpreter": "{{ ansible_playbook_python }}"}
        nodes = {"hosts": {name: {} for name in self.lab.hosts}, "vars": by_pod}
        document = {"all": {"hosts": {"localhost": here}, "children": {"nodes": nodes}}}
        (self.folder / "inventory.json").write_text(json.dumps(document))


@pytest.fixture(scope="package")
def reached_lab() -> Iterator[Lab]:
    """A control-plane node and two workers; needs root, because hosts have namespaces, mounts and control groups."""
    if os.geteuid():
        pytest.skip("node hosts need root")
    with Lab(control_plane=1, workers=2, users={"technician": [], "stranger": []}) as made:
        yield made


@pytest.fixture
def site(reached_lab: Lab, tmp_path: Path) -> Site:
    """The lab, reached with the pods that all tests of this package share."""
    return Site(reached_lab, tmp_path, "tests")


@pytest.fixture
def grant(reached_lab: Lab) -> Callable[[str, str], None]:
    """Give a user one of the shipped roles."""
    return functools.partial(shipped_rights.grant, reached_lab.api.rest)
