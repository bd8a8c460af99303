# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Reads what decides about the policy for boot images."""

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.observed import (
    MACHINE_CONFIGURATION,
    NAME,
    Object,
    as_mapping,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.site import (
    PolicySite,
    site_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.skew.platforms import BARE_METAL
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.api_error import ApiError
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import MissingRequirementError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import (
    CLUSTER_VERSION,
    INFRASTRUCTURE,
    ObjectKind,
)

FEATURE_GATE = ObjectKind("config.openshift.io/v1", "FeatureGate")
PROVISIONING = ObjectKind("metal3.io/v1alpha1", "Provisioning")
_FORBIDDEN = 403


def require_served(client: ClusterClient) -> None:
    """Raise MissingRequirementError on a cluster without the API."""
    if not client.serves(MACHINE_CONFIGURATION):
        raise MissingRequirementError(
            "set or read the policy for boot images",
            on=client.access.server,
            seen="the cluster does not have MachineConfiguration, which requires OpenShift 4.15 or later",
            advice="Update MachineSets with fieldops.openshift.boot_image; their images are not managed there.",
        )


def read_site(client: ClusterClient) -> tuple[Object | None, PolicySite]:
    """Return the MachineConfiguration, None where there is none, and all that decides about it.

    Tolerates what the cluster does not serve or does not let us see. Raise ApiError when the API does not answer.
    """
    found = client.get(MACHINE_CONFIGURATION, NAME, missing_ok=True)
    infrastructure = client.get(INFRASTRUCTURE, NAME, missing_ok=True)
    status = as_mapping(as_mapping(infrastructure).get("status"))
    bare_metal = as_mapping(status.get("platformStatus")).get("type") == BARE_METAL
    site = site_of(
        found,
        infrastructure,
        client.get(CLUSTER_VERSION, "version", missing_ok=True),
        _permitted(client, FEATURE_GATE, NAME),
        legacy_provisioning=bare_metal and _legacy_provisioning(client),
    )
    return found, site


def _legacy_provisioning(client: ClusterClient) -> bool:
    """Return whether bare metal machines boot what ``provisioningOSDownloadURL`` names, as before 4.10.

    Like the operator's, our answer is yes where the object may not be read.
    Source: machine-config-operator, pkg/operator/sync.go (isBareMetalOnLegacyProvisioningPath).
    """
    try:
        found = client.get(PROVISIONING, "provisioning-configuration", missing_ok=True)
    except ApiError as error:
        if error.status != _FORBIDDEN:
            raise
        return True
    return bool(as_mapping(as_mapping(found).get("spec")).get("provisioningOSDownloadURL"))


def _permitted(client: ClusterClient, kind: ObjectKind, name: str) -> Object | None:
    try:
        return client.get(kind, name, missing_ok=True)
    except ApiError as error:
        if error.status != _FORBIDDEN:
            raise
        return None
