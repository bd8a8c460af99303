# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a drive is called."""

from __future__ import annotations

from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._host.labels import drive_label
from ansible_collections.fieldops.openshift.plugins.module_utils._host.mountinfo import Mount


def mounted(number: int, at: str, source: str) -> Mount:
    return Mount(number, 1 if number > 1 else 0, f"8:{number}", "/", at, (), "vfat", source, ())


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        pytest.param("FIELDOPS-2", "FIELDOPS-2", id="its label"),
        pytest.param(r"USB\x20DRIVE", "USB DRIVE", id="with a space"),
        pytest.param(None, "usb", id="without a label, where it is mounted"),
    ],
)
def test_a_drive(tmp_path: Path, link: str | None, expected: str) -> None:
    device, labels, drive = tmp_path / "sdb1", tmp_path / "by-label", tmp_path / "usb"
    for folder in (labels, drive / "bundle"):
        folder.mkdir(parents=True)
    device.touch()
    (labels / "OTHER").symlink_to(tmp_path / "sda1")
    if link:
        (labels / link).symlink_to(device)
    mounts = [mounted(1, "/", "/dev/root"), mounted(2, str(drive), str(device))]
    assert drive_label(drive / "bundle", mounts, labels) == expected


def test_the_disk_of_the_machine_itself_has_none(tmp_path: Path) -> None:
    assert drive_label(tmp_path, [mounted(1, "/", "/dev/root")], tmp_path / "no-labels") == ""
