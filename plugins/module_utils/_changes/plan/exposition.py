# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The five metrics as text that Prometheus reads, for node-exporter's textfile collector, and additional timestamps.

What counts seconds from now is true when it is written only. Instants stay true until the next run, so that alerts are
of them: ``extensions/prometheus/change-management.rules.yml``.

Source: openshift/enhancements pull request 1571, "Change Management Metrics"; format: Prometheus, "Exposition formats".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.change_state import METRICS
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.instants import read_instant
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.site_changes import Judged

_HELP = dict(
    zip(
        METRICS,
        (
            "0 no change is pending, 1 pending and being initiated, 2 pending and blocked.",
            "Seconds until change is permitted, 0 now, -1 paused indefinitely, -2 not ready or not computable.",
            "Seconds for which change is permitted, 0 not now, -1 indefinitely, -2 not ready.",
            "Seconds since change was last permitted, 0 now, -1 unknown.",
            "Whether the strategy is the one in effect.",
        ),
    )
)


ORPHAN = "change_management_orphan"
"""Of this collection, not of the enhancement, as are those below."""
EVALUATED = "change_management_evaluated_timestamp_seconds"
WINDOW_START = "change_management_window_start_timestamp_seconds"
WINDOW_END = "change_management_window_end_timestamp_seconds"
PENDING_SINCE = "change_management_pending_since_timestamp_seconds"
WAITING_UNTIL = "change_management_waiting_until_timestamp_seconds"


def exposition(judged: Iterable[Judged], orphans: Iterable[str] = ()) -> str:
    """Return all metrics of all resources, one line each, after their descriptions; and assignments to none."""
    resources = list(judged)
    lines = []
    for metric in METRICS:
        lines += _described(metric, _HELP[metric], (line for one in resources for line in _samples(metric, one)))
    for metric, meaning in _INSTANTS.items():
        lines += _described(metric, meaning, (line for one in resources for line in _instants(metric, one)))
    assigned = (f"{ORPHAN}{_written({'assignment': key})} 1" for key in orphans)
    lines += _described(ORPHAN, "Assignments to resources that the cluster does not have.", assigned)
    return "\n".join(lines) + "\n"


def _described(metric: str, meaning: str, samples: Iterable[str]) -> list[str]:
    return [f"# HELP {metric} {meaning}", f"# TYPE {metric} gauge", *samples]


_INSTANTS = {
    EVALUATED: "The time of the evaluation.",
    WINDOW_START: "The start of the current and the next windows, by their number.",
    WINDOW_END: "The end of these windows, +Inf for a window without an end.",
    PENDING_SINCE: "The time since which a change is pending, at the latest the time of the evaluation.",
    WAITING_UNTIL: "The time at which a pending change that is blocked can start, +Inf for no window.",
}


def _instants(metric: str, judged: Judged) -> Iterator[str]:
    state, labels = judged.state, _labels(judged)
    if metric == EVALUATED:
        yield f"{metric}{_written(labels)} {state.instant}"
    elif metric in (WINDOW_START, WINDOW_END):
        for number, window in enumerate(state.windows):
            moment = window.start if metric == WINDOW_START else window.end
            yield f"{metric}{_written({**labels, 'window': str(number)})} {_instant(moment)}"
    elif metric == PENDING_SINCE and judged.resource.pending:
        since = judged.resource.pending_since
        yield f"{metric}{_written(labels)} {read_instant(since, metric) if since else state.instant}"
    elif metric == WAITING_UNTIL and judged.resource.pending and not state.permitted:
        yield f"{metric}{_written(labels)} {_instant(judged.waiting_until)}"


def _instant(moment: int | None) -> str:
    return "+Inf" if moment is None else str(moment)


def _labels(judged: Judged) -> dict[str, str]:
    name = judged.resource.name
    return {
        "kind": name.kind,
        "object": f"{name.namespace}/{name.name}" if name.namespace else name.name,
        "system": name.system,
    }


def _samples(metric: str, judged: Judged) -> Iterator[str]:
    labels = _labels(judged)
    value = judged.state.as_data()[metric]
    if isinstance(value, dict):
        for strategy, enabled in value.items():
            yield f"{metric}{_written({**labels, 'strategy': strategy})} {enabled}"
    else:
        yield f"{metric}{_written(labels)} {value}"


def _written(labels: Mapping[str, str]) -> str:
    return "{" + ",".join(f'{name}="{_escaped(value)}"' for name, value in labels.items()) + "}"


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
