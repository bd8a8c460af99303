# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Where media are on a host."""

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.media import (
    FILE_SYSTEMS,
    MOST_DEVICES,
    Device,
    devices_of,
    mount_options,
    places_to_look,
    unmounted,
)

# As lsblk 2.38 prints it, shortened: a disk, a drive with a mounted partition, others that are not mounted.
LISTED = {
    "blockdevices": [
        {
            "kname": "sda",
            "type": "disk",
            "size": 128849018880,
            "rm": False,
            "hotplug": False,
            "mountpoint": None,
            "children": [{"kname": "sda4", "type": "part", "size": 5, "rm": False, "mountpoint": "/sysroot"}],
        },
        {
            "kname": "sdb",
            "type": "disk",
            "size": 62058921984,
            "rm": True,
            "children": [{"kname": "sdb1", "type": "part", "size": 7, "mountpoint": "/run/media/b"}],
        },
        {"kname": "sdc", "type": "disk", "size": 9, "hotplug": True, "mountpoint": None},
        {"kname": "sr0", "type": "rom", "size": 1, "rm": True},
    ]
}
DEVICES = devices_of(LISTED)


def test_a_partition_of_a_drive_is_removable_too() -> None:
    assert {device.path: device.is_removable for device in DEVICES} == {
        "/dev/sda": False,
        "/dev/sda4": False,
        "/dev/sdb": True,
        "/dev/sdb1": True,
        "/dev/sdc": True,
        "/dev/sr0": True,
    }


def test_a_disk_of_which_a_partition_is_mounted_is_left_alone() -> None:
    assert [device.target for device in unmounted(DEVICES)] == [
        "/run/fieldops-openshift/media/sdc",
        "/run/fieldops-openshift/media/sr0",
    ]


@pytest.mark.parametrize(
    "entry",
    [
        pytest.param({"kname": "sdb", "type": "disk", "size": 9, "rm": False}, id="built in"),
        pytest.param({"kname": "sr0", "type": "rom", "size": 0, "rm": True}, id="an empty drive"),
        pytest.param({"kname": "dm0", "type": "crypt", "size": 9, "rm": True}, id="made from another device"),
        pytest.param({"kname": "../sdb", "type": "disk", "size": 9, "rm": True}, id="no name of the kernel"),
        pytest.param({"kname": None, "type": "disk", "size": 9, "rm": True}, id="without a name"),
    ],
)
def test_devices_that_are_not_mounted_by_us(entry: dict[str, object]) -> None:
    assert unmounted(devices_of({"blockdevices": [entry]})) == ()


def test_no_more_than_so_many_are_mounted() -> None:
    many = [Device(f"sd{number}", "disk", 1, True, ()) for number in range(MOST_DEVICES + 1)]
    assert len(unmounted([Device("sda", "disk", 1, True, ()), *many])) == MOST_DEVICES


@pytest.mark.parametrize("fs_type", FILE_SYSTEMS)
def test_each_file_system_is_mounted_without_rights(fs_type: str) -> None:
    assert {"ro", "nosuid", "nodev", "noexec"} <= set(mount_options(fs_type))


def test_what_ext4_says_about_errors_does_not_count_and_its_journal_stays() -> None:
    assert {"errors=remount-ro", "noload"} <= set(mount_options("ext4"))


@pytest.mark.parametrize(
    ("mounted", "extra", "places"),
    [
        pytest.param(["/", "/var", "/run/media/b"], [], ("/run/media/b",), id="a drive"),
        pytest.param(
            ["/mnt/nfs", "/mnt", "/media/cdrom"], [], ("/media/cdrom", "/mnt/nfs", "/run/media/b"), id="where media are"
        ),
        pytest.param(["/"], ["/srv/bundles", "/run/media/b"], ("/srv/bundles", "/run/media/b"), id="named, each once"),
        pytest.param(
            ["/run/fieldops-openshift/media/sdc"],
            [],
            ("/run/fieldops-openshift/media/sdc", "/run/media/b"),
            id="mounted by us",
        ),
    ],
)
def test_places(mounted: list[str], extra: list[str], places: tuple[str, ...]) -> None:
    assert places_to_look(mounted, DEVICES, extra) == places


def test_places_are_also_where_folders_for_media_lead() -> None:
    assert places_to_look(["/var/mnt/bundle"], (), [], ["/mnt", "/var/mnt"]) == ("/var/mnt/bundle",)


def test_a_host_without_devices() -> None:
    assert devices_of({}) == ()
