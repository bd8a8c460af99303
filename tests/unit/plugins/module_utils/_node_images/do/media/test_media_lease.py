# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The end of a mount without its play: what systemd is asked for. That it unmounts is tested on hosts of the lab."""

from __future__ import annotations

import typing as t
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.command_result import CommandResult
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._host.mounts import WantedMount
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.media import media_lease, media_mounts
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.media.media_lease import (
    LEASE,
    checked_lease,
    end_lease,
    renew_lease,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.media.media_mounts import (
    keep_media,
    mount_media,
    unmount_media,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.media import MEDIA, Device
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

DRIVE = Device("sdb1", "part", 1 << 30, True, ())


@dataclass(frozen=True)
class TimedHost(Host):
    """A host that keeps what it is asked to run, and runs nothing."""

    asked: list[tuple[str, ...]] = field(default_factory=list)

    def run(self, argv: Sequence[str], **_options: t.Any) -> CommandResult:
        self.asked.append(tuple(argv))
        return CommandResult(tuple(argv), 0, "ext4\n" if argv[0] == "blkid" else "", "", 0.0)

    @property
    def names(self) -> list[str]:
        return [argv[0] for argv in self.asked]


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TimedHost:
    made = TimedHost(SystemClock(), tmp_path)

    def mounted(_host: Host, wanted: WantedMount, *, deadline: Deadline) -> None:
        made.run(wanted.argv(), deadline=deadline)

    monkeypatch.setattr(media_lease, "is_in_charge", lambda _host: True)
    monkeypatch.setattr(media_mounts, "ensure_mounted", mounted)
    monkeypatch.setattr(media_mounts, "ensure_unmounted", lambda _host, _place, *, deadline: True)  # noqa: ARG005
    monkeypatch.setattr(media_mounts, "block_devices", lambda _host: (DRIVE,))
    monkeypatch.setattr(media_mounts, "mounted_by_us", lambda _host: ())
    monkeypatch.setattr(media_mounts.os, "geteuid", lambda: 0)
    return made


def test_the_host_unmounts_it_later_and_until_it_is_not_in_use(
    host: TimedHost, seconds: Callable[[float], Deadline]
) -> None:
    renew_lease(host, DRIVE.target, 90, seconds(5))
    ended, armed = host.asked
    assert ended == ("systemctl", "stop", "fieldops-media-sdb1-*.timer", "fieldops-media-sdb1-*.service")
    assert armed[-2:] == ("umount", DRIVE.target)
    assert {"--on-active=90", "--property=Restart=on-failure", "--property=RestartSec=60"} <= set(armed)
    assert f"--property=ConditionPathIsMountPoint={DRIVE.target}" in armed


def test_each_lease_has_units_of_its_own(host: TimedHost, seconds: Callable[[float], Deadline]) -> None:
    for _lease in range(2):
        renew_lease(host, DRIVE.target, 90, seconds(5))
    units = [word for argv in host.asked for word in argv if word.startswith("--unit=fieldops-media-sdb1-")]
    assert len(set(units)) == 2


def test_a_host_without_systemd_is_asked_nothing(
    host: TimedHost, seconds: Callable[[float], Deadline], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(media_lease, "is_in_charge", lambda _host: False)
    renew_lease(host, DRIVE.target, 90, seconds(5))
    end_lease(host, DRIVE.target, seconds(5))
    assert host.asked == []


def test_its_end_is_known_before_a_medium_is_mounted(host: TimedHost) -> None:
    assert mount_media(host, (DRIVE,), 90, check_mode=False) == []
    assert host.names == ["blkid", "systemctl", "systemd-run", "mount"]


def test_an_unmounted_medium_has_no_lease(host: TimedHost) -> None:
    assert unmount_media(host, (DRIVE.target,)) == ()
    assert host.names == ["systemctl"]


def test_a_medium_that_is_to_be_read_is_mounted_again(host: TimedHost) -> None:
    keep_media(host, (f"{DRIVE.target}/bundle", "/srv/bundle"))
    assert host.asked[-1] == ("mount", "--types", "ext4", *host.asked[-1][3:])
    assert f"--on-active={LEASE}" in host.asked[-2]


def test_a_mounted_medium_that_is_to_be_read_gets_another_lease(
    host: TimedHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(media_mounts, "mounted_by_us", lambda _host: (DRIVE.target,))
    keep_media(host, (f"{DRIVE.target}/bundle",))
    assert host.names == ["systemctl", "systemd-run"]


@pytest.mark.parametrize("path", ["/srv/bundle", "/mnt/usb", MEDIA])
def test_other_folders_have_no_lease(host: TimedHost, path: str) -> None:
    keep_media(host, (path,))
    assert host.asked == []


def test_a_lease_has_a_duration() -> None:
    assert checked_lease(1) == 1
    with pytest.raises(InvalidInputError, match="lifetime"):
        checked_lease(0)
