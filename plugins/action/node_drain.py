# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Shows how things go on while M(fieldops.openshift.node_drain) waits, and keeps every pod in the result."""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.plugin_utils._step_loop import StepLoopAction


class ActionModule(StepLoopAction):
    """Takes the module's steps one by one; each of them sees only the pods that are still there."""

    def run(self, tmp: str | None = None, task_vars: dict[str, t.Any] | None = None) -> dict[str, t.Any]:
        """Run the task and complete its list of pods."""
        self._pods: dict[str, dict[str, t.Any]] = {}
        result = super().run(tmp, task_vars)
        if self._pods:
            result["pods"] = list(self._pods.values())
        return result

    def _execute_module(self, *args: t.Any, **kwargs: t.Any) -> dict[str, t.Any]:
        found: dict[str, t.Any] = super()._execute_module(*args, **kwargs)
        self._remember(found.get("pods") or [])
        return found

    def _remember(self, pods: list[dict[str, t.Any]]) -> None:
        seen = {pod["uid"] for pod in pods}
        for uid, pod in self._pods.items():
            if uid not in seen and pod["fate"] in ("waiting", "blocked", "terminating"):
                self._pods[uid] = {**pod, "fate": "removed", "reason": "", "budget": ""}
        for pod in pods:
            known = self._pods.get(pod["uid"], {})
            self._pods[pod["uid"]] = {**pod, "tries": pod["tries"] + known.get("tries", 0)}
