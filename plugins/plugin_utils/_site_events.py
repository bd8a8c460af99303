# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the events of a callback are about, read from Ansible's objects under the names of each supported core."""

from __future__ import annotations

import typing as t
from collections.abc import Iterator

from ansible.playbook.block import Block
from ansible.playbook.task_include import TaskInclude

from ansible_collections.fieldops.openshift.plugins.plugin_utils._site_story import Failure, TaskSeen

Result = t.Any
"""Ansible's class for it has another name in each release."""


def content_of(result: Result) -> dict[str, t.Any]:
    """Return what a task returned."""
    # Before ansible-core 2.19 there were no public names.
    content: dict[str, t.Any] = result.result if hasattr(result, "result") else result._result
    return content


def task_of(result: Result) -> t.Any:
    """Return the task of a result."""
    return result.task if hasattr(result, "task") else result._task


def host_of(result: Result) -> str:
    """Return the host that a task ran on, the one it was delegated to if there is one."""
    host = result.host if hasattr(result, "host") else result._host
    delegated = content_of(result).get("_ansible_delegated_vars") or {}
    return str(delegated.get("ansible_delegated_host") or host.get_name())


def seen(task: t.Any) -> TaskSeen:
    """Return a task that starts, with the includes that it stands in."""
    return TaskSeen(name_of(task), path_of(task), isinstance(task, TaskInclude))


def name_of(task: t.Any) -> str:
    """Return the name of a task without that of its role."""
    return str(task.name or task.get_name()).strip()


def path_of(task: t.Any) -> tuple[str, ...]:
    """Return the names of the includes that a task stands in, the outermost first."""
    names = [name_of(parent) for parent in _parents(task) if isinstance(parent, TaskInclude)]
    return tuple(reversed(names))


def phases_of(play: t.Any) -> tuple[str, ...]:
    """Return the names of the includes that a play may come to, in order."""
    return tuple(name_of(task) for block in play.tasks for task in _tasks(block) if isinstance(task, TaskInclude))


def failure(result: Result, label: str = "", word: str = "FAILED") -> Failure:
    """Return the failure that a result is."""
    task = task_of(result)
    return Failure(name_of(task), label or host_of(result), content_of(result), word, handled=_is_rescued(task))


def _tasks(block: t.Any) -> Iterator[t.Any]:
    for one in [*block.block, *block.always] if isinstance(block, Block) else [block]:
        yield from _tasks(one) if isinstance(one, Block) else [one]


def _is_rescued(task: t.Any) -> bool:
    """Whether a block around the task has rescue tasks that run if the task fails."""
    inner = task
    for parent in _parents(task):
        if isinstance(parent, Block):
            if parent.rescue and any(one is inner or _is_same(one, inner) for one in parent.block):
                return True
            inner = parent
        else:
            inner = parent
    return False


def _is_same(one: t.Any, other: t.Any) -> bool:
    """Whether two objects are copies of one task or block."""
    return bool(one._uuid == other._uuid)


def _parents(task: t.Any) -> Iterator[t.Any]:
    parent = task._parent
    while parent is not None:
        yield parent
        parent = parent._parent
