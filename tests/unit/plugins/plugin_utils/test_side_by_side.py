# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""An action that is begun side by side answers whatever becomes of it and of its node."""

from __future__ import annotations

import typing as t
from pathlib import Path
from types import SimpleNamespace

import pytest
from ansible import constants
from ansible.errors import AnsibleConnectionFailure, AnsibleError

from ansible_collections.fieldops.openshift.plugins.module_utils._host.aside import answer_of
from ansible_collections.fieldops.openshift.plugins.plugin_utils._side_by_side import SWITCH, may_run_aside

AWAY = AnsibleConnectionFailure("no route to host")


class Action:
    """An action on a node, which ends with an error where it was given one."""

    def __init__(self, *, error: Exception | None = None, ending: Exception | None = None) -> None:
        self._task = SimpleNamespace(delegate_to="worker-0")
        self._templar = SimpleNamespace(template=lambda value: value)
        self._connection = SimpleNamespace(close=self._end)
        self._error, self._ending = error, ending

    def cleanup(self) -> None:
        self._end()

    def _end(self) -> None:
        if self._ending:
            raise self._ending

    def run(self, _tmp: str | None, _variables: dict[str, t.Any] | None) -> dict[str, t.Any]:
        if self._error:
            raise self._error
        return {"changed": True}


@pytest.mark.parametrize(
    ("action", "answer"),
    [
        (Action(), {"changed": True}),
        (Action(error=AWAY), {"unreachable": True, "msg": "no route to host"}),
        (Action(error=AnsibleError("refused")), {"failed": True, "msg": "refused"}),
        (Action(error=ValueError()), {"failed": True, "msg": "ValueError"}),
        (Action(ending=AWAY), {"changed": True}),
        (Action(error=AWAY, ending=AWAY), {"unreachable": True, "msg": "no route to host"}),
    ],
    ids=["done", "away", "refused", "broken", "away at its end", "away to its end"],
)
def test_what_a_loop_would_have_got_is_the_answer(
    action: Action, answer: dict[str, t.Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(constants, "DEFAULT_LOCAL_TMP", str(tmp_path))
    begun = may_run_aside(Action.run)(action, None, {SWITCH: True})
    assert answer_of(Path(begun["begun"])) == answer
    assert begun["begun_on"] == "worker-0"


def test_a_warning_of_a_module_stays_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constants, "DEFAULT_LOCAL_TMP", str(tmp_path))
    messages = pytest.importorskip("ansible.module_utils._internal._messages")
    warning = messages.WarningSummary(event=messages.Event(msg="the disk is slow"))

    def run(*_: t.Any) -> dict[str, t.Any]:
        return {"changed": False, "warnings": [warning]}

    begun = may_run_aside(run)(t.cast("t.Any", Action()), None, {SWITCH: True})
    assert answer_of(Path(begun["begun"])) == {"changed": False, "warnings": ["the disk is slow"]}


def test_without_the_variable_it_is_done_at_once() -> None:
    assert may_run_aside(Action.run)(Action(), None, {}) == {"changed": True}
