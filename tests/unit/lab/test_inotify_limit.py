# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The machine's limit of inotify instances is higher while labs run, and what it was before afterwards."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.lab.errors import LabError
from ansible_collections.fieldops.openshift.tests.lab.inotify_limit import ENOUGH, RaisedInotifyLimit

OWNER = """
import os, signal, sys
from pathlib import Path
from ansible_collections.fieldops.openshift.tests.lab.inotify_limit import RaisedInotifyLimit
RaisedInotifyLimit(limit=Path(sys.argv[1]), lock=Path(sys.argv[2]))
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def limit(tmp_path: Path) -> Path:
    path = tmp_path / "limit"
    path.write_text("128\n")
    return path


@pytest.fixture
def lock(tmp_path: Path) -> Path:
    return tmp_path / "lock"


def test_it_is_raised_for_as_long_as_somebody_holds_it(limit: Path, lock: Path) -> None:
    with RaisedInotifyLimit(limit=limit, lock=lock):
        assert int(limit.read_text()) == ENOUGH
    assert int(limit.read_text()) == 128
    assert not lock.exists()


def test_the_last_of_several_puts_it_back(limit: Path, lock: Path) -> None:
    first = RaisedInotifyLimit(limit=limit, lock=lock)
    second = RaisedInotifyLimit(limit=limit, lock=lock)
    first.close()
    assert int(limit.read_text()) == ENOUGH
    second.close()
    assert int(limit.read_text()) == 128


@pytest.mark.parametrize("present", ["1024", "65536"])
def test_a_limit_that_is_high_enough_is_left_alone(limit: Path, lock: Path, present: str) -> None:
    limit.write_text(present)
    with RaisedInotifyLimit(limit=limit, lock=lock):
        assert limit.read_text() == present
    assert limit.read_text() == present


def test_what_somebody_else_sets_in_the_meantime_stays(limit: Path, lock: Path) -> None:
    with RaisedInotifyLimit(limit=limit, lock=lock):
        limit.write_text("4096")
    assert limit.read_text() == "4096"


def test_it_is_put_back_when_the_owner_is_killed(limit: Path, lock: Path) -> None:
    subprocess.run([sys.executable, "-c", OWNER, limit, lock], check=False)
    deadline = time.monotonic() + 10
    while lock.exists() and time.monotonic() < deadline:
        time.sleep(0.005)
    assert int(limit.read_text()) == 128


def test_a_limit_that_cannot_be_raised_is_an_error_that_says_how_to(tmp_path: Path, lock: Path) -> None:
    sealed = Path("/proc/sys/kernel/random/uuid_of_nobody")
    with pytest.raises(LabError, match="inotify instances"):
        RaisedInotifyLimit(limit=sealed, lock=lock)
    assert not [*tmp_path.iterdir()]
