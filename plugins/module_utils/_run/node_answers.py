# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The end of a loop that has started its tasks in parallel: all their results, in the form of the loop's own."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping, Sequence
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._host.aside import answer_of
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Result

BEGUN, BEGUN_ON = "begun", "begun_on"
LOST = {"failed": True, "msg": "its process on this machine ended without a result"}


class NodesFailedError(FieldOpsError):
    """A task failed on some of the nodes on which it was started."""

    kind = "nodes_failed"


def answers(begun: Sequence[Mapping[str, t.Any]], *, report_unreachable: bool) -> Result:
    """Wait for everything in ``begun`` and return its results; raises NodesFailedError with them."""
    results = [_answered(one) for one in begun]
    failed = [one for one in results if one.get("failed") or (one.get("unreachable") and not report_unreachable)]
    if failed:
        raise _failure(results, failed)
    return Result(
        changed=any(one.get("changed") for one in results),
        objects={"results": results},
        actions=[action for one in results for action in one.get("actions") or ()],
        diff=_difference(results),
        warnings=_warnings(results),
    )


def node_of(result: Mapping[str, t.Any]) -> str:
    """Return the node that a result of a loop is about; an item of the loop is not always the name of one."""
    return str(result.get(BEGUN_ON) or result.get(result.get("ansible_loop_var", "item"), "a node"))


def _answered(one: Mapping[str, t.Any]) -> dict[str, t.Any]:
    if BEGUN not in one:
        return dict(one)
    kept = {name: value for name, value in one.items() if name not in ("changed", "failed")}
    answer = answer_of(Path(one[BEGUN]))
    found = {**kept, "changed": False, **(LOST if answer is None else answer)}
    # Older versions of Ansible repeat all arguments there.
    found.pop("invocation", None)
    return found


def _warnings(results: Sequence[Mapping[str, t.Any]]) -> list[str]:
    """Return each warning once, after the names of the nodes that it is about."""
    nodes: dict[str, dict[str, None]] = {}
    for one in results:
        for told in one.get("warnings") or ():
            nodes.setdefault(str(told), {})[node_of(one)] = None
    return [f"{', '.join(names)}: {told}" for told, names in nodes.items()]


def _difference(results: Sequence[Mapping[str, t.Any]]) -> dict[str, t.Any] | None:
    steps: dict[str, list[Mapping[str, t.Any]]] = {}
    for one in results:
        # One of several steps is a list of what each of them did.
        diff = one.get("diff") or []
        steps.setdefault(node_of(one), []).extend(diff if isinstance(diff, list) else [diff])
    steps = {node: diffs for node, diffs in steps.items() if diffs}
    if not steps:
        return None
    return {
        "before": {node: diffs[0].get("before") for node, diffs in steps.items()},
        "after": {node: diffs[-1].get("after") for node, diffs in steps.items()},
    }


def _failure(results: Sequence[Mapping[str, t.Any]], failed: Sequence[Mapping[str, t.Any]]) -> NodesFailedError:
    reasons = [f"{node_of(one)}: {one.get('msg') or 'no reason was reported'}" for one in failed]
    return NodesFailedError(
        "run the task on all nodes",
        on=", ".join(node_of(one) for one in failed),
        seen="; ".join(reasons),
        advice="Check the result of each node in the results. Changes on the other nodes are kept.",
        partial={"results": list(results)},
    )
