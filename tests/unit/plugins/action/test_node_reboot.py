# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a host answers while it goes down is no failure, before that it is; its boot tells what needs no module."""

from __future__ import annotations

import typing as t
from types import SimpleNamespace

import pytest
from ansible.errors import AnsibleConnectionFailure, AnsibleError
from ansible.plugins.action import ActionBase

from ansible_collections.fieldops.openshift.plugins.action import node_reboot, os_image, os_image_info
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils.conftest import FakeClock

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
OLD, NEW = "9a2b7c10-0c1d-4e2f-8a3b-5c6d7e8f9a0b", "0c1d9a2b-7c10-4e2f-8a3b-9a0b5c6d7e8f"


class PlayedHost:
    """The action, whose module gets the given answers, one a call; ``boot`` is what the host's file says of it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *answers: Answer, boot: str = "", **options: t.Any) -> None:
        self._answers = list(answers)
        self.boot = boot
        self.commands: list[str] = []
        self.action = node_reboot.ActionModule.__new__(node_reboot.ActionModule)
        self.action.clock = self.clock = FakeClock()
        self.action._connection = t.cast(t.Any, SimpleNamespace())
        self.action._task = t.cast(t.Any, SimpleNamespace(args={"boot_id": OLD, **options}))
        monkeypatch.setattr(ActionBase, "_execute_module", self._module)
        monkeypatch.setattr(ActionBase, "_low_level_execute_command", self._command)

    @property
    def left(self) -> int:
        """How many answers the module has still to give."""
        return len(self._answers)

    def _command(self, command: str, **_options: t.Any) -> dict[str, t.Any]:
        self.commands.append(command)
        return {"stdout": f"{self.boot}\n"}

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


def test_a_host_in_another_boot_needs_no_module(monkeypatch: pytest.MonkeyPatch) -> None:
    host = PlayedHost(monkeypatch, boot=NEW)
    assert host.ask() == {
        **BACK,
        "soft": False,
        "boot_id": NEW,
        "actions": [],
        "progress": {"sentence": "the host has rebooted", "done": True, "next_delay": 3.0},
        "timeline": [{"at": "2026-11-21T22:00:00Z", "sentence": "the host has rebooted"}],
    }
    assert host.commands == ["cat /proc/sys/kernel/random/boot_id"]


def test_a_host_that_was_asked_is_asked_again_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    host = PlayedHost(monkeypatch, ASKED, GOING, boot=OLD, host_root="/host dir")
    assert host.ask() == ASKED
    told = host.ask()
    assert (told["rebooted"], told["progress"]["sentence"], host.left) == (False, "the host is going down", 1)
    host.clock.advance(node_reboot.ASK_AGAIN_SECONDS)
    assert (host.ask(), host.left) == (GOING, 0)
    host.boot = NEW
    assert host.ask()["rebooted"] is True
    assert set(host.commands) == {"cat '/host dir/proc/sys/kernel/random/boot_id'"}


@pytest.mark.parametrize(
    ("boot", "options"),
    [
        pytest.param("", {}, id="file that cannot be read"),
        pytest.param("Welcome", {}, id="words"),
        pytest.param(NEW, {"soft": True, "request": "first"}, id="soft reboot"),
        pytest.param(NEW, {"sofd": True}, id="wrong option"),
    ],
)
def test_the_module_answers_where_the_boot_does_not_tell(
    monkeypatch: pytest.MonkeyPatch, boot: str, options: dict[str, t.Any]
) -> None:
    host = PlayedHost(monkeypatch, ASKED, REFUSED, boot=boot, **options)
    assert [host.ask(), host.ask()] == [ASKED, REFUSED]


@pytest.mark.parametrize("module", [node_reboot, os_image, os_image_info])
def test_a_host_that_cannot_be_reached_fails_its_task_and_not_the_play(
    monkeypatch: pytest.MonkeyPatch, module: t.Any
) -> None:
    def away(*_words: t.Any, **_options: t.Any) -> t.NoReturn:
        raise AnsibleConnectionFailure("no route to host")

    for name in ("_execute_module", "_low_level_execute_command"):
        monkeypatch.setattr(ActionBase, name, away)
    monkeypatch.setattr(ActionBase, "run", lambda *_words: {})
    action = module.ActionModule.__new__(module.ActionModule)
    action._connection = SimpleNamespace()
    action._task = SimpleNamespace(args={}, check_mode=False, async_val=0, delegate_to="worker-0")
    found = action.run(None, {})
    assert (found["failed"], found["error"]["kind"], found["error"]["on"]) == (True, "host_away", "worker-0")
    assert "no route to host" in found["msg"]
