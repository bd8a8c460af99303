# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The report of a site as one page that can be read, mailed and printed without a network."""

from __future__ import annotations

import typing as t
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape

from ansible_collections.fieldops.openshift.plugins.module_utils._reports.plan.outcome import NONE, RUNNING, UNKNOWN
from ansible_collections.fieldops.openshift.plugins.module_utils._reports.plan.timeline import STYLE as CHART_STYLE
from ansible_collections.fieldops.openshift.plugins.module_utils._reports.plan.timeline import legend, timelines
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.ending_status import (
    DONE,
    NEEDS_PERSON,
    NOTHING_TO_DO,
    WAITS,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.html_page import (
    TABLE_STYLE,
    html_page,
    notice,
    table,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import format_size
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.time_lengths import describe_seconds

Fields = Mapping[str, t.Any]

MOST_WINDOWS = 5
"""Future windows of each resource that the page lists."""

_STATUS = {
    DONE: ("open", "Done"),
    NOTHING_TO_DO: ("open", "Nothing to do"),
    WAITS: ("closed", "Waits for a window"),
    NEEDS_PERSON: ("fault", "Needs a person"),
    RUNNING: ("closed", "In progress"),
    NONE: ("closed", "No update"),
    UNKNOWN: ("fault", "Unknown"),
}
_STANDING = {
    "done": "done",
    "failed": "failed",
    "in_progress": "in progress",
    "pending": "not started",
    "held_back": "held back",
    "skipped": "left out",
}
_STYLE = """
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.1rem 1rem; margin: 0.6rem 0 0; }
dt { color: var(--faint); }
dd { margin: 0; overflow-wrap: anywhere; }
@media (max-width: 45rem) { dl { grid-template-columns: 1fr; } }
"""


def report_page(report: Fields) -> str:
    """Return the page of a report as ``site_document`` makes it; all that comes from outside is escaped."""
    asked = report["asked"]
    title = f"Update to {asked['version']}" if asked["version"] else "Update report"
    body = [
        *_outcome(report),
        *_asked(report),
        *notice("wrong", "Missing in this report", (f"{one['part']}: {one['reason']}" for one in report["missing"])),
        *_timeline(report),
        *_nodes(report),
        *_windows(report["changes"]),
        *_findings(report["findings"]),
        *_space(report["space"]),
        *_boot_images(report["boot_images"]),
        *_history(report["versions"]["history"]),
        *_runs(report["runs"]),
    ]
    return html_page(title, body, TABLE_STYLE + _STYLE + CHART_STYLE)


def _outcome(report: Fields) -> Iterator[str]:
    outcome = report["outcome"]
    kind, word = _STATUS[outcome["status"]]
    yield f'<p><span class="word {kind}">{word}</span> {escape(outcome["sentence"])}</p>'
    yield f"<p>Read from the cluster at {_time(report['read'])} by {escape(report['read_by'])}. Times are UTC.</p>"


def _asked(report: Fields) -> Iterator[str]:
    asked, versions, outcome = report["asked"], report["versions"], report["outcome"]
    rows = {
        "Cluster": report["cluster_id"],
        "Release before": versions["before"],
        "Release now": versions["now"],
        "Requested release": _joined(asked["version"], asked["architecture"]),
        "Bundle": asked["bundle_digest"],
        "Bundle size": _size(asked["bundle_bytes"]),
        "Bundle built": _time(asked["bundle_built"]),
        "Bundle accepted": _joined(_time(asked["accepted"]), "by", asked["accepted_by"]),
        "Rollout": asked["rollout"],
        "Rollout started": _joined(_time(asked["started"]), "by", asked["started_by"]),
        "Last run ended": _joined(_time(outcome["ended"]), "by", outcome["by"]),
        "Remaining nodes": ", ".join(outcome["remaining"]),
        "Can continue": _time(outcome["next_permitted"]),
        "Estimate for the rest": _length(report["estimate"].get("remaining_seconds")),
    }
    yield "<section><h2>Summary</h2><dl>"
    yield from (f"<dt>{name}</dt><dd>{escape(text)}</dd>" for name, text in rows.items() if text)
    yield "</dl></section>"


def _timeline(report: Fields) -> Iterator[str]:
    figures = list(timelines(report["nodes"], report["changes"], report["read"]))
    if figures:
        yield '<section class="long"><h2>Timeline of nodes</h2>'
        yield from legend()
        yield from figures
        yield "</section>"


def _nodes(report: Fields) -> Iterator[str]:
    rows = [
        (
            node["name"],
            node["pool"],
            _joined(_STANDING.get(node["standing"], node["standing"]), node["reason"], separator=": "),
            _joined(_time(node["staged"]), _size(node["staged_bytes"]), separator=", "),
            _time(node["loaded"]),
            *(_time(_started(node, phase)) for phase in ("drain", "change", "reboot")),
            _time(node["done"]),
            _length(node["seconds"]),
        )
        for node in report["nodes"]
    ]
    columns = ("Node", "Pool", "State", "Staged", "Loaded", "Drain", "Change", "Reboot", "Done", "Time away")
    yield from table("Nodes", columns, rows)


def _started(node: Fields, phase: str) -> str:
    """Return when a phase of a node began last: a phase that failed begins again."""
    return max((one["start"] for one in node["segments"] if one["phase"] == phase), default="")


def _windows(changes: Sequence[Fields]) -> Iterator[str]:
    rows = [
        (one["resource"], one["sentence"], _time(one["next_permitted"]), "; ".join(map(_window, _ahead(one))))
        for one in changes
    ]
    yield from table("Change windows", ("Resource", "State", "Next opening", "Windows"), rows)


def _ahead(change: Fields) -> Sequence[Fields]:
    """Return the windows from the next opening on, or the last ones where change is permitted."""
    opens = change["next_permitted"]
    ahead = [one for one in change["windows"] if opens and one["start"] >= opens]
    return (ahead or change["windows"][-1:])[:MOST_WINDOWS]


def _window(window: Fields) -> str:
    return f"{_time(window['start'])} to {_time(window['end'])}" if window["end"] else f"from {_time(window['start'])}"


def _findings(findings: Iterable[Fields]) -> Iterator[str]:
    rows = [
        (f"{one['severity']}{' (allowed)' if one['allowed'] else ''}", one["object"], one["seen"], one["remedy"])
        for one in findings
    ]
    yield from table("Findings", ("Severity", "Object", "Found", "Remedy"), rows)


def _space(space: Iterable[Fields]) -> Iterator[str]:
    rows = [
        (one["node"], one["filesystem"], format_size(one["free"]), format_size(one["size"]), f"{one['percent']} %")
        for one in space
    ]
    yield from table("Free space", ("Node", "File system", "Free", "Size", "Free share"), rows)


def _boot_images(boot_images: Fields) -> Iterator[str]:
    rows = [
        (
            f"{one['kind']} {one['name']}",
            one["standing"].replace("_", " "),
            one["current"]["image"],
            one["target"]["image"],
            one["reason"],
        )
        for one in boot_images["resources"]
    ]
    columns = ("Machine resource", "State", "Boot image", "Image of the release", "Reason")
    yield from table("Boot images", columns, rows)


def _history(history: Iterable[Fields]) -> Iterator[str]:
    rows = [
        (
            one["version"],
            one["state"],
            _time(one["started"]),
            _time(one["completed"]),
            "yes" if one["verified"] else "no",
        )
        for one in history
    ]
    yield from table(
        "Releases of the cluster", ("Release", "State", "Started", "Completed", "Signature verified"), rows
    )


def _runs(runs: Iterable[Fields]) -> Iterator[str]:
    rows = [
        (_time(run["ended"]), run["version"], _STATUS[run["status"]][1], run["by"], run["sentence"]) for run in runs
    ]
    yield from table("Runs", ("Ended", "Release", "Ending", "User", "Result"), rows)


def _time(instant: str) -> str:
    """Return an instant of RFC 3339 in UTC for people, to the second; another text as it is."""
    return f"{instant[:10]} {instant[11:19]}" if instant[10:11] == "T" else instant


def _size(count: int) -> str:
    return format_size(count) if count else ""


def _length(seconds: float | None) -> str:
    return "" if seconds is None else describe_seconds(round(seconds))


def _joined(first: str, *others: str, separator: str = " ") -> str:
    """Return the texts in one, unless the last one or the first is missing."""
    return separator.join([first, *others]) if first and others[-1] else first
