# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Media mounted for a look: real file systems on loop devices, which are said to be removable."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.blob_sources import FolderSource
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._host.mounts import ensure_unmounted, read_mounts
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.media import find_media, media_mounts
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.media.find_media import (
    media_report,
    unmounted_media,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan import media
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.media import Device
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.vetted_digest import VettedDigest
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._bundle_files.medium import Medium

pytestmark = [
    pytest.mark.skipif(os.geteuid() != 0, reason="mounting is root's"),
    pytest.mark.skipif(shutil.which("mkfs.ext4") is None, reason="no mkfs.ext4"),
]

SIZE = 320 << 20
"""mkfs.xfs refuses less than 300 MiB."""
OTHER = VettedDigest("0" * 64)


class Drives:
    """Loop devices of this machine that are plugged in as removable ones."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.devices: list[Device] = []

    def plug_in(self, content: Path | None, *making: str) -> Device:
        """Plug in a drive with a file system that ``making`` makes, of ext4 with ``content`` by default."""
        image = self.folder / f"{len(self.devices)}.img"
        image.write_bytes(b"")
        os.truncate(image, SIZE)
        words = making or ("mkfs.ext4", "-q", "-O", "^has_journal", *(["-d", str(content)] if content else []))
        subprocess.run([*words, str(image)], check=True, capture_output=True)
        device = subprocess.run(
            ["losetup", "--find", "--show", str(image)], check=True, capture_output=True, text=True
        ).stdout.strip()
        self.devices.append(Device(device.removeprefix("/dev/"), "loop", SIZE, True, ()))
        return self.devices[-1]


@pytest.fixture
def host() -> Host:
    """This machine."""
    return Host(SystemClock())


@pytest.fixture
def drives(
    tmp_path: Path, host: Host, monkeypatch: pytest.MonkeyPatch, seconds: Callable[[float], Deadline]
) -> Iterator[Drives]:
    if subprocess.run(["losetup", "--find"], capture_output=True, check=False).returncode:
        pytest.skip("no loop device")
    plugged = Drives(tmp_path)
    for module in (media, media_mounts):
        monkeypatch.setattr(module, "MEDIA", str(tmp_path / "private/media"))
    monkeypatch.setattr(find_media, "block_devices", lambda _host: tuple(plugged.devices))
    monkeypatch.setattr(media_mounts, "bundle_jobs", lambda _host, _deadline: ())
    yield plugged
    for device in plugged.devices:
        ensure_unmounted(host, device.target, deadline=seconds(20))
        subprocess.run(["losetup", "--detach", device.path], check=True)


def mounts_of(host: Host) -> dict[str, tuple[str, ...]]:
    return {one.mount_point: one.options for one in read_mounts(host) if one.mount_point.startswith(media.MEDIA)}


def test_a_drive_with_the_bundle_stays_mounted_without_rights(host: Host, drives: Drives, medium: Medium) -> None:
    device = drives.plug_in(medium.folder.parent)
    found = media_report(host, (), VettedDigest(medium.index.digest.hex))
    assert found.objects["index_digests"] == [str(medium.index.digest)]
    assert found.objects["mounted"] == [device.target]
    assert {"ro", "nosuid", "nodev", "noexec"} <= set(mounts_of(host)[device.target])
    assert found.actions == ({"action": "mount", "path": device.target},)
    assert Path(media.MEDIA).stat().st_mode & 0o777 == 0o700


@pytest.mark.skipif(shutil.which("mkfs.xfs") is None, reason="no mkfs.xfs")
def test_two_copies_of_one_xfs_are_mounted(host: Host, drives: Drives, medium: Medium) -> None:
    """By default, the kernel refuses a second XFS with the same identifier."""
    first = drives.plug_in(None, "mkfs.xfs", "-q")
    place = drives.folder / "filled"
    place.mkdir()
    subprocess.run(["mount", first.path, str(place)], check=True)
    shutil.copytree(medium.folder, place / "bundle")
    subprocess.run(["umount", str(place)], check=True)
    second = drives.plug_in(None, "cp", str(drives.folder / "0.img"))
    found = media_report(host, (), VettedDigest(medium.index.digest.hex)).objects
    assert found["unmounted"] == []
    assert found["mounted"] == [first.target, second.target]
    assert {one["path"] for one in found["bundles"]} == {f"{first.target}/bundle", f"{second.target}/bundle"}


def test_a_second_look_changes_nothing(host: Host, drives: Drives, medium: Medium) -> None:
    drives.plug_in(medium.folder)
    media_report(host)
    again = media_report(host)
    assert (again.changed, again.objects["index_digests"]) == (False, [str(medium.index.digest)])


@pytest.mark.parametrize("wanted", [None, OTHER], ids=["any", "another"])
def test_a_drive_without_the_bundle_is_let_go_at_once(host: Host, drives: Drives, wanted: VettedDigest | None) -> None:
    drives.plug_in(None)
    found = media_report(host, (), wanted)
    assert (found.changed, found.objects["mounted"], mounts_of(host)) == (False, [], {})


def test_a_drive_with_another_bundle_is_told_and_let_go(host: Host, drives: Drives, medium: Medium) -> None:
    drives.plug_in(medium.folder)
    found = media_report(host, (), OTHER)
    assert found.objects["index_digests"] == [str(medium.index.digest)]
    assert mounts_of(host) == {}


def test_what_a_killed_run_has_left_is_let_go_by_the_next(host: Host, drives: Drives, medium: Medium) -> None:
    pulled = drives.plug_in(medium.folder)
    media_report(host)
    drives.devices.clear()
    found = media_report(host)
    assert (found.actions, mounts_of(host)) == (({"action": "unmount", "path": pulled.target},), {})
    drives.devices.append(pulled)


def test_nothing_is_left_in_the_end(host: Host, drives: Drives, medium: Medium) -> None:
    drives.plug_in(medium.folder)
    media_report(host)
    assert unmounted_media(host, check_mode=True).changed
    assert mounts_of(host)
    assert unmounted_media(host).objects == {"mounted": []}
    assert not unmounted_media(host).changed
    assert (mounts_of(host), Path(media.MEDIA).exists()) == ({}, False)


def test_a_job_that_may_read_from_it_keeps_it(
    host: Host, drives: Drives, medium: Medium, monkeypatch: pytest.MonkeyPatch
) -> None:
    device = drives.plug_in(medium.folder)
    media_report(host)
    monkeypatch.setattr(media_mounts, "bundle_jobs", lambda _host, _deadline: ("a job",))
    assert unmounted_media(host).objects == {"mounted": [device.target]}
    assert media_report(host, (), OTHER).objects["mounted"] == [device.target]


def test_a_source_that_reads_from_it_keeps_it(host: Host, drives: Drives, medium: Medium) -> None:
    device = drives.plug_in(medium.folder)
    media_report(host)
    source = FolderSource(Path(device.target))
    assert unmounted_media(host).objects == {"mounted": [device.target]}
    source.close()
    assert unmounted_media(host).objects == {"mounted": []}


def test_check_mode_mounts_nothing_and_says_so(host: Host, drives: Drives, medium: Medium) -> None:
    device = drives.plug_in(medium.folder)
    found = media_report(host, check_mode=True)
    (left,) = found.objects["unmounted"]
    assert (left["device"], left["fs_type"], mounts_of(host)) == (device.path, "ext4", {})
    assert "check mode does not mount it" in left["problem"]


@pytest.mark.parametrize(
    ("making", "told"),
    [
        pytest.param("mkswap", [], id="no file system"),
        pytest.param("mkfs.ext2", [("ext2", "this file system is not supported")], id="not one of ours"),
    ],
)
def test_file_systems_that_are_not_mounted(
    host: Host, drives: Drives, making: str, told: list[tuple[str, str]]
) -> None:
    drives.plug_in(None, making)
    left = media_report(host).objects["unmounted"]
    assert [(one["fs_type"], one["problem"].partition(",")[0]) for one in left] == told
    assert mounts_of(host) == {}


def test_what_the_bytes_are_decides_and_one_that_is_damaged_stops_nothing(
    host: Host, drives: Drives, medium: Medium
) -> None:
    damaged = drives.plug_in(None)
    with Path(drives.folder / "0.img").open("r+b") as stream:
        # The group descriptors: blkid looks at the superblock alone.
        stream.seek(2048)
        stream.write(b"\xff" * 4096)
    drives.plug_in(medium.folder)
    found = media_report(host).objects
    assert [(one["device"], one["fs_type"]) for one in found["unmounted"]] == [(damaged.path, "ext4")]
    assert found["unmounted"][0]["problem"].startswith("it could not be mounted: ")
    assert not Path(damaged.target).exists()
    assert found["index_digests"] == [str(medium.index.digest)]
