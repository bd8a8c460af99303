# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which files are a backup of etcd, and how old it is: right and wrong names, times and sizes."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._etcd.plan.backups import (
    Backups,
    FoundFile,
    backups_of,
)

NOW = datetime(2026, 11, 21, 22, 0, tzinfo=timezone.utc)
FOLDER = "/home/core/assets/backup"
WHOLE = 8192 + 32


def named(age: int) -> str:
    """Return the time in the name of a backup that was begun ``age`` seconds ago."""
    return (NOW - timedelta(seconds=age)).strftime("%Y-%m-%d_%H%M%S")


def snapshot(age: int, size: int = WHOLE, *, file_age: int | None = None, objection: str = "") -> FoundFile:
    modified = NOW - timedelta(seconds=age if file_age is None else file_age)
    return FoundFile(f"snapshot_{named(age)}.db", size, modified, objection)


def resources(age: int, size: int = 900, *, file_age: int | None = None, objection: str = "") -> FoundFile:
    modified = NOW - timedelta(seconds=age if file_age is None else file_age)
    return FoundFile(f"static_kuberesources_{named(age)}.tar.gz", size, modified, objection)


def other(name: str) -> FoundFile:
    return FoundFile(name, WHOLE, NOW)


def found(*files: FoundFile) -> Backups:
    return backups_of(FOLDER, files, NOW)


def test_a_backup_is_told_as_data() -> None:
    (only,) = found(snapshot(90, file_age=70), resources(90)).whole
    assert only.as_document(NOW) == {
        "path": FOLDER,
        "snapshot": f"{FOLDER}/snapshot_2026-11-21_215830.db",
        "resources": f"{FOLDER}/static_kuberesources_2026-11-21_215830.tar.gz",
        "size": WHOLE + 900,
        "made_at": "2026-11-21T21:58:30Z",
        "age_seconds": 90,
    }


@pytest.mark.parametrize(
    ("age", "newer_than", "counts"),
    [
        pytest.param(0, 1, True, id="just now"),
        pytest.param(3599, 3600, True, id="just young enough"),
        pytest.param(3600, 3600, False, id="just too old"),
        pytest.param(86400, 3600, False, id="yesterday"),
        pytest.param(-30, 3600, True, id="the clock was set back a little"),
    ],
)
def test_age(age: int, newer_than: int, counts: bool) -> None:
    backups = found(snapshot(age), resources(age))
    assert (backups.newest(NOW, newer_than) is not None) is counts
    assert backups.newest(NOW) is not None


def test_the_newest_whole_one_counts() -> None:
    backups = found(snapshot(10), snapshot(60), resources(60), snapshot(30), resources(30))
    assert [one.age(NOW) for one in backups.whole] == [30, 60]
    assert backups.unusable == {snapshot(10).name: "its other file is missing or unusable"}


CUT = "it does not end with the checksum of an etcd snapshot: it is truncated"
UNTIMELY = "its modification time is before the time in its name, or in the future"


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        pytest.param([snapshot(9)], "its other file is missing or unusable", id="no resources"),
        pytest.param([resources(9)], "its other file is missing or unusable", id="no snapshot"),
        pytest.param([snapshot(9), resources(8)], "its other file is missing or unusable", id="two runs"),
        pytest.param([snapshot(9, 0), resources(9)], "it is empty", id="empty snapshot"),
        pytest.param([resources(9, 0), snapshot(9)], "it is empty", id="empty resources"),
        pytest.param([snapshot(9, 8192), resources(9)], CUT, id="snapshot without its checksum"),
        pytest.param([snapshot(9, WHOLE - 1), resources(9)], CUT, id="snapshot cut off"),
        pytest.param([snapshot(9, file_age=9000), resources(9)], UNTIMELY, id="an old file with a new name"),
        pytest.param([snapshot(9, file_age=-900), resources(9)], UNTIMELY, id="a file of the future"),
        pytest.param(
            [snapshot(-900), resources(-900)], "the time in its name is invalid or in the future", id="future"
        ),
        pytest.param(
            [snapshot(9, objection="it belongs to user 7"), resources(9)], "it belongs to user 7", id="foreign"
        ),
        pytest.param(
            [other(f"snapshot_{named(9)}.db.part"), resources(9)], "it was not completed", id="snapshot not finished"
        ),
        pytest.param(
            [other(f"snapshot_{named(9)}__POSSIBLY_DIRTY__.db"), resources(9)],
            "it was forced during a rollout of a control plane operator",
            id="forced",
        ),
        pytest.param(
            [other("snapshot_2026-02-30_250000.db"), resources(9)],
            "the time in its name is invalid or in the future",
            id="no time",
        ),
        pytest.param(
            [other(f"snapshot_{named(9)}.db\n"), resources(9)],
            "it does not have the file extension of a backup",
            id="line end",
        ),
    ],
)
def test_what_is_no_backup(files: list[FoundFile], reason: str) -> None:
    backups = found(*files)
    assert backups.whole == ()
    assert backups.unusable[files[0].name] == reason
    assert set(backups.unusable) == {file.name for file in files}


def test_a_copy_is_as_old_as_what_it_copies() -> None:
    (only,) = found(snapshot(9000, file_age=5), resources(9000, file_age=5)).whole
    assert only.age(NOW) == 9000


def test_other_files_are_not_spoken_of() -> None:
    assert found(other("README"), other("fieldops-making"), other("my_snapshot_2026-11-21_215830.db")) == Backups(
        (), {}
    )
