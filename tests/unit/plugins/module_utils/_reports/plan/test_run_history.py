# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The runs that a cluster remembers: bounded in number and bytes, and read strictly."""

from __future__ import annotations

import json
import typing as t
from dataclasses import replace

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._reports.errors import RunHistoryError
from ansible_collections.fieldops.openshift.plugins.module_utils._reports.plan.run_history import (
    MOST_BYTES,
    MOST_REMAINING,
    MOST_RUNS,
    RUNS_KEY,
    recorded_runs,
    run_of,
    runs_config_map,
)
from ansible_collections.fieldops.openshift.tests.lab.report_records import NOW, run

OPTION = {
    "status": "done",
    "sentence": "",
    "next_permitted": "",
    "rollout": "",
    "version": "",
    "digest": "",
    "bundle_bytes": 0,
}


def test_what_was_recorded_is_read_back() -> None:
    runs = (run(), run("done"))
    assert recorded_runs(runs_config_map(runs)) == runs


def test_no_config_map_is_no_run() -> None:
    assert recorded_runs(None) == ()


def test_the_oldest_runs_are_dropped() -> None:
    runs = [run(sentence=str(number)) for number in range(MOST_RUNS + 5)]
    assert [one.sentence for one in recorded_runs(runs_config_map(runs))] == [str(n) for n in range(MOST_RUNS)]


def test_the_largest_runs_stay_within_the_bytes() -> None:
    option = {**OPTION, "sentence": "\U0001f512" * 5000, "remaining": ["\U0001f512" * 300] * 5000}
    large = run_of(option, NOW, "\U0001f512" * 5000)
    assert (len(large.remaining), large.remaining_count) == (MOST_REMAINING, 5000)
    text = runs_config_map([large] * MOST_RUNS)["data"][RUNS_KEY]
    assert len(text.encode()) <= MOST_BYTES
    assert 1 <= len(json.loads(text)) < MOST_RUNS


def damaged(**fields: t.Any) -> dict[str, t.Any]:
    entry = {**run().as_data(), **fields}
    return {"data": {"schemaVersion": "1", RUNS_KEY: json.dumps([entry])}}


@pytest.mark.parametrize(
    ("found", "seen"),
    [
        ({}, "schemaVersion"),
        ({"data": {"schemaVersion": "9", RUNS_KEY: "[]"}}, "'9'"),
        ({"data": {"schemaVersion": "1"}}, "cannot be read"),
        ({"data": {"schemaVersion": "1", RUNS_KEY: "[" * 100000}}, "cannot be read"),
        ({"data": {"schemaVersion": "1", RUNS_KEY: "[7]"}}, "cannot be read"),
        ({"data": {"schemaVersion": "1", RUNS_KEY: "[{}]"}}, "cannot be read"),
        (damaged(status="splendid"), "splendid"),
        (damaged(sentence=["a"]), "sentence is not a string"),
        (damaged(remaining=None), "cannot be read"),
        (damaged(bundle_bytes="many"), "cannot be read"),
    ],
)
def test_damage_is_an_error_that_names_the_object(found: dict[str, t.Any], seen: str) -> None:
    with pytest.raises(RunHistoryError, match="ConfigMap fieldops-openshift/site-runs") as refused:
        recorded_runs(found)
    assert seen in refused.value.seen


def test_a_run_is_recorded_as_the_option_describes_it() -> None:
    option = {**OPTION, "status": "waits_for_window", "remaining": ["worker-1"], "version": "4.21.5"}
    made = run_of(option, NOW, "system:admin")
    assert (made.ended, made.by, made.version, made.remaining) == (NOW, "system:admin", "4.21.5", ("worker-1",))
    assert made == replace(made, remaining_count=1)
