# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A module that talks to the API runs in the task's own process only where that makes no difference but time."""

from __future__ import annotations

import json
import os
import tempfile
import typing as t
from collections.abc import Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.plays import PlayRun, run_play
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.seed.healthy import healthy_cluster, plant

PACKED = "Using module file"
"""What ansible-playbook -vvv says of every module that it packs and starts."""

OPERATORS = "/apis/config.openshift.io/v1/clusteroperators"
TEMPLATE = "{{ lookup('ansible.builtin.env', 'HOME') }}"
NOT_AT_HOME: dict[str, dict[str, t.Any]] = {
    "switched off": {"vars": {"fieldops_direct_execution": False}},
    "another interpreter": {"vars": {"ansible_python_interpreter": "/usr/bin/env python3"}},
    "an environment of its own": {"environment": {"NO_PROXY": "*"}},
    "another user": {"become": True, "become_user": "root"},
}


@pytest.fixture(scope="module")
def server() -> Iterator[ApiServer]:
    with ApiServer.start_openshift() as running:
        plant(running.rest, healthy_cluster("4.21.3", control_plane=3, workers=2))
        yield running


@pytest.fixture(scope="module")
def kubeconfig(server: ApiServer) -> str:
    return str(server.kubeconfig)


def ask(folder: Path, kubeconfig: str, **task: t.Any) -> PlayRun:
    options = {"kubeconfig": kubeconfig, "nodes": ["worker-0"], "id": "update-4.21.4", "target": "4.21.4"}
    return run_play(folder, {"fieldops.openshift.rollout_info": options, **task}, "-vvv")


def test_the_worker_asks_by_itself(tmp_path: Path, kubeconfig: str) -> None:
    play = ask(tmp_path, kubeconfig)
    assert PACKED not in play.output
    assert play.result["nodes"][0]["name"] == "worker-0"


@pytest.mark.parametrize("module", ["release_bundle", "release_bundle_info", "bundle_image_store"])
@pytest.mark.parametrize("direct", [True, False], ids=["in the worker", "packed"])
def test_the_worker_looks_after_bundles_by_itself(tmp_path: Path, module: str, direct: bool) -> None:
    options = {"path": str(tmp_path / "none")} | ({"state": "absent"} if module == "release_bundle" else {})
    task = {f"fieldops.openshift.{module}": options, "vars": {"fieldops_direct_execution": direct}}
    play = run_play(tmp_path, task, "-vvv")
    assert (PACKED in play.output) is not direct
    assert play.result["failed"] is (module != "release_bundle"), "what is not there can be removed and not read"


def test_the_worker_leaves_no_key_in_a_file(tmp_path: Path, kubeconfig: str) -> None:
    options = {"kubeconfig": kubeconfig, "nodes": ["worker-0"], "id": "update-4.21.4", "target": "4.21.4"}
    # A short path: ansible-core puts a socket there, whose name has little room.
    with tempfile.TemporaryDirectory() as temporary:
        run_play(tmp_path, {"fieldops.openshift.rollout_info": options}, TMPDIR=temporary)
        files = [path for path in Path(temporary).rglob("*") if path.is_file()]
        assert not [path for path in files if b"-----BEGIN" in path.read_bytes()]


@pytest.mark.parametrize("keywords", NOT_AT_HOME.values(), ids=NOT_AT_HOME)
def test_elsewhere_the_module_is_packed_and_started(
    tmp_path: Path, kubeconfig: str, keywords: dict[str, t.Any]
) -> None:
    if keywords.get("become") and os.geteuid() != 0:
        pytest.skip("becoming another user without a password needs root")
    assert PACKED in ask(tmp_path, kubeconfig, **keywords).output


def test_both_ways_give_the_same_result(tmp_path: Path, kubeconfig: str) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "packed").mkdir()
    here = ask(tmp_path / "here", kubeconfig).result
    packed = ask(tmp_path / "packed", kubeconfig, vars={"fieldops_direct_execution": False}).result
    assert json.dumps(here, sort_keys=True) == json.dumps(packed, sort_keys=True)


def test_wrong_options_are_refused_in_the_same_words(tmp_path: Path, kubeconfig: str) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "packed").mkdir()
    wrong = {
        "fieldops.openshift.rollout_info": {"kubeconfig": kubeconfig, "method": "sideways", "id": "a", "target": "b"}
    }
    here = run_play(tmp_path / "here", wrong).result
    packed = run_play(tmp_path / "packed", {**wrong, "vars": {"fieldops_direct_execution": False}}).result
    assert here["failed"]
    assert here["msg"] == packed["msg"]


def test_nothing_that_the_cluster_says_is_taken_for_a_template(
    tmp_path: Path, server: ApiServer, kubeconfig: str
) -> None:
    operator = server.rest.get(f"{OPERATORS}/etcd")
    for condition in operator["status"]["conditions"]:
        condition.update(message=TEMPLATE, status="True" if condition["type"] == "Degraded" else condition["status"])
    server.rest.merge(f"{OPERATORS}/etcd/status", {"status": {"conditions": operator["status"]["conditions"]}})
    task = {
        "fieldops.openshift.cluster_health_info": {"kubeconfig": kubeconfig},
        "register": "asked",
        "failed_when": "lookup('ansible.builtin.env', 'HOME') in (asked | to_json)",
    }
    result = run_play(tmp_path, task).result
    assert not result["failed_when_result"]
    assert TEMPLATE in json.dumps(result)
