# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The work of the job on a folder of this machine: what the script makes gets its place, what it leaves behind goes."""

from __future__ import annotations

import shutil
import stat
import typing as t
from collections.abc import Callable
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._etcd.do.backup_job import MAKING, make_backup
from ansible_collections.fieldops.openshift.plugins.module_utils._etcd.do.read_backups import read_backups
from ansible_collections.fieldops.openshift.plugins.module_utils._etcd.etcd_errors import EtcdBackupError
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import MissingRequirementError

Install = Callable[..., Path]


class Progress:
    """Remembers what was said."""

    def __init__(self) -> None:
        self.sentences: list[str] = []

    def report(self, sentence: str | None = None, **_counted: t.Any) -> None:
        self.sentences.append(sentence or "")


def make(folder: Path, progress: Progress | None = None) -> dict[str, t.Any]:
    return make_backup(host_root="/", path=str(folder), progress=progress or Progress())


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_the_script_makes_it(host: Host, script: Install, folder: Path) -> None:
    script()
    progress = Progress()
    made = make(folder, progress)
    assert names(folder) == [made["snapshot"], made["resources"]]
    assert made["before"] is None
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert [one.snapshot for one in read_backups(host, str(folder)).whole] == [made["snapshot"]]
    assert any("successfully saved" in sentence for sentence in progress.sentences)


def test_the_time_in_its_name_is_of_utc(
    host: Host, script: Install, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script()
    monkeypatch.setenv("TZ", "Pacific/Auckland")
    make(folder)
    (only,) = read_backups(host, str(folder)).whole
    assert only.age(host.clock.utcnow()) < 60


@pytest.mark.parametrize(
    ("settings", "said", "transient"),
    [
        pytest.param(
            {"progressing": ["etcd"]}, "Currently the etcd operator is progressing", True, id="an operator rolls out"
        ),
        pytest.param(
            {"unknown": ["kube-apiserver"]}, "Could not find the status of the kube-apiserver", True, id="no API"
        ),
        pytest.param({"etcdctl": 1}, "Error: context deadline exceeded", False, id="etcdctl fails"),
    ],
)
def test_a_refusal_is_told_and_leaves_nothing(
    script: Install, folder: Path, settings: dict[str, t.Any], said: str, transient: bool
) -> None:
    script(**settings)
    with pytest.raises(EtcdBackupError) as refused:
        make(folder)
    assert said in refused.value.seen
    assert refused.value.transient is transient
    assert names(folder) == []


def test_a_host_without_a_pod_of_etcd_is_refused_by_the_script(script: Install, folder: Path) -> None:
    path = script()
    shutil.rmtree(path.parents[3] / "etc/kubernetes/static-pod-resources/etcd-certs")
    with pytest.raises(EtcdBackupError, match="required dependencies not found"):
        make(folder)


def test_releases_that_look_at_no_operator_make_it_all_the_same(script: Install, folder: Path) -> None:
    script(looks=False, progressing=["etcd"])
    assert make(folder)["snapshot"] in names(folder)


def test_what_a_killed_run_left_is_no_backup_and_goes(host: Host, script: Install, folder: Path) -> None:
    script()
    made = make(folder)
    left = folder / MAKING
    left.mkdir(mode=0o700)
    for name in names(folder):
        if name != MAKING:
            (folder / name).rename(left / name)
    assert read_backups(host, str(folder)).whole == ()
    again = make(folder)
    assert again["before"] is None
    assert names(folder) == [again["snapshot"], again["resources"]]
    assert made.keys() == again.keys()


def test_an_earlier_one_stays(script: Install, folder: Path) -> None:
    script()
    folder.mkdir(parents=True, mode=0o755)
    (folder / "snapshot_2026-01-01_000000.db").write_bytes(b"\0" * 4128)
    (folder / "static_kuberesources_2026-01-01_000000.tar.gz").write_bytes(b"\x1f\x8b")
    made = make(folder)
    assert made["before"] == "snapshot_2026-01-01_000000.db"
    assert len(names(folder)) == 4
    assert stat.S_IMODE(folder.stat().st_mode) == 0o755


def test_a_script_that_makes_nothing_is_not_believed(script: Install, folder: Path) -> None:
    path = script()
    path.write_text("#!/bin/sh\n: > $1/snapshot_2026-11-21_220000.db\n")
    with pytest.raises(EtcdBackupError, match="created 0 complete backups; snapshot_2026-11-21_220000"):
        make(folder)
    assert names(folder) == []


def test_no_script(script: Install, folder: Path) -> None:
    script().unlink()
    with pytest.raises(MissingRequirementError):
        make(folder)
    assert names(folder) == []
