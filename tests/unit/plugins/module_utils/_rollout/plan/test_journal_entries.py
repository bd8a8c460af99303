# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.errors import JournalError
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.journal_entries import (
    Journal,
    further_entries,
    journal_of,
    new_journal,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_record import (
    DRAINING,
    REBOOTING,
    NodeRecord,
)

NOW = "2026-11-21T22:00:00.000000Z"


def record(phase: str = DRAINING) -> NodeRecord:
    return NodeRecord(phase=phase, since=NOW, rollout="r1", target="t1", boot_id="1f6a3d0e-8a1c-4a53-bb7e-1de1a2f0c9d4")


def written(entries: dict[str, NodeRecord]) -> dict[str, t.Any]:
    body = new_journal("r1", "t1", NOW, "job 7", entries)
    return {**body, "metadata": {**body["metadata"], "resourceVersion": "1"}}


def test_no_config_map_is_an_empty_journal() -> None:
    assert (journal_of(None, "r1"), journal_of(None, "r1").exists) == (Journal("r1"), False)


def test_what_was_written_is_read_back() -> None:
    journal = journal_of(written({"worker-0": record(), "target": record(REBOOTING)}), "r1")
    assert (journal.target, journal.started, journal.by, journal.exists) == ("t1", NOW, "job 7", True)
    assert {name: entry.phase for name, entry in journal.entries.items()} == {"worker-0": DRAINING, "target": REBOOTING}


def test_a_further_entry_touches_no_other() -> None:
    assert list(further_entries({"worker-1": record()})["data"]) == ["worker-1"]


@pytest.mark.parametrize(
    "content",
    [
        {},
        {"schemaVersion": "9"},
        {"schemaVersion": "1"},
        {"schemaVersion": "1", "rolloutHead": "["},
        {"schemaVersion": "1", "rolloutHead": "{}", "worker-0": "{"},
    ],
)
def test_a_foreign_or_damaged_journal_is_not_used(content: dict[str, str]) -> None:
    with pytest.raises(FieldOpsError, match="rollout-r1"):
        journal_of({"metadata": {}, "data": content}, "r1")


def test_keys_of_later_releases_are_no_nodes() -> None:
    body = written({})
    body["data"]["someSetting"] = "x"
    assert journal_of(body, "r1").entries == {}


def test_two_thousand_nodes_fit_into_a_config_map() -> None:
    long = record(REBOOTING).advanced("done", NOW, holder="technician@laptop.site.example/4711-883120")
    times = dict.fromkeys(("draining", "drained", "changing", "rebooting", "done"), NOW)
    entries = {
        f"worker-{number}.site.example": NodeRecord(**{**long.as_data(), "times": times}) for number in range(2000)
    }
    size = sum(len(name) + len(text) for name, text in new_journal("r1", "t1", NOW, "me", entries)["data"].items())
    assert size < 1024 * 1024


def test_another_kind_of_error_is_not_hidden() -> None:
    with pytest.raises(JournalError):
        journal_of({"metadata": {}, "data": {"schemaVersion": "2"}}, "r1")
