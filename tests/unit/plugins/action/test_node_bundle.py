# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A node that does not come back is given up, one that restarts is not."""

from __future__ import annotations

import typing as t
from types import SimpleNamespace

import pytest
from ansible.errors import AnsibleConnectionFailure
from ansible.plugins.action import ActionBase

from ansible_collections.fieldops.openshift.plugins.action.node_bundle import ActionModule
from ansible_collections.fieldops.openshift.plugins.plugin_utils._step_loop import StepRefusedError
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils.conftest import FakeClock


class Followed:
    """The action, whose module runs on a node that is away when it is told to be."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, **args: t.Any) -> None:
        self.clock = FakeClock()
        self.is_away = True
        self._action = ActionModule.__new__(ActionModule)
        self._action.clock = self.clock
        self._action._task = t.cast(t.Any, SimpleNamespace(args=args))
        self._action._node = "worker-0"
        monkeypatch.setattr(ActionBase, "_execute_module", self._module)

    def _module(self, *_words: t.Any, **_options: t.Any) -> dict[str, t.Any]:
        if self.is_away:
            raise AnsibleConnectionFailure("no route to host")
        return {"changed": False}

    def look(self, after: float) -> dict[str, t.Any]:
        self.clock.advance(after)
        return self._action._execute_module()


def test_absence_ends_when_its_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    followed = Followed(monkeypatch, away_timeout="60")
    for after in (0, 59):
        with pytest.raises(AnsibleConnectionFailure):
            followed.look(after)
    with pytest.raises(StepRefusedError) as caught:
        followed.look(1)
    error = caught.value.result["error"]
    assert (error["kind"], error["on"]) == ("host_away", "worker-0")
    assert "no route to host" in error["seen"]


def test_who_was_seen_again_has_all_its_time_again(monkeypatch: pytest.MonkeyPatch) -> None:
    followed = Followed(monkeypatch, away_timeout=60)
    for is_away, after in ((True, 0), (False, 59), (True, 59), (True, 59)):
        followed.is_away = is_away
        if is_away:
            with pytest.raises(AnsibleConnectionFailure):
                followed.look(after)
        else:
            assert followed.look(after) == {"changed": False}


def test_a_wrong_value_is_left_to_the_module(monkeypatch: pytest.MonkeyPatch) -> None:
    followed = Followed(monkeypatch, away_timeout="soon")
    for after in (0, 1700):
        with pytest.raises(AnsibleConnectionFailure):
            followed.look(after)
