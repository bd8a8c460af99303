# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Reads the skew of a cluster, as its operator sees it or as one with another limit would."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.do.policy_reading import read_site
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.site import PolicySite
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.skew.enforcement import (
    alert_text,
    enforce,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.skew.limits import (
    SkewLimit,
    limit_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.skew.mode import SkewMode
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.skew.report import SkewReport
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.conditions import Condition, conditions_of
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import CLUSTER_OPERATOR

OPERATOR = "machine-config"


def read_skew(client: ClusterClient, given_limit: Mapping[str, t.Any] | None = None) -> SkewReport:
    """Read the cluster once and return its skew; ``given_limit`` has ``ocp`` and ``rhel``, see ``limits.limit_of``."""
    limit = limit_of(given_limit)
    return skew_of(read_site(client)[1], limit, read_operator(client))


def skew_of(site: PolicySite, limit: SkewLimit, operator: Condition | None) -> SkewReport:
    """Return the skew of what was read; ``operator`` is the condition Upgradeable of the ClusterOperator."""
    policy, held = site.policy, site.policy.status_skew
    current = SkewMode(held.mode, held.ocp_version, held.rhcos_version) if held else None
    determined = site.determined(policy.managers, policy.skew)
    judged = current if site.skew_enforced else None
    return SkewReport(
        enforced=site.skew_enforced,
        current=current,
        determined=determined,
        limit=limit,
        present=enforce(judged, policy.conditions, limit, site.version),
        forecast=enforce(determined, policy.conditions, limit, site.version),
        install_version=site.installed,
        alert=alert_text(judged.mode if judged else "", site.platform),
        operator=operator,
    )


def read_operator(client: ClusterClient) -> Condition | None:
    """Return the condition Upgradeable of the ClusterOperator, None where there is none."""
    found = client.get(CLUSTER_OPERATOR, OPERATOR, missing_ok=True)
    return conditions_of(found or {}).get("Upgradeable")
