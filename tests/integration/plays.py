# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Plays as a user runs them: ansible-playbook in a process of its own, its output and the task's result."""

from __future__ import annotations

import json
import os
import typing as t
from dataclasses import dataclass
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.integration.play_processes import Play, start_ansible_playbook

COLLECTIONS = Path(__file__).resolve().parents[5]
CALLBACKS = Path(__file__).with_name("callback")


@dataclass(frozen=True)
class PlayRun:
    """What a play came to: ``output`` is all that a person would have seen, ``result`` what came of the task."""

    output: str
    result: dict[str, t.Any]
    seconds: float = 0.0


def write_play(folder: Path, task: dict[str, t.Any]) -> Path:
    """Write a play of one task, which may fail, and return its path; ``callback/keep_result.py`` keeps the result."""
    play = {
        "hosts": "localhost",
        "gather_facts": False,
        "connection": "local",
        "vars": {"ansible_python_interpreter": "{{ ansible_playbook_python }}"},
        "tasks": [{"name": "Task under test", **task, "ignore_errors": True}],
    }
    path = folder / "play.yml"
    path.write_text(json.dumps([play]))
    return path


def environment_for(folder: Path, extra: t.Mapping[str, str]) -> dict[str, str]:
    """Return an environment in which only what the test gives reaches the play."""
    own = {name: value for name, value in os.environ.items() if not name.startswith(("ANSIBLE_", "K8S_AUTH_", "KUBE"))}
    return {
        **own,
        "ANSIBLE_CALLBACK_PLUGINS": str(CALLBACKS),
        "ANSIBLE_COLLECTIONS_PATH": str(COLLECTIONS),
        "ANSIBLE_DIFF_ALWAYS": "true",
        "ANSIBLE_HOME": str(folder / "ansible"),
        "ANSIBLE_LOCALHOST_WARNING": "false",
        "ANSIBLE_NOCOLOR": "true",
        "FIELDOPS_RESULT": str(folder / "result.json"),
        "XDG_CACHE_HOME": str(folder / "cache"),
        **extra,
    }


def start_play(folder: Path, task: dict[str, t.Any], *words: str, **environment: str) -> Play:
    """Start a play of one task; ``words`` are further arguments of ansible-playbook."""
    command = ["-i", "localhost,", *words, str(write_play(folder, task))]
    return start_ansible_playbook(command, environment_for(folder, environment))


def finish_play(folder: Path, play: Play, seconds: float = 300) -> PlayRun:
    """Wait for a started play, at most so many seconds, and return what it came to."""
    output, _unused = play.communicate(timeout=seconds)
    assert play.returncode == 0, output
    assert "WARNING" not in output, output
    return PlayRun(output=output, result=json.loads((folder / "result.json").read_text()))


def run_play(folder: Path, task: dict[str, t.Any], *words: str, **environment: str) -> PlayRun:
    """Run a play of one task to its end."""
    return finish_play(folder, start_play(folder, task, *words, **environment))
