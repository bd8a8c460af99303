# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""One look at change management as the module change_management_info shows it."""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.read_site import Look, Site, read_site
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.calendar_page import calendar_page
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.calendar_text import (
    calendar_text,
    maintenance_calendar,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.changes_report import (
    node_reports,
    policy_reports,
    resource_report,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.exposition import exposition
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.resources import POOL, ResourceName
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

if t.TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.site_changes import Judged
    from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient

NO_OPENING_DELAY = 60.0
"""Seconds until another look where no opening is known: somebody has to act first."""

Fields = dict[str, t.Any]


def look_at_changes(client: ClusterClient, params: Mapping[str, t.Any]) -> tuple[Fields, str, float]:
    """Return the report for the module's arguments, where things stand in one line, and the seconds to the opening.

    Raise InvalidInputError when the resource that is asked about does not exist: nothing would govern it.
    """
    asked = _asked(params)
    site = read_site(client, _look(params))
    chosen = [_existing(site, asked)] if asked else list(site.judged)
    restricted = [one for one in chosen if not one.state.permitted]
    report = {
        "permitted": not restricted,
        "who": site.asker.username,
        "clock": site.asker.clock.as_data(),
        "resources": [resource_report(one, _changes_of(site, one)) for one in chosen],
        "nodes": _nodes(site, chosen, asked),
        "policies": policy_reports(site.governance, site.judged, site.now),
        "exposition": exposition(chosen),
        "calendar": _calendar(site, chosen, params["calendar_days"], params["calendar_title"]),
    }
    return report, _sentence(chosen, restricted), _delay(restricted)


def _look(params: Mapping[str, t.Any]) -> Look:
    return Look(
        policies=params["policies"],
        assignments=params["assignments"],
        windows=params["windows"],
        clock_limit=params["clock_limit"],
    )


def _asked(params: Mapping[str, t.Any]) -> ResourceName | None:
    if not params["kind"]:
        return None
    return ResourceName.of(params["kind"], params["name"], params["namespace"] or "")


def _existing(site: Site, asked: ResourceName) -> Judged:
    found = site.of(asked)
    if found is None:
        known = [one.resource.name.title for one in site.judged]
        raise InvalidInputError(
            "tell whether change is permitted",
            on=asked.title,
            seen="there is no such resource",
            advice=f"Use one of these: {', '.join(known[:20]) or 'the cluster has none'}.",
        )
    return found


def _nodes(site: Site, chosen: Sequence[Judged], asked: ResourceName | None) -> list[Fields]:
    """Return the nodes of the chosen pools, all where nothing was chosen."""
    reports = node_reports(site.nodes, site.judged)
    if asked is None:
        return reports
    pools = {one.resource.name.name for one in chosen if one.resource.name.kind == POOL}
    return [report for report in reports if report["pool"] in pools]


def _changes_of(site: Site, judged: Judged) -> list[Fields]:
    document = site.governance.assignments.documents.get(judged.resource.name.key, {})
    found = document.get("changes")
    return [change for change in found if isinstance(change, dict)] if isinstance(found, list) else []


def _calendar(site: Site, chosen: Sequence[Judged], days: int, title: str) -> Fields | None:
    if not days:
        return None
    calendar = maintenance_calendar(chosen, site.now, days)
    return {"text": calendar_text(calendar), "html": calendar_page(calendar, title)}


def _sentence(chosen: Sequence[Judged], restricted: Sequence[Judged]) -> str:
    if not chosen:
        return "nothing in this cluster is governed by change management"
    if not restricted:
        return f"change is permitted for {_names(chosen)}"
    first = restricted[0]
    others = f"; so are {len(restricted) - 1} more" if len(restricted) > 1 else ""
    return f"{first.resource.name.title}: {first.state.sentence}{others}"


def _names(chosen: Sequence[Judged]) -> str:
    return chosen[0].resource.name.title if len(chosen) == 1 else f"all of {len(chosen)} resources"


def _delay(restricted: Sequence[Judged]) -> float:
    """Return the seconds until the last of the restricted ones opens, so that one sleep is enough."""
    waits = [one.state.next_change_eta for one in restricted]
    if any(wait < 0 or state.next_transition is None for wait, state in zip(waits, (one.state for one in restricted))):
        return NO_OPENING_DELAY
    return float(max(waits, default=0))
