# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""All that decides how a policy for boot images takes effect on a cluster, as of one check."""

from __future__ import annotations

from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.managers import (
    MACHINE_SETS,
    Managers,
    effective,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.observed import (
    Object,
    ObservedPolicy,
    SkewStanza,
    as_list,
    as_mapping,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.skew.mode import (
    SkewMode,
    determine_mode,
    install_version,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.skew.platforms import (
    SKEW_SINCE,
    Platform,
    Release,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.skew.versions import parse_generic

SKEW_GATE = "BootImageSkewEnforcement"


@dataclass(frozen=True)
class PolicySite:
    """What was read: the policy, and around it the platform, releases and whether skew is enforced here at all.

    ``version`` is that of the newest entry of the ClusterVersion's history, ``installed`` that of the installation.
    """

    policy: ObservedPolicy
    platform: Platform
    version: str
    installed: str
    skew_enforced: bool
    legacy_provisioning: bool = False

    def determined(self, managers: Managers, skew: SkewStanza | None) -> SkewMode:
        """Return the skew mode that the operator arrives at where spec says ``managers`` and ``skew``."""
        selection = effective(managers, MACHINE_SETS, self.platform)
        return determine_mode(
            self.platform,
            spec=skew,
            status=self.policy.status_skew,
            machine_sets_mode=str(selection.get("mode") or ""),
            install_version=self.installed,
            legacy_provisioning=self.legacy_provisioning,
        )


def site_of(
    found: Object | None,
    infrastructure: Object | None,
    cluster_version: Object | None,
    feature_gate: Object | None,
    *,
    legacy_provisioning: bool,
) -> PolicySite:
    """Return the site from the objects as they were read, None being an object's absence."""
    status = as_mapping(as_mapping(cluster_version).get("status"))
    history = [one for one in as_list(status.get("history")) if isinstance(one, dict)]
    version = str((history[0].get("version") if history else "") or "")
    policy = ObservedPolicy.of(found)
    desired = str(as_mapping(status.get("desired")).get("version") or "")
    return PolicySite(
        policy=policy,
        platform=platform_of(infrastructure, release_of(version)),
        version=version,
        installed=install_version(history),
        skew_enforced=_skew_enforced(policy, feature_gate, desired, release_of(version)),
        legacy_provisioning=legacy_provisioning,
    )


def platform_of(infrastructure: Object | None, release: Release) -> Platform:
    """Return the platform of the Infrastructure ``cluster``."""
    status = as_mapping(as_mapping(infrastructure).get("status"))
    said = as_mapping(status.get("platformStatus"))
    return Platform(
        type=str(said.get("type") or ""),
        release=release,
        cloud=str(as_mapping(said.get("azure")).get("cloudName") or ""),
        single_replica=status.get("controlPlaneTopology") == "SingleReplica",
    )


def release_of(version: str) -> Release:
    """Return major and minor of a release's version, zeros where it cannot be read."""
    numbers = parse_generic(version)
    return (numbers[0], numbers[1]) if numbers else (0, 0)


def _skew_enforced(policy: ObservedPolicy, feature_gate: Object | None, version: str, release: Release) -> bool:
    """Return whether the gate is on: as FeatureGate says, else by what the operator has written, else by release.

    Source: openshift/api, features/features.go, config/v1/types_feature.go.
    """
    said = as_list(as_mapping(as_mapping(feature_gate).get("status")).get("featureGates"))
    for details in said:
        if isinstance(details, dict) and details.get("version") == version:
            return any(as_mapping(one).get("name") == SKEW_GATE for one in as_list(details.get("enabled")))
    return policy.status_skew is not None or release >= SKEW_SINCE
