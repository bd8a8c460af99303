# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A credential that goes in comes out nowhere: not in output at any verbosity, results, job events or caches."""

from __future__ import annotations

import base64
import json
import subprocess
import typing as t
from pathlib import Path

import pytest
import yaml

from ansible_collections.fieldops.openshift.tests.integration.cluster.network import RefusingProxy
from ansible_collections.fieldops.openshift.tests.integration.play_processes import BINARIES
from ansible_collections.fieldops.openshift.tests.integration.plays import (
    PlayRun,
    environment_for,
    run_play,
    write_play,
)
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer

MODULE = "fieldops.openshift.cluster_health_info"
CANARY = "canary-6f1d2c9b8a7e4f50"

Options = dict[str, t.Any]


def reachable(api_server: ApiServer) -> Options:
    return {"host": api_server.url, "ca_cert": str(api_server.ca_file)}


def kubeconfig_content(api_server: ApiServer, **user: t.Any) -> Options:
    content: Options = yaml.safe_load(api_server.kubeconfig.read_text())
    if user:
        content["users"][0]["user"] = user
    return content


def assert_hidden(secret: str, run: PlayRun, folder: Path) -> None:
    """Look for ``secret`` in what was shown and in every file the play left, its own text left out."""
    assert secret not in run.output
    assert "invocation" not in run.result or secret not in json.dumps(run.result["invocation"])
    written = [path for path in folder.rglob("*") if path.is_file() and path.name != "play.yml"]
    assert folder / "result.json" in written
    assert not [path for path in written if secret.encode() in path.read_bytes()]


@pytest.mark.parametrize("wait", [False, True], ids=["one look", "waiting"])
def test_a_working_token_as_option(api_server: ApiServer, tmp_path: Path, wait: bool) -> None:
    options = {**reachable(api_server), "api_key": api_server.admin_token, "wait": wait, "wait_timeout": 0}
    run = run_play(tmp_path, {MODULE: options}, "-vvvv", "--diff")
    assert "nodes" in run.result
    assert_hidden(api_server.admin_token, run, tmp_path)


def test_a_working_token_in_the_environment(api_server: ApiServer, tmp_path: Path) -> None:
    run = run_play(tmp_path, {MODULE: reachable(api_server)}, "-vvvv", K8S_AUTH_API_KEY=api_server.admin_token)
    assert "nodes" in run.result
    assert_hidden(api_server.admin_token, run, tmp_path)


def test_a_working_token_inside_a_kubeconfig(api_server: ApiServer, tmp_path: Path) -> None:
    run = run_play(tmp_path, {MODULE: {"kubeconfig": kubeconfig_content(api_server)}}, "-vvvv")
    assert "nodes" in run.result
    assert_hidden(api_server.admin_token, run, tmp_path)


@pytest.mark.parametrize(
    "given",
    [
        pytest.param({"api_key": CANARY}, id="token"),
        pytest.param({"username": "technician", "password": CANARY}, id="password"),
    ],
)
def test_refused_credentials(api_server: ApiServer, tmp_path: Path, given: Options) -> None:
    run = run_play(tmp_path, {MODULE: {**reachable(api_server), **given}}, "-vvvv")
    assert run.result["failed"] is True
    assert_hidden(CANARY, run, tmp_path)


@pytest.mark.parametrize("place", ["proxy URL", "proxy header"])
def test_credentials_that_a_proxy_refuses(api_server: ApiServer, tmp_path: Path, place: str) -> None:
    with RefusingProxy() as proxy:
        given: dict[str, Options] = {
            "proxy URL": {"proxy": f"http://me:{CANARY}@{proxy.address}"},
            "proxy header": {
                "proxy": f"http://{proxy.address}",
                "proxy_headers": {"proxy_basic_auth": f"me:{CANARY}"},
            },
        }
        run = run_play(tmp_path, {MODULE: {**reachable(api_server), "api_key": "x" * 20, **given[place]}}, "-vvvv")
    assert "the proxy does not accept the credentials" in run.result["msg"]
    assert [CANARY in base64.b64decode(shown.partition(" ")[2]).decode() for shown in proxy.seen] == [True]
    assert_hidden(CANARY, run, tmp_path)


@pytest.mark.parametrize(
    "user",
    [
        pytest.param({"token": CANARY}, id="token"),
        pytest.param({"username": "technician", "password": CANARY}, id="password"),
        pytest.param(
            {"auth-provider": {"name": "oidc", "config": {"refresh-token": CANARY, "id-token": CANARY}}}, id="provider"
        ),
    ],
)
def test_refused_credentials_inside_a_kubeconfig(api_server: ApiServer, tmp_path: Path, user: Options) -> None:
    run = run_play(tmp_path, {MODULE: {"kubeconfig": kubeconfig_content(api_server, **user)}}, "-vvvv")
    assert run.result["failed"] is True
    assert_hidden(CANARY, run, tmp_path)


def test_job_events_as_a_controller_of_jobs_keeps_them(api_server: ApiServer, tmp_path: Path) -> None:
    options = {**reachable(api_server), "api_key": api_server.admin_token, "wait": True, "wait_timeout": 0}
    write_play(tmp_path, {MODULE: options})
    command = [str(BINARIES / "ansible-runner"), "run", str(tmp_path / "job"), "-p", str(tmp_path / "play.yml"), "-vvv"]
    environment = environment_for(tmp_path, {"PATH": f"{BINARIES}:/usr/bin:/bin"})
    (tmp_path / "job").mkdir()
    subprocess.run(command, env=environment, check=False, capture_output=True, timeout=120)
    events = list((tmp_path / "job").rglob("job_events/*.json"))
    kept = [path.read_text() for path in events]
    assert any(MODULE in text and "runner_on" in text for text in kept), "no event of the task was kept"
    assert not [
        path
        for path in (tmp_path / "job").rglob("*")
        if path.is_file() and api_server.admin_token.encode() in path.read_bytes()
    ]
