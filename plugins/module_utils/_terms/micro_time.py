# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Instants as Kubernetes' MicroTime and as its Time: RFC 3339 in UTC."""

from __future__ import annotations

import re
from datetime import datetime, timezone

_RFC3339 = re.compile(r"(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?([Zz]|[+-]\d\d:\d\d)")


def micro_time(instant: datetime) -> str:
    """Return an aware instant as the API server reads a MicroTime: exactly six digits after the second.

    Texts of one clock sort as their instants do. Source: k8s.io/apimachinery, pkg/apis/meta/v1/micro_time.go.
    """
    return instant.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def instant_of(text: str) -> datetime | None:
    """Return the aware instant that an RFC 3339 text names, None for any other text."""
    match = _RFC3339.fullmatch(text.strip())
    if not match:
        return None
    day, clock, fraction, zone = match.groups()
    offset = "+00:00" if zone in "Zz" else zone
    try:
        return datetime.fromisoformat(f"{day}T{clock}.{(fraction or '0')[:6]:0<6}{offset}")
    except ValueError:
        return None
