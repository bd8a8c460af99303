# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Reads when change was and will be permitted, for a report."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping
from dataclasses import replace
from itertools import islice, takewhile

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.read_site import GuardCheck, read_site
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.change_state import windows_from
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.instants import DAY, read_instant
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.permissions import (
    estimate_of,
    permission_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.site_changes import Judged
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient

MOST_WINDOWS = 200
AHEAD = 35 * DAY


def read_windows(client: ClusterClient, guard: Mapping[str, t.Any] | None, since: str) -> list[dict[str, t.Any]]:
    """Return each governed resource with its windows from the instant ``since`` on, and whether it permits change now.

    Past windows are those that the present documents describe. Without ``since`` they begin now. Raise ApiError, and
    PolicyError for an invalid ``guard``.
    """
    site = read_site(client, replace(GuardCheck.of(guard), allow_missing=True), with_nodes=False)
    start = min(read_instant(since, "since"), site.now) if since else site.now
    return [_windows(one, start, site.now + AHEAD) for one in site.judged]


def _windows(judged: Judged, start: int, end: int) -> dict[str, t.Any]:
    ahead = takewhile(lambda one: one.start < end, windows_from(judged.governed.timeline, start))
    permission = permission_of(judged, estimate_of(0))
    return {
        "kind": judged.resource.name.kind,
        "name": judged.resource.name.name,
        "resource": permission.resource,
        "permitted": permission.permitted,
        "sentence": judged.state.lasting,
        "next_permitted": permission.next_permitted,
        "windows": [window.as_data() for window in islice(ahead, MOST_WINDOWS)],
    }
