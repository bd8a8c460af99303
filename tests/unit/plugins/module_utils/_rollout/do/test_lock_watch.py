# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import typing as t
from dataclasses import replace

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.lock_watch import LockWatch
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.lock_state import LockState

if t.TYPE_CHECKING:
    from pathlib import Path

LOCK = LockState(holder="job 7", renewed="2026-11-21T22:00:00.000000Z", resource_version="5")
SERVER = "https://api.site.example:6443"


def test_it_counts_from_the_first_look(clock: t.Any, tmp_path: Path) -> None:
    watch = LockWatch(SERVER, clock, tmp_path)
    assert watch.unrenewed_for(LOCK) == 0
    clock.advance(10)
    assert watch.unrenewed_for(LOCK) == 10


@pytest.mark.parametrize("change", [{"renewed": "2026-11-21T22:00:05.000000Z"}, {"holder": "job 8"}])
def test_a_renewal_and_another_holder_begin_anew(clock: t.Any, tmp_path: Path, change: dict[str, t.Any]) -> None:
    watch = LockWatch(SERVER, clock, tmp_path)
    watch.unrenewed_for(LOCK)
    clock.advance(10)
    assert watch.unrenewed_for(replace(LOCK, **change)) == 0


def test_the_next_run_goes_on_counting(clock: t.Any, tmp_path: Path) -> None:
    LockWatch(SERVER, clock, tmp_path).unrenewed_for(LOCK)
    clock.advance(10)
    assert LockWatch(SERVER, clock, tmp_path).unrenewed_for(LOCK) == 10


def test_another_cluster_is_counted_apart(clock: t.Any, tmp_path: Path) -> None:
    LockWatch(SERVER, clock, tmp_path).unrenewed_for(LOCK)
    clock.advance(10)
    assert LockWatch("https://other.example:6443", clock, tmp_path).unrenewed_for(LOCK) == 0


def test_without_a_place_for_the_file_it_counts_as_long_as_it_lives(clock: t.Any) -> None:
    watch = LockWatch(SERVER, clock, None)
    watch.unrenewed_for(LOCK)
    clock.advance(10)
    assert watch.unrenewed_for(LOCK) == 10


@pytest.mark.parametrize("content", ['{"holder": "job 7"}', "[]", '{"since": 99999}'])
def test_an_unusable_memory_begins_anew(clock: t.Any, tmp_path: Path, content: str) -> None:
    watch = LockWatch(SERVER, clock, tmp_path)
    watch.unrenewed_for(LOCK)
    (file,) = tmp_path.iterdir()
    file.write_text(content)
    assert LockWatch(SERVER, clock, tmp_path).unrenewed_for(LOCK) == 0


def test_what_is_ours_is_forgotten(clock: t.Any, tmp_path: Path) -> None:
    watch = LockWatch(SERVER, clock, tmp_path)
    watch.unrenewed_for(LOCK)
    watch.forget()
    assert list(tmp_path.iterdir()) == []
