# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A callback plugin: what each module of the collection returned, one line each in the folder $FIELDOPS_RESULTS."""

from __future__ import annotations

import json
import os
import typing as t
from pathlib import Path

from ansible.plugins.callback import CallbackBase

OURS = "fieldops.openshift."


class CallbackModule(CallbackBase):
    """Records what callbacks are given; ``documented_results.py`` reads it."""

    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = "aggregate"
    CALLBACK_NAME = "record_results"

    def __init__(self) -> None:
        super().__init__()
        self._begun: dict[str, dict[str, t.Any]] = {}

    def v2_runner_on_ok(self, result: t.Any) -> None:
        self._record(result, failed=False)

    def v2_runner_on_failed(self, result: t.Any, ignore_errors: bool = False) -> None:
        del ignore_errors
        self._record(result, failed=True)

    def v2_runner_item_on_ok(self, result: t.Any) -> None:
        self._record(result, failed=False)

    def v2_runner_item_on_failed(self, result: t.Any) -> None:
        self._record(result, failed=True)

    def _record(self, result: t.Any, *, failed: bool) -> None:
        """Record a result; of what was only begun, the one that is awaited later."""
        content, kept = _kept(result, failed=failed)
        if kept is None:
            return
        if kept["module"] == "node_answers":
            for answer in content.get("results", ()):
                begun = self._begun.pop(answer.pop("begun", ""), None)
                answer.pop("begun_on", None)
                if begun is not None:
                    _write({**begun, "result": {"changed": False, "failed": False, **answer}})
        elif "begun" in content:
            self._begun[content["begun"]] = kept
        elif "results" not in content:
            _write(kept)


def _kept(result: t.Any, *, failed: bool) -> tuple[dict[str, t.Any], dict[str, t.Any] | None]:
    # Before ansible-core 2.19 there were no public names.
    task = result.task if hasattr(result, "task") else result._task
    content = result.result if hasattr(result, "result") else result._result
    name = str(task.resolved_action or task.action)
    if not name.startswith(OURS) or "censored" in content:
        return content, None
    return content, {
        "module": name.removeprefix(OURS),
        "arguments": task.args,
        "check_mode": bool(task.check_mode),
        "result": {**content, "failed": failed},
    }


def _write(kept: dict[str, t.Any]) -> None:
    folder = os.environ.get("FIELDOPS_RESULTS")
    if folder:
        with (Path(folder) / f"{os.getpid()}.jsonl").open("a") as file:
            file.write(json.dumps(kept, default=str) + "\n")
