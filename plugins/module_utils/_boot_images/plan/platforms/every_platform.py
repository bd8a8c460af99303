# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which platform is judged by what: ``status.platformStatus.type`` of Infrastructure and its function."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.platforms.aws import judge_aws
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.platforms.azure import judge_azure
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.platforms.bare_metal import (
    judge_bare_metal,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.platforms.by_hand import (
    judge_by_hand,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.platforms.gcp import judge_gcp
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.platforms.named_clouds import (
    judge_ibm_cloud,
    judge_nutanix,
    judge_openstack,
    judge_power_vs,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.platforms.vsphere import (
    judge_vsphere,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.verdict import Sources, Verdict

PLATFORMS: Mapping[str, Callable[[Sources], Verdict]] = {
    "AWS": judge_aws,
    "Azure": judge_azure,
    "BareMetal": judge_bare_metal,
    "GCP": judge_gcp,
    "IBMCloud": judge_ibm_cloud,
    "Nutanix": judge_nutanix,
    "OpenStack": judge_openstack,
    "PowerVS": judge_power_vs,
    "VSphere": judge_vsphere,
}


def judge(platform: str, sources: Sources) -> Verdict:
    """Return what stands in the provider's specification and what should; of unknown platforms, a person sees to it.

    Raise MalformedError where the specification is of no known form.
    """
    return PLATFORMS.get(platform, judge_by_hand)(sources)
