# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""How often an image is asked for, and what a failure says; crictl is a program that does what a test wrote down."""

from __future__ import annotations

import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.loading.load_progress import (
    ImageProgress,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staging.etcd_gate import (
    LOOK_SECONDS,
    EtcdGate,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staging.pull_job import (
    PAUSE,
    RACE,
    TRIES,
    ImagePuller,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.errors import (
    ImageLoadError,
    NotEnoughSpaceError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils.conftest import FakeClock

ETCD, CLI = (f"quay.io/site/{name}@sha256:{'0' * 64}" for name in ("etcd", "cli"))
CRICTL = """#!/bin/sh
for name; do :; done
echo "$name" >> {calls}
[ $(wc -l < {calls}) -gt {failures} ] && exit 0
echo "{said}" >&2
exit 1
"""


class Crictl:
    """The program; its first ``failures`` calls fail."""

    def __init__(self, folder: Path) -> None:
        self._program, self._calls = folder / "crictl", folder / "calls"
        self.fails(0)

    def fails(self, failures: int, said: str = "connection refused") -> None:
        self._program.write_text(CRICTL.format(calls=self._calls, failures=failures, said=said))
        self._program.chmod(0o755)

    def run_once(self) -> None:
        self._calls.write_text("once\n")

    @property
    def calls(self) -> list[str]:
        return self._calls.read_text().split()


class Reported:
    """Takes what is told of the work."""

    def __init__(self) -> None:
        self.sentences: list[str] = []

    def report(self, sentence: str | None = None, **_unused: t.Any) -> None:
        self.sentences += [sentence] if sentence else []


@pytest.fixture
def crictl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Crictl:
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    return Crictl(tmp_path)


@pytest.fixture
def puller(clock: FakeClock) -> ImagePuller:
    host = Host(clock, Path("/"))
    return ImagePuller(host, Deadline(10_000, clock), ImageProgress(Reported(), 3, 2))


def test_an_image_that_does_not_come_at_once_is_asked_for_again(
    puller: ImagePuller, crictl: Crictl, clock: FakeClock
) -> None:
    crictl.fails(TRIES - 1)
    puller.pull({ETCD: "etcd"}, 1)
    assert crictl.calls == [ETCD] * TRIES
    assert clock.slept.count(PAUSE) == TRIES - 1


def test_crictl_that_meets_a_change_of_the_storage_is_run_again_at_once(
    puller: ImagePuller, crictl: Crictl, clock: FakeClock
) -> None:
    crictl.fails(TRIES + 1, f"validate CRI v1 image API: {RACE} for overlay-images")
    puller.pull({ETCD: "etcd"}, 1)
    assert (len(crictl.calls), clock.slept.count(PAUSE)) == (TRIES + 2, 0)


def test_the_image_that_does_not_come_is_named_and_no_other_is_begun(puller: ImagePuller, crictl: Crictl) -> None:
    crictl.fails(TRIES, "manifest unknown")
    with pytest.raises(ImageLoadError) as caught:
        puller.pull({ETCD: "etcd", CLI: "cli"}, 1)
    assert (caught.value.on, caught.value.partial) == (
        ETCD,
        {"loaded_images": 0, "present_images": 1, "selected_images": 3},
    )
    assert "manifest unknown" in caught.value.seen
    assert crictl.calls == [ETCD] * TRIES


def test_a_full_disk_is_not_asked_again(puller: ImagePuller, crictl: Crictl) -> None:
    crictl.fails(TRIES, "write /var/tmp/x: no space left on device")
    with pytest.raises(NotEnoughSpaceError):
        puller.pull({ETCD: "etcd"}, 1)
    assert crictl.calls == [ETCD]


def test_a_person_reads_which_image_comes_now(crictl: Crictl, clock: FakeClock) -> None:
    told = Reported()
    puller = ImagePuller(Host(clock, Path("/")), Deadline(10_000, clock), ImageProgress(told, 3, 2))
    puller.pull({ETCD: "etcd", CLI: ""}, 1)
    assert told.sentences == ["1 of 3 images are loaded, now etcd", f"2 of 3 images are loaded, now {CLI}"]
    assert crictl.calls == [ETCD, CLI]


def test_no_image_is_begun_while_the_gate_of_etcd_is_closed(clock: FakeClock, crictl: Crictl) -> None:
    host = Host(clock, Path("/"))
    pulled_before: list[int] = []

    def metrics() -> str:
        pulled_before.append(len(crictl.calls))
        slow = 100 if len(pulled_before) == 2 else 0
        clock.advance(LOOK_SECONDS)
        name, counted = "etcd_disk_wal_fsync_duration_seconds_bucket", 100 * len(pulled_before)
        return f'{name}{{le="0.001"}} {counted - slow}\n{name}{{le="1"}} {counted}\n{name}{{le="+Inf"}} {counted}\n'

    crictl.run_once()
    gate = EtcdGate(host, 0.05, metrics, lambda _sentence: None)
    puller = ImagePuller(host, Deadline(10_000, clock), ImageProgress(Reported(), 3, 2), gate=gate)
    puller.pull({ETCD: "etcd", CLI: "cli"}, 1)
    assert pulled_before == [1, 2, 2], "it looked before each image, and once more while it was closed"
