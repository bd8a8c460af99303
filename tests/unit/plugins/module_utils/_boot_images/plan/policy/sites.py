# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Sites as tables name them."""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.managers import entry
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.requests import (
    Request,
    request_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.site import (
    PolicySite,
    site_of,
)

Json = dict[str, t.Any]
SETS, CONTROL_PLANE = "machinesets", "controlplanemachinesets"
ALL, NONE = entry(SETS, "All"), entry(SETS, "None")
MANUAL = {"mode": "Manual", "manual": {"mode": "OCPVersion", "ocpVersion": "4.20.1"}}
AUTOMATIC = {"mode": "Automatic", "automatic": {"ocpVersion": "4.22.3"}}


def site(
    *,
    managers: list[Json] | None = None,
    skew: Json | None = None,
    holds: list[Json] | None = None,
    holding: Json | None = None,
    version: str = "4.22.3",
    platform: str = "AWS",
    seen: int = 1,
    cloud: str = "",
    **further: t.Any,
) -> PolicySite:
    """Return a site whose spec says ``managers`` and ``skew`` and whose status says ``holds`` and ``holding``."""
    spec: Json = {} if managers is None else {"managedBootImages": {"machineManagers": managers}}
    spec |= {"bootImageSkewEnforcement": skew} if skew else {}
    status: Json = {"observedGeneration": seen}
    status |= {} if holds is None else {"managedBootImagesStatus": {"machineManagers": holds}}
    status |= {"bootImageSkewEnforcementStatus": holding} if holding else {}
    found = {"metadata": {"resourceVersion": "7", "generation": 1}, "spec": spec, "status": status, **further}
    platform_status = {"type": platform, "azure": {"cloudName": cloud}}
    infrastructure = {"status": {"platformStatus": platform_status, "controlPlaneTopology": "HighlyAvailable"}}
    history = [{"state": "Completed", "version": version}, {"state": "Completed", "version": "4.9.10"}]
    cluster_version = {"status": {"history": history, "desired": {"version": version}}}
    return site_of(found, infrastructure, cluster_version, None, legacy_provisioning=False)


def request(
    machine_sets: str | None = None,
    *,
    selector: Json | None = None,
    control_plane: str | None = None,
    skew: str | None = None,
    **versions: str,
) -> Request:
    """Return what the module's options would ask for."""
    return request_of(
        {
            "machine_sets": {"mode": machine_sets, "selector": selector} if machine_sets else None,
            "control_plane_machine_sets": control_plane,
            "skew_enforcement": {"mode": skew, **versions} if skew else None,
        }
    )
