# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""The five metrics as text that Prometheus reads, for node-exporter's textfile collector.

Source: openshift/enhancements pull request 1571, "Change Management Metrics"; format: Prometheus, "Exposition formats".
"""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.change_state import METRICS

if t.TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

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
"""Of this collection, not of the enhancement, as are its names without a source."""


def exposition(judged: Iterable[Judged], orphans: Iterable[str] = ()) -> str:
    """Return all metrics of all resources, one line each, after their descriptions; and assignments to none."""
    resources = list(judged)
    lines = []
    for metric in METRICS:
        lines += [f"# HELP {metric} {_HELP[metric]}", f"# TYPE {metric} gauge"]
        lines += [line for one in resources for line in _samples(metric, one)]
    lines += [f"# HELP {ORPHAN} Assignments to resources that the cluster does not have.", f"# TYPE {ORPHAN} gauge"]
    lines += [f"{ORPHAN}{_written({'assignment': key})} 1" for key in orphans]
    return "\n".join(lines) + "\n"


def _samples(metric: str, judged: Judged) -> Iterator[str]:
    name = judged.resource.name
    labels = {
        "kind": name.kind,
        "object": f"{name.namespace}/{name.name}" if name.namespace else name.name,
        "system": name.system,
    }
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
