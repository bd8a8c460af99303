# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A play that is forked from a server is what the program ansible-playbook makes of it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.lab.waiting import wait_for
from ansible_collections.fieldops.openshift.tests.integration.play_processes import (
    PROGRAM,
    run_ansible_playbook,
    start_ansible_playbook,
)
from ansible_collections.fieldops.openshift.tests.integration.plays import environment_for

SETTINGS = ("ANSIBLE_HOME", "COLLECTIONS_PATHS", "DEFAULT_CALLBACK_PLUGIN_PATH", "DEFAULT_FORKS", "HOST_KEY_CHECKING")
TOLD = {
    "settings": {name: f"{{{{ lookup('ansible.builtin.config', '{name}', on_missing='skip') }}}}" for name in SETTINGS},
    "environment": "{{ lookup('ansible.builtin.env', 'HOME', 'FIELDOPS_SAID', 'PATH') }}",
    "interpreter": "{{ ansible_playbook_python }}",
    "folder": "{{ lookup('ansible.builtin.pipe', 'pwd') }}",
}
TASKS: list[dict[str, t.Any]] = [
    {"name": "Tell", "ansible.builtin.debug": {"msg": TOLD}},
    {"name": "Pack", "ansible.builtin.command": "echo {{ said }}"},
    {"name": "Fail", "ansible.builtin.fail": {"msg": "as it should"}, "when": "said == 'no'"},
]
DIFFERENT = re.compile(r'"(start|end|delta)": "[^"]*"|\d\d:\d\d:\d\d\.\d+')


@pytest.fixture
def play(tmp_path: Path) -> Path:
    return written(tmp_path, TASKS)


def written(folder: Path, tasks: list[dict[str, t.Any]]) -> Path:
    path = folder / "play.yml"
    here = {"connection": "local", "vars": {"ansible_python_interpreter": "{{ ansible_playbook_python }}"}}
    path.write_text(json.dumps([{"hosts": "localhost", "gather_facts": False, **here, "tasks": tasks}]))
    return path


WORDS: dict[str, tuple[list[str], int]] = {
    "all is well": (["-e", "said=yes", "-v"], 0),
    "a task fails": (["-e", "said=no"], 2),
    "wrong words": (["--forks", "many"], 2),
}


@pytest.mark.parametrize(("words", "status"), WORDS.values(), ids=WORDS)
def test_both_show_the_same_and_end_alike(play: Path, tmp_path: Path, words: list[str], status: int) -> None:
    environment = environment_for(tmp_path, {"FIELDOPS_SAID": "something", "ANSIBLE_FORKS": "7"})
    command = ["-i", "localhost,", *words, str(play)]
    forked = run_ansible_playbook(command, environment, tmp_path)
    program = subprocess.run(
        [PROGRAM, *command],
        env=environment,
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert DIFFERENT.sub("", forked.stdout) == DIFFERENT.sub("", program.stdout)
    assert (forked.returncode, program.returncode) == (status, status)
    assert not list((tmp_path / "ansible/tmp").glob("*")), "both leave nothing behind"


def test_a_killed_play_says_so_and_the_next_one_runs(tmp_path: Path) -> None:
    begun, over = tmp_path / "begun", tmp_path / "over"
    waiting = f"sh -c 'touch {begun}; until [ -e {over} ]; do sleep 0.1; done'"
    slow = written(tmp_path, [{"name": "Wait", "ansible.builtin.command": waiting}])
    killed = start_ansible_playbook(["-i", "localhost,", str(slow)], environment_for(tmp_path, {}))
    wait_for(begun.exists, 60)
    assert killed.poll() is None
    os.killpg(killed.pid, signal.SIGKILL)
    over.touch()  # ansible-core gives modules a session of their own
    killed.communicate(60)
    assert killed.returncode == -signal.SIGKILL
    quick = written(tmp_path, [{"name": "Pass", "ansible.builtin.meta": "noop"}])
    assert run_ansible_playbook(["-i", "localhost,", str(quick)], environment_for(tmp_path, {})).returncode == 0
