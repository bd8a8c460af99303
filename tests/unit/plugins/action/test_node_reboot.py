# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a host answers while it goes down is no failure, before that it is."""

from __future__ import annotations

import typing as t
from types import SimpleNamespace

import pytest
from ansible.errors import AnsibleConnectionFailure, AnsibleError
from ansible.plugins.action import ActionBase

from ansible_collections.fieldops.openshift.plugins.action import node_reboot, os_image, os_image_info

Answer = t.Union[dict[str, t.Any], Exception]

ASKED = {"rebooted": False, "requested": True, "changed": True}
GOING = {"rebooted": False, "requested": False, "changed": False}
BACK = {"rebooted": True, "requested": False, "changed": False}
GARBAGE = {
    "failed": True,
    "rc": 1,
    "msg": "Module result deserialization failed: No start of json char found",
    "module_stdout": "",
    "module_stderr": "FileNotFoundError: 'ansible_node_reboot.zip'",
}
REFUSED = {"failed": True, "msg": "there is no boot id", "error": {"kind": "reboot_refused", "transient": False}}


class PlayedHost:
    """The action, whose module gets the given answers, one a call."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *answers: Answer) -> None:
        self._answers = list(answers)
        self.action = node_reboot.ActionModule.__new__(node_reboot.ActionModule)
        self.action._connection = t.cast(t.Any, SimpleNamespace())
        monkeypatch.setattr(ActionBase, "_execute_module", self._module)

    def _module(self, *_words: t.Any, **_options: t.Any) -> dict[str, t.Any]:
        answer = self._answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def ask(self) -> dict[str, t.Any]:
        return self.action._execute_module()


@pytest.mark.parametrize("before", [ASKED, GOING], ids=["it was asked to", "it was asked to earlier"])
@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(GARBAGE, id="Python has lost its files"),
        pytest.param({**GARBAGE, "module_stdout": "Connection closed", "rc": 0}, id="words"),
        pytest.param(AnsibleError("Failed to set permissions on the temporary files"), id="files are gone"),
        pytest.param(AnsibleConnectionFailure("connection refused"), id="no connection"),
    ],
)
def test_of_a_host_that_goes_down_every_answer_but_a_result_is_asked_again(
    monkeypatch: pytest.MonkeyPatch, before: Answer, answer: Answer
) -> None:
    host = PlayedHost(monkeypatch, before, answer, answer, BACK)
    host.ask()
    for _unused in range(2):
        with pytest.raises(AnsibleConnectionFailure):
            host.ask()
    assert host.ask() == BACK


@pytest.mark.parametrize("answer", [GARBAGE, REFUSED], ids=["no Python", "refused"])
def test_before_that_a_failure_is_one(monkeypatch: pytest.MonkeyPatch, answer: Answer) -> None:
    assert PlayedHost(monkeypatch, answer).ask() == answer
    with pytest.raises(AnsibleError, match="no become"):
        PlayedHost(monkeypatch, AnsibleError("no become")).ask()


def test_a_result_of_the_module_is_believed_while_it_goes_down(monkeypatch: pytest.MonkeyPatch) -> None:
    host = PlayedHost(monkeypatch, ASKED, REFUSED)
    host.ask()
    assert host.ask() == REFUSED


@pytest.mark.parametrize("module", [node_reboot, os_image, os_image_info])
def test_a_host_that_cannot_be_reached_fails_its_task_and_not_the_play(
    monkeypatch: pytest.MonkeyPatch, module: t.Any
) -> None:
    def away(*_words: t.Any, **_options: t.Any) -> t.NoReturn:
        raise AnsibleConnectionFailure("no route to host")

    monkeypatch.setattr(ActionBase, "_execute_module", away)
    monkeypatch.setattr(ActionBase, "run", lambda *_words: {})
    action = module.ActionModule.__new__(module.ActionModule)
    action._connection = SimpleNamespace()
    action._task = SimpleNamespace(args={}, check_mode=False, async_val=0, delegate_to="worker-0")
    found = action.run(None, {})
    assert (found["failed"], found["error"]["kind"], found["error"]["on"]) == (True, "host_away", "worker-0")
    assert "no route to host" in found["msg"]
