# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A standing lab says how to look around in it, and every line of that works."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import typing as t
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.lab.cache import cache_root

MODULE = "ansible_collections.fieldops.openshift.tests.lab"
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="node hosts need root")


@pytest.fixture
def name() -> Iterator[str]:
    """A name for a lab, which is taken down afterwards."""
    name = f"test-{uuid.uuid4().hex[:8]}"
    yield name
    lab("down", "--name", name)


def test_one_lab_of_a_name_stands_until_it_is_taken_down(name: str) -> None:
    assert lab("status", "--name", name).returncode == 1
    assert lab("up", "--profile", "api", "--name", name).returncode == 0
    assert "it is up" in lab("up", "--profile", "api", "--name", name).stderr
    found = described(name)
    assert Path(found["kubeconfig"]).exists()
    assert lab("down", "--name", name).returncode == 0
    assert lab("status", "--name", name).returncode == 1
    assert not Path(found["directory"]).exists()


def test_a_lab_whose_keeper_was_killed_is_gone_and_can_be_started_again(name: str) -> None:
    lab("up", "--profile", "api", "--name", name)
    found = described(name)
    os.kill(found["pid"], signal.SIGKILL)
    deadline = time.monotonic() + 15
    while Path(found["directory"]).exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not Path(found["directory"]).exists()
    assert lab("status", "--name", name).returncode == 1
    assert lab("down", "--name", name).returncode == 0
    assert not (cache_root() / f"{name}.lab.json").exists()
    assert lab("up", "--profile", "api", "--name", name).returncode == 0


def test_a_command_cannot_be_run_in_a_lab_without_a_network(name: str) -> None:
    lab("up", "--profile", "api", "--name", name)
    assert "no lab with hosts is up" in lab("run", "--name", name, "--", "true").stderr


@needs_root
def test_every_line_of_the_explanation_can_be_pasted(name: str) -> None:
    up = lab("up", "--control-plane", "1", "--workers", "1", "--registry", "--name", name)
    assert up.returncode == 0, up.stderr
    first, *lines = up.stdout.splitlines()
    assert first.startswith(f"lab '{name}' is up at https://127.0.0.1:")
    pasted = subprocess.run(
        ["bash", "-exc", "\n".join(lines)], input="hostname", capture_output=True, text=True, check=False, timeout=120
    )
    assert pasted.returncode == 0, pasted.stderr
    for seen in ("worker-0   Ready", "CONTAINER "):
        assert seen in pasted.stdout
    assert lab("status", "--name", name).returncode == 1


@needs_root
def test_what_runs_in_the_lab_finds_cluster_hosts_and_registry(name: str) -> None:
    lab("up", "--control-plane", "1", "--workers", "0", "--registry", "--name", name)
    found = described(name)
    conf = Path(found["environment"]["CONTAINERS_REGISTRIES_CONF"]).read_text()
    registry = next(line.split('"')[1].partition("/")[0] for line in conf.splitlines() if ":5000" in line)
    tags = f"https://{registry}/v2/openshift-release-dev/ocp-release/tags/list"
    trusted = found["environment"]["SSL_CERT_FILE"]
    listed = lab("run", "--name", name, "--", "curl", "--silent", "--show-error", "--cacert", trusted, tags)
    assert listed.returncode == 0, listed.stderr
    assert json.loads(listed.stdout)["tags"]
    logins = json.loads(Path(found["environment"]["REGISTRY_AUTH_FILE"]).read_text())
    assert registry in logins["auths"]
    ansible = str(Path(sys.executable).with_name("ansible"))
    assert "master-0 | SUCCESS" in lab("run", "--name", name, "--", ansible, "masters", "-m", "ping").stdout


def described(name: str) -> dict[str, t.Any]:
    found: dict[str, t.Any] = json.loads(lab("status", "--name", name).stdout)
    return found


def lab(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", MODULE, *words], capture_output=True, text=True, check=False)
