# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The modules in plays: what a person sees, and what becomes of credentials."""

from __future__ import annotations

import json
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.os_images.image_host import ImageHost
from ansible_collections.fieldops.openshift.tests.integration.os_images.images import OsImage
from ansible_collections.fieldops.openshift.tests.integration.plays import PlayRun, run_play

Play = t.Callable[..., PlayRun]
PASSWORD = "canary-password"
AUTH = {"auths": {"quay.io": {"auth": "dXNlcjpjYW5hcnktcGFzc3dvcmQ="}}}


@pytest.fixture
def play(host: ImageHost, tmp_path: Path) -> Play:
    """What runs a task on the host: its interpreter is entered through a wrapper, the module comes by a pipe."""
    wrapper = tmp_path / "python"
    wrapper.write_text(f'#!/bin/sh\nexec {" ".join(host.entrance())} /usr/bin/python3 "$@"\n')
    wrapper.chmod(0o755)

    def run(module: str, *words: str, **options: t.Any) -> PlayRun:
        task = {f"fieldops.openshift.{module}": options, "vars": {"ansible_python_interpreter": str(wrapper)}}
        return run_play(tmp_path, task, *words, ANSIBLE_PIPELINING="true")

    return run


def test_a_person_sees_how_the_image_comes(play: Play, first: OsImage, second: OsImage) -> None:
    ended = play("os_image", "--diff", image=second.pinned, wait=True, wait_timeout=100)
    assert ended.result["changed"]
    assert ended.result["progress"]["done"]
    assert "is staged; the next reboot boots it" in ended.output
    assert f'-    "next_boot": "{first.name} ({first.digest})"' in ended.output
    assert [one["action"] for one in ended.result["actions"]] == ["switch", "remove"]
    again = play("os_image", image=second.pinned, wait=True)
    assert (again.result["changed"], again.result["actions"]) == (False, [])


def test_check_mode_says_what_it_would_do(play: Play, host: ImageHost, second: OsImage) -> None:
    foreseen = play("os_image", "--check", image=second.pinned, wait=True)
    assert foreseen.result["changed"]
    assert foreseen.result["actions"][0]["argv"] == ["bootc", "switch", second.by_digest]
    assert host.info()["os_image"]["staged"] is None


@pytest.mark.parametrize("words", [("-vvvv",), ("-vvvv", "--check", "--diff")])
def test_credentials_are_shown_nowhere(play: Play, second: OsImage, words: tuple[str, ...]) -> None:
    ended = play("os_image", *words, image=second.pinned, registry_auth=AUTH, wait=True, wait_timeout=100)
    shown = ended.output + json.dumps(ended.result)
    assert PASSWORD not in shown
    assert AUTH["auths"]["quay.io"]["auth"] not in shown


def test_a_host_of_the_operator_is_refused_with_the_supported_way(play: Play, host: ImageHost, second: OsImage) -> None:
    host.write("/etc/machine-config-daemon/currentconfig", "{}")
    refused = play("os_image", image=second.pinned, wait=True)
    assert refused.result["error"]["kind"] == "managed_by_machine_config_operator"
    assert "MachineOSConfig" in refused.result["msg"]


def test_the_info_module_answers(play: Play, first: OsImage) -> None:
    found = play("os_image_info").result
    assert (found["changed"], found["image_based"]) == (False, True)
    assert found["os_image"]["booted"]["digest"] == first.digest


def test_a_machine_that_boots_no_image_is_an_answer(tmp_path: Path) -> None:
    found = run_play(tmp_path, {"fieldops.openshift.os_image_info": {}}).result
    assert (found["image_based"], found["os_image"]) == (False, None)
