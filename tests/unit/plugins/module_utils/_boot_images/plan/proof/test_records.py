# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The record of proofs: written, read, bounded, and no obstacle when it is damaged."""

from __future__ import annotations

import json

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.proof import records
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.proof.records import (
    ProofRecord,
    read_records,
    record_body,
)

ONE = ProofRecord("w", "sha256:1", proved=True, machine="w-new", ended="2026-11-21T21:00:00.000000Z", by="technician")


def test_what_is_written_is_read() -> None:
    body = record_body(None, ONE)
    assert body["metadata"]["namespace"] == "fieldops-openshift"
    assert read_records(body) == {"w": ONE}


def test_others_stay() -> None:
    other = ProofRecord("x", "sha256:2", proved=False, reason="no capacity")
    first = record_body(None, other)
    merged = {"data": {**first["data"], **record_body(first, ONE)["data"]}}
    assert read_records(merged) == {"x": other, "w": ONE}


def test_the_oldest_go_before_the_config_map_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "MOST", 2)
    held = [ProofRecord(name, "sha256:2", proved=True, ended=f"2026-0{n}-01") for n, name in enumerate("xyz", 1)]
    found = {"data": {"schemaVersion": "1", **{one.machine_set: json.dumps(one.as_data()) for one in held}}}
    assert {key: text is None for key, text in record_body(found, ONE)["data"].items()} == {
        "x": True,
        "y": True,
        "schemaVersion": False,
        "w": False,
    }


@pytest.mark.parametrize(
    "content",
    [
        None,
        {},
        {"schemaVersion": "2", "w": json.dumps(ONE.as_data())},
        {"schemaVersion": "1", "w": "{"},
        {"schemaVersion": "1", "w": "[]"},
        {"schemaVersion": "1", "w": "{}"},
        {"schemaVersion": "1", "w": json.dumps({**ONE.as_data(), "machine": 7})},
    ],
)
def test_what_cannot_be_read_counts_as_not_proved(content: dict[str, str] | None) -> None:
    assert read_records({"data": content}) == {}
