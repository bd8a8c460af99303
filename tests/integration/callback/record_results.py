# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
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

    def v2_runner_on_ok(self, result: t.Any) -> None:
        _record(result, failed=False)

    def v2_runner_on_failed(self, result: t.Any, ignore_errors: bool = False) -> None:
        del ignore_errors
        _record(result, failed=True)

    def v2_runner_item_on_ok(self, result: t.Any) -> None:
        _record(result, failed=False)

    def v2_runner_item_on_failed(self, result: t.Any) -> None:
        _record(result, failed=True)


def _record(result: t.Any, *, failed: bool) -> None:
    folder = os.environ.get("FIELDOPS_RESULTS")
    # Before ansible-core 2.19 there were no public names.
    task = result.task if hasattr(result, "task") else result._task
    content = result.result if hasattr(result, "result") else result._result
    name = str(task.resolved_action or task.action)
    if not folder or not name.startswith(OURS) or "results" in content or "censored" in content:
        return
    kept = {
        "module": name.removeprefix(OURS),
        "arguments": task.args,
        "check_mode": bool(task.check_mode),
        "result": {**content, "failed": failed},
    }
    with (Path(folder) / f"{os.getpid()}.jsonl").open("a") as file:
        file.write(json.dumps(kept, default=str) + "\n")
