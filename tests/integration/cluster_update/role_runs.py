# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Plays that include a role, with the facts that it leaves."""

from __future__ import annotations

import json
import typing as t
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.integration.play_processes import Play, start_ansible_playbook
from ansible_collections.fieldops.openshift.tests.integration.plays import environment_for

SECONDS = 500


@dataclass(frozen=True)
class RoleRun:
    """What became of a play: ``facts`` by name, None for those that were not set."""

    status: int
    output: str
    facts: dict[str, t.Any]


class RolePlay:
    """One play on localhost that includes ``role``, against the API of ``kubeconfig``."""

    def __init__(self, folder: Path, kubeconfig: Path, role: str, facts: Sequence[str]) -> None:
        self._folder = folder
        self._kubeconfig = kubeconfig
        self._role = role
        self._facts = facts

    def start(self, *words: str, tasks_from: str = "main.yml", **variables: t.Any) -> Play:
        """Start the play; ``words`` are further arguments of ansible-playbook."""
        kept = "{{ {" + ", ".join(f"'{name}': {name} | default(none)" for name in self._facts) + "} }}"
        included = {"name": f"fieldops.openshift.{self._role}", "tasks_from": tasks_from}
        keep = {"content": kept, "dest": str(self._folder / "facts.json"), "mode": "0600"}
        play = {
            "hosts": "localhost",
            "gather_facts": False,
            "connection": "local",
            "vars": {"ansible_python_interpreter": "{{ ansible_playbook_python }}"},
            "module_defaults": {"group/fieldops.openshift.cluster": {"kubeconfig": str(self._kubeconfig)}},
            "tasks": [
                {
                    "block": [{"ansible.builtin.include_role": included, "vars": variables}],
                    "always": [{"ansible.builtin.copy": keep, "check_mode": False, "changed_when": False}],
                }
            ],
        }
        path = self._folder / "role.yml"
        path.write_text(json.dumps([play]))
        return start_ansible_playbook(["-i", "localhost,", *words, path], environment_for(self._folder, {}))

    def run(self, *words: str, tasks_from: str = "main.yml", **variables: t.Any) -> RoleRun:
        """Run the play to its end."""
        process = self.start(*words, tasks_from=tasks_from, **variables)
        output, _unused = process.communicate(timeout=SECONDS)
        facts = self._folder / "facts.json"
        return RoleRun(process.returncode or 0, output, json.loads(facts.read_text()) if facts.exists() else {})


def run_playbook(folder: Path, name: str, **variables: t.Any) -> RoleRun:
    """Run a playbook of this collection on this machine, as a technician does."""
    return run_ansible(folder, f"fieldops.openshift.{name}", **variables)


def run_ansible(folder: Path, *words: str | Path, **variables: t.Any) -> RoleRun:
    """Run ansible-playbook with ``words`` and ``variables`` to its end."""
    process = start_ansible(folder, *words, **variables)
    output, _unused = process.communicate(timeout=SECONDS)
    return RoleRun(process.returncode or 0, output, {})


def start_ansible(folder: Path, *words: str | Path, **variables: t.Any) -> Play:
    """Start ansible-playbook with ``words`` and ``variables``."""
    return start_ansible_playbook([*words, "-e", json.dumps(variables)], environment_for(folder, {}))
