# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Channels that a site subscribes to and that do not travel: OLM updates an operator only within its channel.

Source: operator-framework/operator-lifecycle-manager ``pkg/controller/registry/resolver/resolver.go``.
"""

from __future__ import annotations

import typing as t
from collections.abc import Iterable, Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.installed_operator import (
    InstalledOperator,
)


def channel_warnings(report: Iterable[Mapping[str, t.Any]], installed: Iterable[InstalledOperator]) -> list[str]:
    """Return a sentence for each subscription to a channel that is not in ``report``, a row for each included one."""
    included: dict[str, list[str]] = {}
    for row in report:
        included.setdefault(row["package"], []).append(row["channel"])
    return [
        f"the site subscribes to the channel {one.channel[:100]} of {one.package}, which is not included: change the "
        f"subscription to {' or '.join(included[one.package])}"
        for one in installed
        if one.channel and one.channel not in included.get(one.package, (one.channel,))
    ]
