# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which certificates run out, of those that every node trusts or uses?

The machine-config operator lists them with their dates in the ControllerConfig, so that no Secret has to be read for
it. Source: openshift/api, machineconfiguration/v1/types.go, ControllerCertificate. The operators renew a certificate
when a fifth of its life is left (library-go, pkg/operator/certrotation): one that is older is late.
"""

from __future__ import annotations

import typing as t
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.kinds import CONTROLLER_CONFIG
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.finding import Finding, fault
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.micro_time import instant_of

_LATE = 5


def certificate_findings(controller_config: Mapping[str, t.Any] | None, now: datetime, days: int) -> Iterator[Finding]:
    """Yield the certificates that have run out, or are late and do within ``days``.

    A bundle keeps old certificates of a signer in addition to the newer one: the newest of each signer counts.
    """
    status = (controller_config or {}).get("status") or {}
    newest: dict[tuple[str, str], tuple[datetime, datetime | None]] = {}
    for one in status.get("controllerCertificates") or []:
        until, since = instant_of(str(one.get("notAfter") or "")), instant_of(str(one.get("notBefore") or ""))
        key = (str(one.get("bundleFile")), str(one.get("subject")).partition("@")[0])
        if until is not None and (key not in newest or newest[key][0] < until):
            newest[key] = (until, since)
    for (bundle, subject), (until, since) in sorted(newest.items()):
        seen = _doubt(until, since, now, days)
        if seen:
            advice = "Wait until its operator renews it before nodes are rebooted, or renew it manually."
            yield fault("certificate_expiring", CONTROLLER_CONFIG, bundle, f"holds {subject}, which {seen}", advice)


def _doubt(until: datetime, since: datetime | None, now: datetime, days: int) -> str:
    if until <= now:
        return f"expired on {until:%Y-%m-%d %H:%M} UTC"
    left = until - now
    late = since is None or left * _LATE <= until - since
    if late and left <= timedelta(days=days):
        return f"expires on {until:%Y-%m-%d %H:%M} UTC and has not been renewed"
    return ""
