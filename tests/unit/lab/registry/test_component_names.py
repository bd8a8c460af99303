# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference
from ansible_collections.fieldops.openshift.tests.lab.registry.component_names import (
    ALWAYS,
    ANYWHERE,
    ONE_PLATFORM,
    OS_IMAGES,
    component_names,
)

PREFIXES = ("aws-", "azure-", "gcp-", "vsphere-", "openstack-", "ibm-", "nutanix-", "powervs-", "baremetal-")


@pytest.mark.parametrize(("count", "on_one_platform"), [(8, 2), (40, 8), (183, 51)])
def test_there_are_exactly_as_many_distinct_names_as_asked_for(count: int, on_one_platform: int) -> None:
    names = component_names(count, on_one_platform)
    assert len(set(names)) == count
    assert len([name for name in names if name.startswith(PREFIXES)]) == on_one_platform
    assert set(ALWAYS) <= set(names)
    assert names[-2:] == OS_IMAGES


def test_names_are_fit_for_repositories() -> None:
    for name in (*ANYWHERE, *ONE_PLATFORM, *component_names(300, 60)):
        assert ImageReference.parse(f"lab.example/{name}").repository == name


def test_no_name_stands_twice_in_the_lists() -> None:
    names = (*ALWAYS, *ANYWHERE, *ONE_PLATFORM, *OS_IMAGES)
    assert len(names) == len(set(names))
