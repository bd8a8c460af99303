# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""One evaluation of change management as the module change_management_info shows it."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.guard import no_hopeless
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.local_time import local_time
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.read_site import (
    GuardCheck,
    Site,
    read_site,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.calendar_feed import calendar_feed
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
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.instants import read_instant
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.permissions import (
    estimate_of,
    permission_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.resources import POOL, ResourceName
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.site_changes import Judged
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.timelines import LocalTime
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.permission import Permission

NO_OPENING_DELAY = 60.0
"""Seconds until another check where no opening is known: a person has to act first."""

Fields = dict[str, t.Any]


def look_at_changes(client: ClusterClient, params: Mapping[str, t.Any]) -> tuple[Fields, str, float]:
    """Return the report for the module's arguments, where things stand in one line, and the seconds to the opening.

    Raise InvalidInputError when the requested resource does not exist: nothing would govern it. Raise
    PolicyError when no window of it is ever as long as the work.
    """
    asked = _asked(params)
    local = local_time(params["time_zone"])
    check = GuardCheck.of(params["guard"], params["windows"], local)
    overrides = {ResourceName.of_key(key).key: listed for key, listed in (params["overrides"] or {}).items()}
    site = read_site(client, replace(check, overrides=overrides))
    chosen = [_existing(site, asked)] if asked else list(site.judged)
    estimate = estimate_of((params["guard"] or {}).get("estimate", 0))
    permissions = [permission_of(one, estimate) for one in chosen]
    if asked:
        no_hopeless(permissions[0])
    nodes = _nodes(site, chosen, asked)
    going_on = _going_on(chosen, nodes)
    report = {
        "permitted": all(one.permitted for one in permissions),
        "permission": permissions[0].as_data() if asked else None,
        "who": site.asker.username,
        "clock": site.asker.clock.as_data(),
        "resources": [_resource(site, *pair) for pair in zip(chosen, permissions)],
        "nodes": nodes,
        "going_on": going_on,
        "summary": [
            *(f"{one.resource.name.title}: {one.state.sentence}" for one in chosen),
            *(f"continues because it had started: {one}" for one in going_on),
        ],
        "policies": policy_reports(site.governance, site.judged, site.now),
        "orphans": site.orphans,
        "exposition": exposition(chosen, site.orphans),
        "calendar": _calendar(site, chosen, params, local),
    }
    return report, _sentence(permissions), _delay(permissions, site.now)


def _resource(site: Site, judged: Judged, permission: Permission) -> Fields:
    document = site.governance.assignments.documents.get(judged.resource.name.key, {})
    found = document.get("changes")
    changes = [change for change in found if isinstance(change, dict)] if isinstance(found, list) else []
    return resource_report(judged, changes, filter(None, [permission.hopeless]))


def _asked(params: Mapping[str, t.Any]) -> ResourceName | None:
    if not params["kind"]:
        return None
    return ResourceName.of(params["kind"], params["name"], params["namespace"] or "")


def _existing(site: Site, asked: ResourceName) -> Judged:
    found = site.of(asked)
    if found is None:
        known = [one.resource.name.title for one in site.judged]
        raise InvalidInputError(
            "determine whether change is permitted",
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


def _going_on(chosen: Sequence[Judged], nodes: Sequence[Fields]) -> list[str]:
    resources = [f"{one.resource.name.title}: {one.resource.pending_reason}" for one in chosen if one.resource.begun]
    return [*resources, *(f"node {node['name']}: {node['pending_reason']}" for node in nodes if node["begun"])]


def _calendar(site: Site, chosen: Sequence[Judged], params: Mapping[str, t.Any], local: LocalTime) -> Fields | None:
    days, title = params["calendar_days"], params["calendar_title"]
    if not days:
        return None
    alerts = site.governance.alerts(one.resource.name.key for one in site.judged)
    calendar = maintenance_calendar(chosen, site.now, days, alerts, local)
    return {
        "text": calendar_text(calendar),
        "html": calendar_page(calendar, title),
        "ics": calendar_feed(calendar, title),
    }


def _sentence(permissions: Sequence[Permission]) -> str:
    if not permissions:
        return "nothing in this cluster is governed by change management"
    restricted = [one for one in permissions if not one.permitted]
    if not restricted:
        title = permissions[0].resource if len(permissions) == 1 else f"all of {len(permissions)} resources"
        return f"change is permitted for {title}"
    others = f"; so are {len(restricted) - 1} more" if len(restricted) > 1 else ""
    return f"{restricted[0].sentence}{others}"


def _delay(permissions: Sequence[Permission], now: int) -> float:
    """Return the seconds until the last of the restricted ones opens, so that one sleep is enough."""
    openings = [one.next_permitted for one in permissions if not one.permitted]
    if not all(openings):
        return NO_OPENING_DELAY
    return float(max((read_instant(opening, "next_permitted") - now for opening in openings), default=0))
