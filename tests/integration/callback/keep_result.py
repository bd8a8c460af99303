# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A callback plugin: the result of the task under test, written to the file that $FIELDOPS_RESULT names."""

from __future__ import annotations

import json
import os
import typing as t
from pathlib import Path

from ansible.plugins.callback import CallbackBase

TASK = "Task under test"


class CallbackModule(CallbackBase):
    """Keeps what callbacks are given: the whole result, less what no_log hides."""

    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = "aggregate"
    CALLBACK_NAME = "keep_result"

    def v2_runner_on_ok(self, result: t.Any) -> None:
        _keep(result, failed=False)

    def v2_runner_on_failed(self, result: t.Any, ignore_errors: bool = False) -> None:
        del ignore_errors
        _keep(result, failed=True)

    def v2_runner_on_unreachable(self, result: t.Any) -> None:
        _keep(result, failed=True)


def _keep(result: t.Any, *, failed: bool) -> None:
    if result.task_name == TASK:
        # Before ansible-core 2.19 there was no public name.
        content = result.result if hasattr(result, "result") else result._result
        path = Path(os.environ["FIELDOPS_RESULT"])
        path.write_text(json.dumps({**content, "failed": failed}, default=str))
