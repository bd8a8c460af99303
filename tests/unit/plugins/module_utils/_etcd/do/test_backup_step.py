# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a step finds before anything is started: a recent backup, a host that can make one, or why it cannot."""

from __future__ import annotations

import shutil
import typing as t
from datetime import timedelta
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._etcd.do.backup_step import (
    backups_report,
    etcd_backup_step,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import DiskFullError
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import (
    InvalidInputError,
    MissingRequirementError,
)
from ansible_collections.fieldops.openshift.tests.lab.actors.cluster_backup import install

PATH = "/srv/backup"
PARAMS = {"path": PATH, "newer_than": 3600, "timeout": 60, "keep_free_percent": 0}


@pytest.fixture
def node(tmp_path: Path) -> Host:
    """The root of a control-plane node, mounted: nothing is run on it here."""
    install(tmp_path / "node")
    return Host(SystemClock(), tmp_path / "node")


def plant(host: Host, age: int) -> str:
    """Let the host hold a backup that was begun ``age`` seconds ago."""
    name = (host.clock.utcnow() - timedelta(seconds=age)).strftime("%Y-%m-%d_%H%M%S")
    folder = host.path(PATH)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"snapshot_{name}.db").write_bytes(b"\0" * 4128)
    (folder / f"static_kuberesources_{name}.tar.gz").write_bytes(b"\x1f\x8b")
    return f"snapshot_{name}.db"


def look(host: Host, **changes: t.Any) -> t.Any:
    return etcd_backup_step(host, {**PARAMS, **changes}, check_mode=True)


def test_a_recent_backup_is_enough(node: Host) -> None:
    name = plant(node, 600)
    step = etcd_backup_step(node, PARAMS, check_mode=False)
    assert (step.done, step.changed, step.actions, step.diff) == (True, False, None, None)
    assert step.objects["backup"]["snapshot"] == f"{PATH}/{name}"
    assert step.sentence.startswith("etcd was backed up 10m")


def test_check_mode_says_what_would_be_made(node: Host) -> None:
    name = plant(node, 7200)
    step = look(node)
    assert (step.done, step.changed) == (False, True)
    assert step.actions[0]["argv"] == ["/usr/local/bin/cluster-backup.sh", f"{PATH}/fieldops-making"]
    assert step.diff == {"before": {"newest": name}, "after": {"newest": "a new one"}}
    assert [path.name for path in node.path(PATH).iterdir() if path.is_dir()] == []


@pytest.mark.parametrize("gone", ["/usr/local/bin/cluster-backup.sh", "/var/lib/etcd/member/snap/db"])
def test_a_host_without_etcd_is_refused(node: Host, gone: str) -> None:
    node.path(gone).unlink()
    with pytest.raises(MissingRequirementError, match=gone):
        look(node)


def test_a_script_that_cannot_be_run_is_none(node: Host) -> None:
    node.path("/usr/local/bin/cluster-backup.sh").chmod(0o644)
    with pytest.raises(MissingRequirementError):
        look(node)


@pytest.mark.parametrize("why", ["the database", "the reserve"])
def test_a_backup_that_does_not_fit_is_refused(node: Host, why: str) -> None:
    if why == "the database":
        with node.path("/var/lib/etcd/member/snap/db").open("r+b") as stream:
            stream.truncate(shutil.disk_usage(node.root).free + (1 << 30))
    with pytest.raises(DiskFullError, match="are free, the database requires"):
        look(node, keep_free_percent=0 if why == "the database" else 99)


@pytest.mark.parametrize(
    "option", [{"newer_than": 0}, {"timeout": 0}, {"keep_free_percent": 100}, {"keep_free_percent": -1}, {"path": "x"}]
)
def test_options_without_sense_are_refused(node: Host, option: dict[str, t.Any]) -> None:
    with pytest.raises(InvalidInputError):
        look(node, **option)


def test_the_report_names_what_is_there_and_what_is_none(node: Host) -> None:
    name = plant(node, 7200)
    (node.path(PATH) / "snapshot_2026-11-21_220000.db.part").write_bytes(b"\0")
    told = backups_report(node, PATH)
    assert [one["snapshot"] for one in told["backups"]] == [f"{PATH}/{name}"]
    assert told["unusable"] == [{"name": "snapshot_2026-11-21_220000.db.part", "reason": "it was not completed"}]
    assert told["problem"] == ""


def test_the_report_says_why_a_folder_is_not_trusted(node: Host) -> None:
    plant(node, 60)
    node.path(PATH).chmod(0o777)
    assert backups_report(node, PATH) == {
        "backups": [],
        "unusable": [],
        "problem": "other users can write to it (mode 0777)",
    }
