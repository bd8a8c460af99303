# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which platform knows what: ``status.platformStatus.type`` of Infrastructure and its file here."""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.platforms.aws import Aws
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.platforms.azure import Azure
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.platforms.bare_metal import BareMetal
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.platforms.by_hand import ByHand
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.platforms.gcp import Gcp
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.platforms.ibm_cloud import IbmCloud
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.platforms.nutanix import Nutanix
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.platforms.openstack import OpenStack
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.platforms.power_vs import PowerVs
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.platforms.vsphere import Vsphere

if t.TYPE_CHECKING:
    from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.verdict import Platform

PLATFORMS: dict[str, Platform] = {
    "AWS": Aws(),
    "Azure": Azure(),
    "BareMetal": BareMetal(),
    "GCP": Gcp(),
    "IBMCloud": IbmCloud(),
    "Nutanix": Nutanix(),
    "OpenStack": OpenStack(),
    "PowerVS": PowerVs(),
    "VSphere": Vsphere(),
}
_OTHER: Platform = ByHand()


def platform_of(name: str) -> Platform:
    """Return what is known of a platform; of unknown ones, a person has to see to it."""
    return PLATFORMS.get(name, _OTHER)
