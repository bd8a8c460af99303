# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The mount table as the kernel writes it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.fieldops.openshift.plugins.module_utils._host.mountinfo import (
    Mount,
    mount_at,
    mount_of,
    parse_mountinfo,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

# The shape of a table on a node with an ostree-based system.
NODE = rb"""22 95 0:21 / /proc rw,nosuid,nodev,noexec,relatime shared:13 - proc proc rw
25 22 0:32 / /proc/sys/fs/binfmt_misc rw,relatime shared:16 - autofs systemd-1 rw,fd=29,pgrp=1,timeout=0
95 1 253:4 /ostree/deploy/rhcos/deploy/1a.0 / rw,relatime shared:1 - xfs /dev/vda4 rw,seclabel,prjquota
96 95 253:4 /ostree/deploy/rhcos/deploy/1a.0/usr /usr ro,relatime shared:2 - xfs /dev/vda4 rw,seclabel
97 95 253:4 / /sysroot ro,relatime shared:3 - xfs /dev/vda4 rw,seclabel,prjquota
98 95 253:4 /ostree/deploy/rhcos/var /var rw,relatime shared:4 - xfs /dev/vda4 rw,seclabel,prjquota
120 98 7:0 / /var/lib/fieldops/stores/4.18.9 ro,nosuid,nodev,relatime shared:60 master:9 - erofs /dev/loop0 ro
130 98 0:50 / /var/mnt/usb\040stick\011a\134b rw - vfat /dev/sdb1\040x rw
140 95 0:60 / /boot ro unbindable - ext4 /dev/vda3 rw,errors=remount-ro
"""


def test_every_field_is_kept() -> None:
    assert parse_mountinfo(NODE)[6] == Mount(
        mount_id=120,
        parent_id=98,
        device="7:0",
        root="/",
        mount_point="/var/lib/fieldops/stores/4.18.9",
        options=("ro", "nosuid", "nodev", "relatime"),
        fs_type="erofs",
        source="/dev/loop0",
        super_options=("ro",),
    )


def test_escaped_names_are_plain_again() -> None:
    mount = parse_mountinfo(NODE)[7]
    assert (mount.mount_point, mount.source) == ("/var/mnt/usb stick\ta\\b", "/dev/sdb1 x")


@pytest.mark.parametrize(
    ("line", "read_only"),
    [
        pytest.param(b"1 0 0:1 / / ro - xfs s rw", True, id="the-mount-is"),
        pytest.param(b"1 0 0:1 / / rw - xfs s ro", True, id="the-file-system-is"),
        pytest.param(b"1 0 0:1 / / rw - xfs s rw", False, id="neither"),
        pytest.param(b"1 0 0:1 / / rw - xfs s rw,errors=remount-ro", False, id="only-a-word-like-it"),
    ],
)
def test_read_only(line: bytes, read_only: bool) -> None:
    assert parse_mountinfo(line)[0].is_read_only is read_only


@pytest.mark.parametrize(
    "line",
    [
        b"nonsense",
        b"1 0 0:1 / / rw xfs s rw",
        b"x 0 0:1 / / rw - xfs s rw",
        b"1 0 0:1 / - xfs s rw",
        b"1 0 0:1 / / rw - xfs",
    ],
    ids=["words", "no-separator", "no-number", "too-few-fields", "nothing-described"],
)
def test_a_line_of_another_shape_is_quoted(line: bytes) -> None:
    with pytest.raises(InvalidInputError, match="mount table"):
        parse_mountinfo(NODE + line + b"\n")


@given(st.binary(min_size=1, max_size=20).filter(lambda name: b"\0" not in name))
def test_any_name_survives_the_escaping_of_the_kernel(name: bytes) -> None:
    escaped = b"".join(b"\\%03o" % byte if byte in b" \t\n\\#" else bytes([byte]) for byte in name)
    mount = parse_mountinfo(b"1 0 0:1 / /" + escaped + b" rw - xfs source rw")[0]
    assert mount.mount_point.encode(errors="surrogateescape") == b"/" + name


@pytest.mark.parametrize(
    ("path", "mount_point"),
    [
        ("/", "/"),
        ("/etc/crio", "/"),
        ("/usr", "/usr"),
        ("/usrlocal", "/"),
        ("/var/lib", "/var"),
        ("/var/lib/fieldops/stores/4.18.9/overlay", "/var/lib/fieldops/stores/4.18.9"),
        ("/proc/sys/fs/binfmt_misc", "/proc/sys/fs/binfmt_misc"),
    ],
)
def test_the_mount_of_a_path(path: str, mount_point: str) -> None:
    found = mount_of(path, parse_mountinfo(NODE))
    assert found is not None
    assert found.mount_point == mount_point


COVERED = rb"""1 0 0:1 / / rw - xfs root rw
2 1 0:2 / /a rw - xfs below rw
3 2 0:3 / /a/b rw - xfs hidden rw
4 2 0:4 / /a rw - xfs above rw
5 1 0:5 / /c rw - xfs first rw
6 5 0:6 / /c rw - xfs second rw
7 6 0:7 / /c/d rw - xfs inside rw
"""


@pytest.mark.parametrize(
    ("path", "source"),
    [("/a", "above"), ("/a/b", "above"), ("/c", "second"), ("/c/d/e", "inside")],
    ids=["covered", "in-a-hidden-mount", "stacked", "in-the-upper-one"],
)
def test_what_another_mount_covers_is_not_found(path: str, source: str) -> None:
    found = mount_of(path, parse_mountinfo(COVERED))
    assert found is not None
    assert found.source == source


@pytest.mark.parametrize(
    ("path", "source"),
    [("/a", "above"), ("/a/", "above"), ("/a/b", None), ("/etc", None)],
    ids=["mount-point", "with-a-slash", "hidden", "directory"],
)
def test_what_is_seen_at_a_mount_point(path: str, source: str | None) -> None:
    found = mount_at(path, parse_mountinfo(COVERED))
    assert (found.source if found else None) == source


@pytest.mark.parametrize(
    "table",
    [b"", b"1 0 0:1 / /elsewhere rw - xfs s rw", b"1 2 0:1 / / rw - xfs s rw\n2 1 0:1 / / rw - xfs s rw"],
    ids=["empty", "of-a-chroot", "a-circle"],
)
def test_a_table_without_a_root_covers_nothing(table: bytes) -> None:
    assert mount_of("/etc", parse_mountinfo(table)) is None


def test_this_machine_can_be_read() -> None:
    found = mount_of("/proc", parse_mountinfo(Path("/proc/self/mountinfo").read_bytes()))
    assert found is not None
    assert found.fs_type == "proc"
