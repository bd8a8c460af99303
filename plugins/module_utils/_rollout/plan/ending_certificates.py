# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Certificates that machine-config daemons bring to nodes, and that end so soon that nodes are at risk.

A daemon brings a renewed authority to its node whether the pool is paused or not, but not to a node that is away, and
its expiry is not visible from pools alone.
"""

from __future__ import annotations

import typing as t
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.micro_time import instant_of

DAY = 86400


@dataclass(frozen=True)
class EndingCertificate:
    """A certificate of ``bundle`` (the operator's name of a file) that ends at ``not_after``, in ``days`` from now."""

    bundle: str
    subject: str
    signer: str
    not_after: str
    days: float

    def as_data(self) -> dict[str, t.Any]:
        """Return the certificate as module results show it."""
        return {
            "bundle": self.bundle,
            "subject": self.subject,
            "signer": self.signer,
            "not_after": self.not_after,
            "days": round(self.days, 1),
        }


def ending_certificates(
    controller_config: Mapping[str, t.Any] | None, now: datetime, within_days: int
) -> list[EndingCertificate]:
    """Return what of a ControllerConfig ends within some days or has ended, the soonest first.

    Source: openshift/api, machineconfiguration/v1, ControllerConfigStatus.controllerCertificates.
    """
    listed = ((controller_config or {}).get("status") or {}).get("controllerCertificates") or []
    found = []
    for one in listed:
        ends = instant_of(str(one.get("notAfter") or ""))
        if ends is None:
            continue
        days = (ends - now).total_seconds() / DAY
        if days <= within_days:
            bundle, subject, signer = (str(one.get(name) or "") for name in ("bundleFile", "subject", "signer"))
            found.append(EndingCertificate(bundle, subject, signer, str(one["notAfter"]), days))
    return sorted(found, key=lambda certificate: (certificate.days, certificate.subject))
