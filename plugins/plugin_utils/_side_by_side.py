# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Tasks of many nodes side by side, where a loop of Ansible's takes one node after another.

With ``fieldops_side_by_side`` an action of this collection begins its work in a process of its own and lets the loop
go on to the next node at once. M(fieldops.openshift.node_answers) then awaits all of them. The loop makes connections,
variables and defaults for each node as always, so that nothing is different but the time.
"""

from __future__ import annotations

import contextlib
import functools
import json
import typing as t
from collections.abc import Callable, Mapping
from pathlib import Path

from ansible import constants
from ansible.errors import AnsibleConnectionFailure
from ansible.module_utils.parsing.convert_bool import boolean

from ansible_collections.fieldops.openshift.plugins.module_utils._host.aside import await_one, begin_aside
from ansible_collections.fieldops.openshift.plugins.plugin_utils._play_process import play_is_gone, stay_with_play

if t.TYPE_CHECKING:
    from ansible.plugins.action import ActionBase

    Run = Callable[..., dict[str, t.Any]]

SWITCH = "fieldops_side_by_side"
QUEUE = "fieldops_queue"
MOST = 64
"""Nodes that one loop works on at a time: each is a process of this machine."""

# In one worker, which Ansible creates for each task.
_begun = 0
_last: dict[str, Path] = {}


def may_run_aside(run: Run) -> Run:
    """Return the action's ``run``, which only begins where the task says that it is one of many."""

    @functools.wraps(run)
    def begun_or_done(
        action: ActionBase, tmp: str | None = None, task_vars: dict[str, t.Any] | None = None
    ) -> dict[str, t.Any]:
        variables = task_vars or {}
        if SWITCH not in variables or not boolean(_value(action, variables, SWITCH), strict=False):
            return run(action, tmp, task_vars)
        _await_place()
        stay_with_play()
        queue = str(_value(action, variables, QUEUE)) if QUEUE in variables else ""
        _last[queue] = folder = begin_aside(
            Path(constants.DEFAULT_LOCAL_TMP),  # type: ignore[attr-defined]  # it is set when ansible starts
            lambda: json.dumps(_answer(action, lambda: run(action, tmp, task_vars)), default=_in_words),
            after=_last.get(queue) if queue else None,
        )
        host = action._task.delegate_to or variables.get("inventory_hostname", "")
        return {"changed": False, "begun": str(folder), "begun_on": host}

    return begun_or_done


def _in_words(value: t.Any) -> str:
    """Return what JSON has no form for as a text; ansible-core 2.19 and newer hold warnings of modules as objects."""
    event = getattr(value, "event", None)
    return str(value if event is None else event.msg)


def _value(action: ActionBase, variables: Mapping[str, t.Any], name: str) -> t.Any:
    return action._templar.template(variables[name])


def _await_place() -> None:
    global _begun
    if _begun >= MOST:
        await_one()
    else:
        _begun += 1


def _answer(action: ActionBase, run: Callable[[], dict[str, t.Any]]) -> dict[str, t.Any]:
    """Return what the loop would have got for this node."""
    if play_is_gone():
        return {"failed": True, "msg": "The play that this task belongs to has ended."}
    try:
        return run()
    except AnsibleConnectionFailure as error:
        return {"unreachable": True, "msg": str(error)}
    except Exception as error:  # as a loop does: whatever an action raises is the failure of its item
        return {"failed": True, "msg": str(error) or type(error).__name__}
    finally:
        # A node that has gone away takes no more commands, and that is no part of the answer.
        with contextlib.suppress(Exception):
            action.cleanup()
        with contextlib.suppress(Exception):
            action._connection.close()
