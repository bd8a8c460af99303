# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Timers, marks for a reboot, and the record of what was staged."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.host_keeping import (
    Record,
    is_finalized,
    is_ours_to_remove,
    lost_staging,
    ran_before,
    timers_to_mask,
    timers_to_restore,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.host_status import HostStatus
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._os_images.plan.os_image_samples import (
    NEW,
    OLD,
    bootc_host,
    entry,
)

TIMER = "bootc-fetch-apply-updates.timer"


@pytest.mark.parametrize(
    ("state", "expected"),
    [("enabled", True), ("disabled", True), ("static", True), ("masked", False), ("not-found", False), ("", False)],
)
def test_what_may_start_is_masked(state: str, expected: bool) -> None:
    assert timers_to_mask({TIMER: state}) == ([TIMER] if expected else [])


def test_only_what_we_masked_is_restored_and_started_only_if_it_ran() -> None:
    record = Record(timers={TIMER: "enabled", "rpm-ostreed-automatic.timer": "disabled"})
    states = {TIMER: "masked", "rpm-ostreed-automatic.timer": "masked", "other.timer": "masked"}
    assert timers_to_restore(states, record) == [TIMER, "rpm-ostreed-automatic.timer"]
    assert [ran_before(record, name) for name in record.timers] == [True, False]
    assert timers_to_restore({TIMER: "enabled"}, record) == []


@pytest.mark.parametrize(
    ("mark", "expected"),
    [("bootc: Reboot required for image: sha256:12\n", True), ("kernel update\n", False), ("", False), (None, False)],
)
def test_only_bootcs_mark_is_ours_to_remove(mark: str | None, expected: bool) -> None:
    assert is_ours_to_remove(mark) is expected


RECORD = Record({}, NEW, "boot-1", "2026-11-21T22:00:00Z")


@pytest.mark.parametrize(
    ("status", "boot", "expected"),
    [
        (bootc_host(entry(OLD), entry(NEW)), "boot-1", None),
        (bootc_host(entry(OLD)), "boot-1", None),
        (bootc_host(entry(NEW)), "boot-2", None),
        (bootc_host(entry(OLD), entry(NEW)), "boot-2", None),
        (bootc_host(entry(OLD)), "boot-2", "not_finalized"),
        (bootc_host(entry(OLD), None, entry(NEW)), "boot-2", "left_again"),
    ],
)
def test_a_staging_that_a_reboot_lost_is_known(status: HostStatus, boot: str, expected: str | None) -> None:
    assert lost_staging(RECORD, status, boot) == expected


@pytest.mark.parametrize(
    ("queued", "boot", "expected"), [(True, "this", True), (False, "this", False), (True, "next", False)]
)
def test_a_staging_that_a_soft_reboot_finalized_is_no_rollback(queued: bool, boot: str, expected: bool) -> None:
    record = Record(staged_digest=NEW, staged_boot="this")
    assert is_finalized(record, bootc_host(entry(), None, entry(NEW), queued=queued), boot) is expected


def test_without_a_record_nothing_was_lost() -> None:
    assert lost_staging(Record(), bootc_host(entry()), "boot-2") is None


def test_a_record_is_read_as_it_was_written() -> None:
    record = Record({TIMER: "enabled"}, NEW, "boot-1", "2026-11-21T22:00:00Z")
    assert Record.from_document(record.to_document()) == record


@pytest.mark.parametrize("document", [None, [], {"schemaVersion": 2}, {"schemaVersion": 1, "timers": 1, "staged": 2}])
def test_a_damaged_record_is_as_if_never_written(document: t.Any) -> None:
    assert Record.from_document(document) == Record()
