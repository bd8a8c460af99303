# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""Resources that are not ours to change, whatever their platform, in the order in which the operator looks.

Source: machine-config-operator, pkg/controller/bootimage/ms_helpers.go and cpms_helpers.go.
"""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.verdict import fault, left_alone

if t.TYPE_CHECKING:
    from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.machine_resource import (
        MachineResource,
    )
    from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.verdict import Verdict

HIVE_LABEL = "hive.openshift.io/managed"
CLUSTER_API = {
    "ClusterAPI": "it mirrors an object of the Cluster API, which is what counts",
    "Migrating": "it is changing hands between Machine API and Cluster API: look again when that is over",
}
"""By status.authoritativeAPI (openshift/api, machine/v1beta1; upstream's design for boot images leaves both alone)."""
_CONTROL_PLANE_PLATFORMS = ("AWS", "Azure", "GCP")
_CONTROL_PLANE_SINCE = (4, 22)
"""Since this release its operator does not replace machines because of another boot image."""


def excluded(resource: MachineResource, platform: str, version: tuple[int, int]) -> Verdict | None:
    """Return why a resource is left alone, or cannot be judged; None where its image may be looked at.

    ``version`` are the first two numbers of the cluster's release, zeros where it is not known.
    """
    if resource.being_deleted:
        return left_alone("being_deleted", "it is being deleted")
    if resource.owners:
        return left_alone("owned", f"{', '.join(resource.owners)[:200]} owns it and would undo the change")
    if resource.labels.get(HIVE_LABEL) == "true":
        return left_alone("hive", "Hive manages it from a hub: change the MachinePool there")
    if resource.authority in CLUSTER_API:
        return left_alone("cluster_api", CLUSTER_API[resource.authority])
    if resource.is_windows:
        return left_alone("windows", "its machines run Windows")
    if resource.is_control_plane:
        refused = _control_plane(resource, platform, version)
        if refused:
            return refused
    return fault("half_written", resource.flaw) if resource.flaw else None


def _control_plane(resource: MachineResource, platform: str, version: tuple[int, int]) -> Verdict | None:
    if platform not in _CONTROL_PLANE_PLATFORMS:
        reason = f"boot images of a control plane on {platform or 'an unknown platform'} are not changed"
        return left_alone("control_plane_unsupported", reason)
    replaces = resource.state != "Inactive" and resource.strategy in ("", "RollingUpdate")
    if replaces and version < _CONTROL_PLANE_SINCE:
        reason = "before 4.22 its operator would replace the machines of the control plane one after another"
        return left_alone("would_replace_control_plane", reason)
    return None
