# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Two plays of one user serve one bundle at the same time: the one that ends first takes nothing from the other."""

from __future__ import annotations

import contextlib
import json
import socket
import typing as t
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from ansible_collections.fieldops.openshift.tests.integration.node_images.nodes import wait_for
from ansible_collections.fieldops.openshift.tests.integration.play_processes import Play, start_ansible_playbook
from ansible_collections.fieldops.openshift.tests.integration.plays import environment_for
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._bundle_files.indexes import (
    simple_bundle,
    write_folder,
)

SERVE = "fieldops.openshift.serve_bundle"


class Plays:
    """Plays that serve one bundle to this machine, and end when they are told."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        index, stored = simple_bundle({"etcd": b"etcd" * 100})
        write_folder(folder / "bundle", index, stored)
        self._given = {
            "serve_bundle_path": str(folder / "bundle"),
            "serve_bundle_index_digest": str(index.digest),
            "serve_bundle_address": "127.0.0.1",
            "serve_bundle_allowed_addresses": ["127.0.0.1"],
        }

    def begin(self, name: str) -> Play:
        """Start a play, and return when it serves."""
        told = "{{ {'token': serve_bundle_token_file, 'url': serve_bundle_relay.url} }}"
        tasks = [
            {"ansible.builtin.include_role": {"name": SERVE}},
            {"ansible.builtin.copy": {"content": told, "dest": str(self.folder / f"{name}.json"), "mode": "0600"}},
            {"ansible.builtin.wait_for": {"path": str(self.folder / f"{name}.end"), "timeout": 120}},
            {"ansible.builtin.include_role": {"name": SERVE, "tasks_from": "stop"}},
        ]
        known = {**self._given, "ansible_python_interpreter": "{{ ansible_playbook_python }}"}
        play = {"hosts": "localhost", "connection": "local", "gather_facts": False, "vars": known, "tasks": tasks}
        path = self.folder / f"{name}.yml"
        path.write_text(json.dumps([play]))
        process = start_ansible_playbook(["-i", "localhost,", path], environment_for(self.folder, {}))
        wait_for(lambda: (self.folder / f"{name}.json").exists(), f"the play {name} serves")
        return process

    def end(self, name: str, play: Play) -> None:
        """Let a play end."""
        (self.folder / f"{name}.end").touch()
        output, _unused = play.communicate(120)
        assert play.returncode == 0, output

    def has_token(self, name: str) -> bool:
        """Whether the secret is there that a play has written down."""
        return Path(self._told(name)["token"]).exists()

    def answers(self, name: str) -> bool:
        """Whether the server of a play accepts connections."""
        url = urlsplit(self._told(name)["url"])
        with contextlib.suppress(ConnectionRefusedError):
            socket.create_connection((url.hostname or "", url.port or 0), timeout=10).close()
            return True
        return False

    def _told(self, name: str) -> dict[str, t.Any]:
        told: dict[str, t.Any] = json.loads((self.folder / f"{name}.json").read_text())
        return told


@pytest.fixture
def plays(tmp_path: Path) -> Plays:
    return Plays(tmp_path)


def test_the_last_play_that_serves_a_bundle_removes_secret_and_server(plays: Plays) -> None:
    first, second = plays.begin("first"), plays.begin("second")
    plays.end("second", second)
    assert plays.has_token("first")
    assert plays.answers("first")
    plays.end("first", first)
    assert not plays.has_token("first")
    assert not plays.answers("first")


def test_a_killed_play_keeps_nothing(plays: Plays) -> None:
    first, second = plays.begin("first"), plays.begin("second")
    first.kill()
    first.communicate(120)
    plays.end("second", second)
    assert not plays.has_token("first")
    assert not plays.answers("first")
