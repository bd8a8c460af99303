# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What does the monitoring of the cluster complain of?"""

from __future__ import annotations

import typing as t
from collections.abc import Iterator, Mapping, Sequence

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.finding import (
    Finding,
    fault,
    notice,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import ObjectKind

ALERT = ObjectKind("", "Alert")
_ADVICE = "See the alert in the console, or silence it during the work if it is expected."


def alert_findings(alerts: Sequence[Mapping[str, t.Any]]) -> Iterator[Finding]:
    """Yield firing alerts: critical ones as faults, warnings as notices. Others, such as Watchdog, are none.

    ``alerts`` are those of Prometheus' HTTP API, ``/api/v1/alerts``. Alerts of one name and namespace are reported
    once.
    """
    told = set()
    for alert in alerts:
        labels, notes = alert.get("labels") or {}, alert.get("annotations") or {}
        name, space = str(labels.get("alertname", "")), str(labels.get("namespace", ""))
        severity = labels.get("severity")
        if alert.get("state") != "firing" or severity not in ("critical", "warning") or (name, space) in told:
            continue
        told.add((name, space))
        said = str(notes.get("summary") or notes.get("message") or notes.get("description") or "it has no description")
        if severity == "critical":
            yield fault("alert_critical", ALERT, name, f"is firing: {said}", _ADVICE, space)
        else:
            yield notice("alert_warning", ALERT, name, f"is firing: {said}", _ADVICE, space)


def unread_alerts(why: str) -> Finding:
    """Return the finding that the state of the monitoring is unknown."""
    advice = "Check the console, or use a token with the permissions of cluster-monitoring-view."
    return notice("alerts_unread", ALERT, "all", f"could not be read: {why}", advice)
