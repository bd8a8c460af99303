# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Credential helpers as real programs on PATH."""

from __future__ import annotations

import os
import time
import traceback
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.sources import credential_helpers
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.sources.credential_helpers import (
    CredentialHelpers,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.login import Login
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.registry_errors import LoginRefusedError

CANARY = "kanarienvogel"
ANSWER = '{"ServerURL":"quay.io","Username":"u","Secret":"kanarienvogel"}'

Install = t.Callable[..., Path]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Put a helper on PATH that runs ``script``; return the file in which it notes what it was asked."""
    programs = tmp_path / "bin"
    programs.mkdir()
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    asked = tmp_path / "asked"

    def put(script: str, name: str = "test") -> Path:
        program = programs / f"docker-credential-{name}"
        program.write_text(f'#!/bin/sh\nserver=$(cat)\necho "$* $server" >> {asked}\n{script}\n')
        program.chmod(0o755)
        return asked

    return put


def ask(helper: str = "test", host: str = "quay.io") -> Login | None:
    return CredentialHelpers(SystemClock()).login(helper, host)


@pytest.mark.parametrize(
    ("script", "login"),
    [
        pytest.param(f"echo '{ANSWER}'", Login("u", CANARY), id="name and password"),
        pytest.param(
            """echo '{"ServerURL":"quay.io","Username":"<token>","Secret":"refresh"}'""",
            Login("<token>", "", "refresh"),
            id="identity token",
        ),
        pytest.param("echo 'credentials not found in native keychain'; exit 1", None, id="none, on standard output"),
        pytest.param("echo 'Error: Credentials not found' >&2; exit 1", None, id="none, on standard error"),
        pytest.param("""echo '{"ServerURL":"","Username":"","Secret":""}'""", None, id="an empty answer"),
    ],
)
def test_a_helper_answers_for_the_host_on_its_standard_input(
    install: Install, script: str, login: Login | None
) -> None:
    asked = install(script)
    assert ask() == login
    assert asked.read_text() == "get quay.io\n"


@pytest.mark.parametrize(
    ("found", "servers"),
    [
        ("https://index.docker.io/v1/", ["https://index.docker.io/v1/"]),
        ("docker.io", ["https://index.docker.io/v1/", "docker.io"]),
    ],
)
def test_docker_hub_is_looked_for_as_docker_and_as_podman_name_it(
    install: Install, found: str, servers: list[str]
) -> None:
    asked = install(f"if [ $server = {found} ]; then echo '{ANSWER}'; else echo credentials not found; exit 1; fi")
    assert ask(host="docker.io") == Login("u", CANARY)
    assert asked.read_text().splitlines() == [f"get {server}" for server in servers]


@pytest.mark.parametrize("name", ["desktop.exe", "ecr-login", "gcr", "osxkeychain", "A_b-1"])
def test_names_of_helpers(install: Install, name: str) -> None:
    install(f"echo '{ANSWER}'", name)
    assert ask(name) == Login("u", CANARY)


@pytest.mark.parametrize("name", ["", "../x", "a/b", "a b", "-x", ".x", "a\n", "a\0", "ä", "x" * 65, "$(id)"])
def test_other_names_are_refused_and_nothing_is_run(install: Install, name: str) -> None:
    asked = install(f"echo '{ANSWER}'")
    with pytest.raises(LoginRefusedError, match="not the name of a credential helper"):
        ask(name)
    assert not asked.exists()


NOISE = f"echo {CANARY}; echo {CANARY} >&2"


@pytest.mark.parametrize(
    ("script", "said"),
    [
        pytest.param(f"{NOISE}; exit 3", "ended with status 3", id="status"),
        pytest.param(f"{NOISE}; kill -9 $$", "ended with status -9", id="killed"),
        pytest.param(f"echo {CANARY}", "not a JSON object with Username and Secret", id="no JSON"),
        pytest.param(f"echo '[\"{CANARY}\"]'", "not a JSON object with Username and Secret", id="a list"),
        pytest.param(f'echo \'{{"Username":17,"Secret":"{CANARY}"}}\'', "Username and Secret", id="a number"),
        pytest.param(f"yes {CANARY} | head -c 200000", "not a JSON object with Username and Secret", id="too much"),
        pytest.param(f"{NOISE}; sleep 100", "did not answer within", id="no answer"),
    ],
)
def test_a_helper_that_fails_is_named_with_the_host_and_without_its_output(
    install: Install, monkeypatch: pytest.MonkeyPatch, script: str, said: str
) -> None:
    monkeypatch.setattr(credential_helpers, "PATIENCE", 1.0)
    install(script)
    started = time.monotonic()
    with pytest.raises(LoginRefusedError, match=said) as caught:
        ask()
    assert time.monotonic() - started < 30
    assert "docker-credential-test" in caught.value.seen
    assert "'quay.io'" in caught.value.seen
    assert CANARY not in "".join(traceback.format_exception(type(caught.value), caught.value, None))
    assert CANARY not in repr(caught.value.as_data())


def test_a_helper_that_is_not_installed_is_named() -> None:
    with pytest.raises(LoginRefusedError, match=r"docker-credential-absent.*No such file") as caught:
        ask("absent")
    assert "Install" in caught.value.advice
