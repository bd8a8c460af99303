# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The local time of a site, in addition to UTC."""

from __future__ import annotations

from datetime import datetime, timezone
from zoneinfo import ZoneInfo

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.policy_error import PolicyError, quoted
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.timelines import LocalTime, no_local_time

CONTROLLER = "local"


def local_time(zone: str) -> LocalTime:
    """Return what writes instants in ``zone``, of the time zone database or CONTROLLER's; nothing for an empty one.

    Raise PolicyError for a zone that this controller does not know.
    """
    if not zone:
        return no_local_time
    try:
        known = None if zone == CONTROLLER else ZoneInfo(zone)
    except (OSError, ValueError, KeyError) as error:
        rule = "Use a zone of the time zone database, such as 'Europe/Berlin', or 'local'."
        raise PolicyError("time_zone", f"{quoted(zone)} is unknown to this controller", rule) from error

    def written(instant: int) -> str:
        try:
            moment = datetime.fromtimestamp(instant, timezone.utc).astimezone(known)
        except (OverflowError, ValueError):
            return ""
        return f" ({moment:%a %Y-%m-%d %H:%M %Z})"

    return written
