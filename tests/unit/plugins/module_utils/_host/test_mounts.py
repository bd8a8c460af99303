# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Mounts as wanted states: real file systems, mounted and read back."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._host.mountinfo import Mount, mount_at
from ansible_collections.fieldops.openshift.plugins.module_utils._host.mounts import (
    MountError,
    WantedMount,
    ensure_mounted,
    ensure_unmounted,
    read_mounts,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="mounting is root's")


@pytest.fixture
def target(tmp_path: Path, host: Host, seconds: Callable[[float], Deadline]) -> Iterator[str]:
    """A directory to mount at, with a space in its name, from which all is unmounted in the end."""
    directory = tmp_path / "mount point"
    directory.mkdir()
    yield str(directory)
    ensure_unmounted(host, str(directory), deadline=seconds(20))


@pytest.fixture
def source(tmp_path: Path) -> str:
    directory = tmp_path / "source"
    directory.mkdir()
    (directory / "file").write_text("content")
    return str(directory)


@pytest.fixture
def image(tmp_path: Path) -> str:
    """A file that holds an ext4 file system."""
    path = tmp_path / "store.img"
    path.write_bytes(b"")
    os.truncate(path, 1024 * 1024)
    subprocess.run(["mkfs.ext4", "-q", str(path)], check=True)
    return str(path)


def seen_at(host: Host, target: str) -> Mount | None:
    return mount_at(target, read_mounts(host))


@pytest.mark.parametrize(
    ("wanted", "argv"),
    [
        pytest.param(
            WantedMount("/x.img", "/t", "erofs"),
            ["mount", "--types", "erofs", "--options", "ro,nosuid,nodev", "--", "/x.img", "/t"],
            id="read-only-unless-told",
        ),
        pytest.param(
            WantedMount("/s", "/t", options=("bind",)),
            ["mount", "--options", "ro,bind", "--", "/s", "/t"],
            id="ro-comes-first",
        ),
        pytest.param(
            WantedMount("/dev/sdb1", "/t", options=("noexec", "rw")),
            ["mount", "--options", "rw,noexec", "--", "/dev/sdb1", "/t"],
            id="writable",
        ),
    ],
)
def test_the_command(wanted: WantedMount, argv: list[str]) -> None:
    assert wanted.argv() == argv


@as_root
class TestMounting:
    def test_a_directory_is_bound_read_only_once(
        self, host: Host, seconds: Callable[[float], Deadline], source: str, target: str
    ) -> None:
        wanted = WantedMount(source, target, options=("ro", "bind"))
        assert ensure_mounted(host, wanted, deadline=seconds(20))
        assert not ensure_mounted(host, wanted, deadline=seconds(20))
        with pytest.raises(OSError, match="Read-only"):
            (Path(target) / "file").write_text("x")

    def test_an_image_file_goes_through_a_loop_device(
        self, host: Host, seconds: Callable[[float], Deadline], image: str, target: str
    ) -> None:
        wanted = WantedMount(image, target, "ext4")
        assert ensure_mounted(host, wanted, deadline=seconds(20))
        assert not ensure_mounted(host, wanted, deadline=seconds(20))
        seen = seen_at(host, target)
        assert seen is not None
        assert (seen.fs_type, seen.is_read_only, seen.source[:9]) == ("ext4", True, "/dev/loop")

    def test_another_source_is_a_conflict(
        self, host: Host, seconds: Callable[[float], Deadline], source: str, target: str
    ) -> None:
        ensure_mounted(host, WantedMount("none", target, "tmpfs"), deadline=seconds(20))
        with pytest.raises(MountError, match=r"none \(tmpfs, read-only\) is mounted there"):
            ensure_mounted(host, WantedMount(source, target, options=("bind",)), deadline=seconds(20))

    def test_a_writable_one_is_not_the_read_only_one(
        self, host: Host, seconds: Callable[[float], Deadline], source: str, target: str
    ) -> None:
        ensure_mounted(host, WantedMount(source, target, options=("rw", "bind")), deadline=seconds(20))
        with pytest.raises(MountError, match="writable"):
            ensure_mounted(host, WantedMount(source, target, options=("ro", "bind")), deadline=seconds(20))

    def test_a_source_that_cannot_be_mounted_is_said_so(
        self, host: Host, seconds: Callable[[float], Deadline], tmp_path: Path, target: str
    ) -> None:
        (tmp_path / "torn.img").write_bytes(b"\0" * 65536)
        with pytest.raises(MountError, match="wrong fs type") as caught:
            ensure_mounted(host, WantedMount(str(tmp_path / "torn.img"), target, "ext4"), deadline=seconds(20))
        assert caught.value.partial["rc"] == 32


@as_root
class TestUnmounting:
    def test_it_is_done_once(self, host: Host, seconds: Callable[[float], Deadline], target: str) -> None:
        ensure_mounted(host, WantedMount("none", target, "tmpfs"), deadline=seconds(20))
        assert ensure_unmounted(host, target, deadline=seconds(20))
        assert not ensure_unmounted(host, target, deadline=seconds(20))
        assert seen_at(host, target) is None

    def test_a_whole_stack_goes(
        self, host: Host, seconds: Callable[[float], Deadline], source: str, target: str
    ) -> None:
        ensure_mounted(host, WantedMount("none", target, "tmpfs"), deadline=seconds(20))
        host.run(WantedMount(source, target, options=("bind",)).argv(), deadline=seconds(20))
        assert ensure_unmounted(host, target, deadline=seconds(20))
        assert seen_at(host, target) is None

    def test_what_is_in_use_stays_and_is_said_so(
        self, host: Host, seconds: Callable[[float], Deadline], target: str
    ) -> None:
        ensure_mounted(host, WantedMount("none", target, "tmpfs", ("rw",)), deadline=seconds(20))
        with (Path(target) / "open").open("w"), pytest.raises(MountError, match="busy"):
            ensure_unmounted(host, target, deadline=seconds(20))
        assert seen_at(host, target) is not None
