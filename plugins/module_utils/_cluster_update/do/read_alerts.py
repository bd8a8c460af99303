# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Reads the alerts that are active, from where the console reads them.

Source: oc, pkg/cli/admin/inspectalerts: the route thanos-querier with the token of the caller.
"""

from __future__ import annotations

import json

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.kinds import ROUTE
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.check_alerts import (
    alert_findings,
    unread_alerts,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.finding import Finding
from ansible_collections.fieldops.openshift.plugins.module_utils._net.http_client import HttpClient
from ansible_collections.fieldops.openshift.plugins.module_utils._net.tls import TlsSettings
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import CONFIG_MAP

_NAMESPACE, _ROUTE = "openshift-monitoring", "thanos-querier"
_CA_NAMESPACE, _CA_NAME, _CA_KEY = "openshift-config-managed", "default-ingress-cert", "ca-bundle.crt"
_LONGEST_SECONDS = 20.0


def read_alert_findings(client: ClusterClient, deadline: Deadline) -> tuple[Finding, ...]:
    """Return the findings on alerts; where the monitoring does not answer, one that says why.

    Raise ApiError when the API does not answer or refuses.
    """
    host = _host(client, deadline)
    bearer = (client.access.configuration.auth_settings().get("BearerToken") or {}).get("value") or ""
    if not host:
        return (unread_alerts(f"there is no route {_NAMESPACE}/{_ROUTE}"),)
    if not bearer:
        return (unread_alerts("the monitoring requires a token, and there is none"),)
    found = client.get(CONFIG_MAP, _CA_NAME, _CA_NAMESPACE, deadline=deadline) or {}
    authority = (found.get("data") or {}).get(_CA_KEY)
    tls = TlsSettings(verify=bool(client.access.configuration.verify_ssl), ca_pem=authority)
    with HttpClient(client.clock, tls=tls) as http:
        return fetch_alert_findings(http, f"https://{host}", bearer, deadline.within(_LONGEST_SECONDS))


def fetch_alert_findings(http: HttpClient, base: str, bearer: str, deadline: Deadline) -> tuple[Finding, ...]:
    """Return what the monitoring at ``base`` says to ``bearer``, the value of an Authorization header."""
    try:
        answer = http.request("GET", f"{base}/api/v1/alerts", headers={"Authorization": bearer}, deadline=deadline)
    except FieldOpsError as error:
        return (unread_alerts(error.seen),)
    if answer.status != 200:
        return (unread_alerts(f"the monitoring answered with status {answer.status}"),)
    try:
        alerts = json.loads(answer.body)["data"]["alerts"]
        return tuple(alert_findings(alerts))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return (unread_alerts("the answer of the monitoring is not a list of alerts"),)


def _host(client: ClusterClient, deadline: Deadline) -> str:
    route = client.get(ROUTE, _ROUTE, _NAMESPACE, missing_ok=True, deadline=deadline)
    return str(((route or {}).get("spec") or {}).get("host") or "")
