# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Where media are on a host."""

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.media import (
    devices_of,
    places_to_look,
    unmounted,
)

# As lsblk 2.38 prints it, shortened: a disk, a stick with a mounted partition, one that nobody has mounted.
LISTED = {
    "blockdevices": [
        {
            "path": "/dev/sda",
            "fstype": None,
            "label": None,
            "size": 128849018880,
            "rm": False,
            "hotplug": False,
            "mountpoint": None,
            "children": [
                {
                    "path": "/dev/sda4",
                    "fstype": "xfs",
                    "label": "root",
                    "size": 5,
                    "rm": False,
                    "mountpoint": "/sysroot",
                }
            ],
        },
        {
            "path": "/dev/sdb",
            "fstype": None,
            "size": 62058921984,
            "rm": True,
            "children": [
                {"path": "/dev/sdb1", "fstype": "exfat", "label": "BUNDLE", "size": 7, "mountpoint": "/run/media/b"}
            ],
        },
        {"path": "/dev/sdc", "fstype": "ext4", "label": "other", "size": 9, "hotplug": True, "mountpoint": None},
        {"path": "/dev/sr0", "fstype": None, "size": 1, "rm": True},
    ]
}
DEVICES = devices_of(LISTED)


def test_a_partition_of_a_stick_is_removable_too() -> None:
    assert {device.path: device.is_removable for device in DEVICES} == {
        "/dev/sda": False,
        "/dev/sda4": False,
        "/dev/sdb": True,
        "/dev/sdb1": True,
        "/dev/sdc": True,
        "/dev/sr0": True,
    }


def test_file_systems_that_a_person_has_to_mount() -> None:
    assert [device.as_document() for device in unmounted(DEVICES)] == [
        {"device": "/dev/sdc", "fs_type": "ext4", "label": "other", "size": 9}
    ]


@pytest.mark.parametrize(
    ("mounted", "extra", "places"),
    [
        pytest.param(["/", "/var", "/run/media/b"], [], ("/run/media/b",), id="a stick"),
        pytest.param(
            ["/mnt/nfs", "/mnt", "/media/cdrom"], [], ("/media/cdrom", "/mnt/nfs", "/run/media/b"), id="where media are"
        ),
        pytest.param(["/"], ["/srv/bundles", "/run/media/b"], ("/srv/bundles", "/run/media/b"), id="named, each once"),
    ],
)
def test_places(mounted: list[str], extra: list[str], places: tuple[str, ...]) -> None:
    assert places_to_look(mounted, DEVICES, extra) == places


def test_a_host_without_devices() -> None:
    assert devices_of({}) == ()
