# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The clusters of a fleet on one page: by state, release and window, and what prevents their updates."""

from __future__ import annotations

import typing as t
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timezone

from ansible_collections.fieldops.openshift.plugins.module_utils._fleet.plan.cluster_state import AVAILABLE, FAILED
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.html_page import (
    TABLE_STYLE,
    html_page,
    notice,
    table,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.timestamps import timestamp

Cluster = Mapping[str, t.Any]

MOST_LINES = 20
"""Clusters with a cause that a terminal shows."""
_COUNTED = {"state": "State", "version": "Release", "window": "Window", "ring": "Ring", "hardware": "Hardware"}


def fleet_html(clusters: Sequence[Cluster], now: int) -> str:
    """Return the page, written ``now`` in seconds since the epoch; all that comes from a hub is escaped."""
    blocked = _blocked(clusters)
    written = timestamp(datetime.fromtimestamp(now, timezone.utc))
    body = [
        f"<p>{len(clusters)} clusters, read from the hub. Written at {written}.</p>",
        *notice("waiting", "No clusters", [] if clusters else ["The inventory has no group managed_clusters."]),
        *_counts(clusters),
        *table("What prevents updates", ("Cluster", "State", "Release", "Cause"), [_cause(one) for one in blocked]),
        *_all(clusters),
    ]
    return html_page("Fleet status", body, TABLE_STYLE)


def fleet_lines(clusters: Sequence[Cluster]) -> list[str]:
    """Return the same for a terminal, without the list of all clusters."""
    lines = [f"{len(clusters)} clusters"]
    for key, name in _COUNTED.items():
        lines.append(f"{name}: {', '.join(f'{count} {value}' for value, count in _counted(clusters, key))}")
    blocked = _blocked(clusters)
    lines += [f"{one['cluster_name']}: {' '.join(one['cluster_blocks'])}" for one in blocked[:MOST_LINES]]
    more = len(blocked) - MOST_LINES
    return [*lines, f"and {more} more clusters that cannot be updated"] if more > 0 else lines


def _counts(clusters: Sequence[Cluster]) -> Iterator[str]:
    for key, name in _COUNTED.items():
        rows = [(value, str(count), f"{count / len(clusters):.1%}") for value, count in _counted(clusters, key)]
        yield from table(f"By {name.lower()}", (name, "Clusters", "Share"), rows)


def _counted(clusters: Sequence[Cluster], key: str) -> list[tuple[str, int]]:
    found = Counter(str(one[f"cluster_{key}"]) or "none" for one in clusters)
    return sorted(found.items(), key=lambda item: (-item[1], item[0]))


def _blocked(clusters: Sequence[Cluster]) -> list[Cluster]:
    """Return those with a cause, failed installations first."""
    found = [one for one in clusters if one["cluster_blocks"]]
    return sorted(found, key=lambda one: (one["cluster_state"] != FAILED, one["cluster_state"], one["cluster_name"]))


def _cause(one: Cluster) -> tuple[str, ...]:
    state, causes = _words(one["cluster_state"]), " ".join(one["cluster_blocks"])
    return (one["cluster_name"], state, one["cluster_version"], causes)


def _all(clusters: Sequence[Cluster]) -> Iterator[str]:
    ordered = sorted(clusters, key=lambda one: (one["cluster_state"] == AVAILABLE, one["cluster_name"]))
    rows = [
        (
            one["cluster_name"],
            _words(one["cluster_state"]),
            *(one[f"cluster_{key}"] for key in (*_COUNTED, "platform")[1:]),
        )
        for one in ordered
    ]
    columns = ("Cluster", "State", "Release", "Window", "Ring", "Hardware", "Platform")
    yield from table("All clusters", columns, rows)


def _words(state: str) -> str:
    return state.replace("_", " ")
