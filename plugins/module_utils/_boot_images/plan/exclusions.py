# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Resources that are not ours to change, whatever their platform, in the order in which the operator looks.

Source: machine-config-operator, pkg/controller/bootimage/ms_helpers.go and cpms_helpers.go.
"""

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.machine_resource import (
    MachineResource,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.skew.platforms import (
    CONTROL_PLANE_ON,
    CONTROL_PLANE_SINCE,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.verdict import (
    Verdict,
    fault,
    left_alone,
)

HIVE_LABEL = "hive.openshift.io/managed"
CLUSTER_API = {
    "ClusterAPI": "it mirrors an object of the Cluster API, which is authoritative",
    "Migrating": "its authority is changing between Machine API and Cluster API: run this again after that",
}
"""By status.authoritativeAPI (openshift/api, machine/v1beta1; upstream's design for boot images leaves both alone)."""


def governed_elsewhere(resource: MachineResource) -> tuple[str, str] | None:
    """Return by code and reason why a change of a resource would not last, None where it is this cluster's own."""
    if resource.being_deleted:
        return "being_deleted", "it is being deleted"
    if resource.owners:
        return "owned", f"{', '.join(resource.owners)[:200]} owns it and would undo the change"
    if resource.labels.get(HIVE_LABEL) == "true":
        return "hive", "Hive manages it from a hub: change the MachinePool there"
    if resource.authority in CLUSTER_API:
        return "cluster_api", CLUSTER_API[resource.authority]
    return None


def excluded(resource: MachineResource, platform: str, version: tuple[int, int]) -> Verdict | None:
    """Return why a resource is left alone, or cannot be judged; None where its image may be looked at.

    ``version`` are the first two numbers of the cluster's release, zeros where it is not known.
    """
    elsewhere = governed_elsewhere(resource)
    if elsewhere:
        return left_alone(*elsewhere)
    if resource.is_windows:
        return left_alone("windows", "its machines run Windows")
    if resource.is_control_plane:
        refused = _control_plane(resource, platform, version)
        if refused:
            return refused
    return fault("half_written", resource.flaw) if resource.flaw else None


def _control_plane(resource: MachineResource, platform: str, version: tuple[int, int]) -> Verdict | None:
    if platform not in CONTROL_PLANE_ON:
        reason = f"boot images of a control plane on {platform or 'an unknown platform'} are not changed"
        return left_alone("control_plane_unsupported", reason)
    replaces = resource.state != "Inactive" and resource.strategy in ("", "RollingUpdate")
    # Since that release its operator does not replace machines because of another boot image.
    if replaces and version < CONTROL_PLANE_SINCE:
        reason = "before 4.22 its operator would replace the machines of the control plane one after another"
        return left_alone("would_replace_control_plane", reason)
    return None
