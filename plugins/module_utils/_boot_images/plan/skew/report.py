# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Skew as results show it: what holds now, what the operator would determine, and what a next release would say."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.skew.enforcement import (
    ALERT,
    Enforcement,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.skew.limits import SkewLimit
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.skew.mode import SkewMode
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.conditions import Condition


@dataclass(frozen=True)
class SkewReport:
    """All that is known of the skew of a cluster.

    ``enforced`` says whether its release enforces skew at all, ``current`` is what the operator's status says, None
    where it says nothing, and ``determined`` what it would determine from what is configured. ``present`` is the
    judgement on ``current``, ``forecast`` that on ``determined``, as a release that enforces skew would make it.
    """

    enforced: bool
    current: SkewMode | None
    determined: SkewMode
    limit: SkewLimit
    present: Enforcement
    forecast: Enforcement
    install_version: str
    alert: str = ""
    operator: Condition | None = None

    @property
    def sentence(self) -> str:
        """Return whether a minor update can begin, in one line."""
        for judged in (self.present, self.forecast):
            if judged.blocked:
                return judged.message
        if not self.enforced:
            return f"boot images block no minor update: this release does not enforce skew; {self.forecast.why}"
        return f"boot images block no minor update: {self.present.why}"

    def as_data(self) -> dict[str, t.Any]:
        """Return it as results show it."""
        current = self.current
        return {
            "enforced": self.enforced,
            "mode": current.mode if current else "",
            "ocp_version": current.ocp_version if current else "",
            "rhcos_version": current.rhcos_version if current else "",
            "determined": self.determined.as_data(),
            "install_version": self.install_version,
            "limit": self.limit.as_data(),
            **self.present.as_data(),
            "forecast": self.forecast.as_data(),
            "alert": {"name": ALERT, "text": self.alert} if self.alert else {},
            "operator": _condition(self.operator),
            "sentence": self.sentence,
        }


def _condition(found: Condition | None) -> Mapping[str, str]:
    if found is None:
        return {}
    return {"upgradeable": found.status, "reason": found.reason, "message": found.message}
