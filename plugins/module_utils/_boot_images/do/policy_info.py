# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Reads the policy for boot images, its status, the skew that comes of it and the acknowledgements that are open."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.do.policy_reading import (
    read_site,
    require_served,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.do.skew import read_operator, skew_of
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.admin_acks import (
    ACKS,
    GATES,
    admin_acks,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.report import policy_report
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.writers import writers_of
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.skew.gate import judge_update
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.skew.limits import limit_of
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import CONFIG_MAP

POLICY_INFO_OPTIONS: t.Mapping[str, t.Mapping[str, t.Any]] = {
    "skew_limit": {"type": "dict", "options": {"ocp": {"type": "str"}, "rhel": {"type": "str"}}},
    "target_version": {"type": "str"},
}


def read_policy(client: ClusterClient, params: Mapping[str, t.Any]) -> dict[str, t.Any]:
    """Return the policy as the module boot_image_info does; raise InvalidInputError for a limit or version that is
    none."""
    limit = limit_of(params.get("skew_limit"))
    require_served(client)
    found, site = read_site(client)
    skew = skew_of(site, limit, read_operator(client))
    target_version = params.get("target_version")
    asked, given = (client.get(CONFIG_MAP, name, namespace) for name, namespace in (GATES, ACKS))
    return {
        **policy_report(site),
        "writers": writers_of(found),
        "platform": {
            "type": site.platform.type,
            "manages_machine_sets": site.platform.manages_machine_sets,
            "manages_control_plane_machine_sets": site.platform.manages_control_plane,
            "manages_by_default": site.platform.manages_by_default,
        },
        "skew": skew.as_data(),
        "gate": judge_update(skew, site.version, target_version).as_data() if target_version else {},
        "admin_acks": [one.as_data() for one in admin_acks(asked, given)],
    }
