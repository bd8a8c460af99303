# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.release_payload import Component
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.selection import Selection
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference

NAMES = (
    *("etcd", "cli", "aws-machine-controllers", "azure-file-csi-driver", "gcp-pd-csi-driver"),
    *("vsphere-csi-driver", "baremetal-operator", "rhel-coreos"),
)
COMPONENTS = [Component(name, ImageReference.parse(f"quay.io/a/b@sha256:{'0' * 64}")) for name in NAMES]


@pytest.mark.parametrize(
    ("selection", "left"),
    [
        pytest.param(Selection(), set(NAMES), id="everything"),
        pytest.param(
            Selection(platforms=("vsphere",)),
            {"etcd", "cli", "vsphere-csi-driver", "rhel-coreos"},
            id="one platform",
        ),
        pytest.param(
            Selection(platforms=("aws", "baremetal")),
            {"etcd", "cli", "aws-machine-controllers", "baremetal-operator", "rhel-coreos"},
            id="two platforms",
        ),
        pytest.param(Selection(platforms=("none",)), {"etcd", "cli", "rhel-coreos"}, id="no platform"),
        pytest.param(Selection(exclude=("*-csi-driver",)), set(NAMES) - set(NAMES[3:6]), id="without some"),
        pytest.param(Selection(only=("etcd", "rhel-*")), {"etcd", "rhel-coreos"}, id="some only"),
        pytest.param(
            Selection(platforms=("none",), only=("aws-*",)),
            {"aws-machine-controllers"},
            id="named whatever its platform",
        ),
        pytest.param(Selection(only=("etcd", "cli"), exclude=("cli",)), {"etcd"}, id="the last word"),
    ],
)
def test_what_travels(selection: Selection, left: set[str]) -> None:
    assert {component.name for component in selection.chosen(COMPONENTS)} == left


def test_a_pattern_without_a_match_is_a_mistake() -> None:
    with pytest.raises(InvalidInputError, match="no component matches 'ectd'"):
        Selection(exclude=("ectd",)).chosen(COMPONENTS)


def test_an_unknown_platform_is_a_mistake() -> None:
    with pytest.raises(InvalidInputError, match="vmware is unknown"):
        Selection(platforms=("vmware",))
