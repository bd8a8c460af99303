# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The history of boot images: entries, ConfigMaps that hold them, and the ways back through them."""

from __future__ import annotations

import json
import typing as t
from dataclasses import replace
from datetime import datetime, timezone

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.errors import HistoryError, MalformedError
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.field_changes import FieldChange
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.history_entries import (
    FIRST_SEEN,
    OBSERVED,
    REVERT,
    UPDATE,
    HistoryEntry,
    StubChange,
    entry_id,
    read_entry,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.history_shards import (
    ROOM,
    History,
    ShardWrite,
    plan_writes,
    read_history,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.reversion import (
    check_destination,
    reversion_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.verdict import Image
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

Json = dict[str, t.Any]
KEY = "MachineSet/site-a"


def entry(
    day: int, before: str = "a", after: str = "b", *, kind: str = UPDATE, applied: bool = True, **parts: t.Any
) -> HistoryEntry:
    instant = datetime(2026, 11, day, 20, tzinfo=timezone.utc)
    resource = parts.pop("resource", KEY)
    return HistoryEntry(
        id=entry_id(instant, resource),
        resource=resource,
        kind=kind,
        at=f"{instant:%Y-%m-%dT%H:%M:%S}.000000Z",
        by="technician",
        changes=(FieldChange(("template",), (before,), (after,)),),
        before=Image(before),
        after=Image(after),
        applied=applied,
        **parts,
    )


def config_map(number: int, entries: t.Sequence[HistoryEntry], version: str = "7", **content: str) -> Json:
    texts = {one.id: one.text for one in entries}
    metadata = {"name": f"boot-image-history-{number}", "resourceVersion": version}
    return {"metadata": metadata, "data": {"schemaVersion": "1", **texts, **content}}


def stored(*entries: HistoryEntry) -> History:
    return read_history([config_map(1, entries)])


def test_an_entry_is_read_as_it_was_written() -> None:
    stub = StubChange("worker-user-data", "boot-image-stub-x", "2.2.0", "3.2.0")
    written = entry(1, stub=stub, uid="7f9c")
    assert read_entry(written.text) == written


def test_an_absent_value_stays_absent() -> None:
    written = replace(entry(1), changes=(FieldChange(("disks", 0, "image"), (), ("x",)),))
    assert read_entry(written.text).changes[0].before == ()


HOSTILE = [
    "",
    "{",
    "[]",
    "{}",
    '{"id": 5}',
    json.dumps({**entry(1).as_data(), "changes": []}),
    json.dumps({**entry(1).as_data(), "changes": [{"path": []}]}),
    json.dumps({**entry(1).as_data(), "changes": [{"path": [True]}]}),
    json.dumps({**entry(1).as_data(), "resource": ["MachineSet"]}),
    "[" * 100000,
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_what_is_no_entry(text: str) -> None:
    with pytest.raises(MalformedError):
        read_entry(text)


def test_a_broken_entry_stays_where_it_is_and_is_named() -> None:
    history = read_history([config_map(1, [entry(1)], **{"20261102T200000.000000Z-x": "{"})])
    assert (len(history.entries), history.faults) == (1, ("20261102T200000.000000Z-x",))
    assert plan_writes(history, [entry(2)])[0].texts.keys() == {entry(2).id}


@pytest.mark.parametrize("version", ["2", "", None])
def test_a_history_of_another_version_is_not_touched(version: str | None) -> None:
    found = config_map(1, [])
    found["data"]["schemaVersion"] = version
    with pytest.raises(HistoryError, match="boot-image-history-1"):
        read_history([found])


def test_other_config_maps_are_none_of_it() -> None:
    assert read_history([{"metadata": {"name": "boot-image-history-notes"}, "data": {"x": "y"}}]) == History()


def test_the_first_write_creates_a_config_map() -> None:
    (write,) = plan_writes(History(), [entry(1)])
    body = write.body()
    assert (write.resource_version, body["metadata"]["name"]) == (None, "boot-image-history-1")
    assert body["data"] == {"schemaVersion": "1", entry(1).id: entry(1).text}


def test_an_entry_is_replaced_where_it_stands() -> None:
    history = read_history([config_map(1, []), config_map(2, [entry(1, applied=False)], "9")])
    assert plan_writes(history, [entry(1)]) == [ShardWrite(2, "9", {entry(1).id: entry(1).text})]


def test_a_full_config_map_is_followed_by_another_one() -> None:
    filler = config_map(1, [], filler="x" * (ROOM - 100))
    history = read_history([filler])
    assert [(one.number, one.resource_version) for one in plan_writes(history, [entry(1)])] == [(2, None)]


def test_many_entries_of_one_write_are_spread() -> None:
    many = [entry(1, resource=f"MachineSet/site-{n}") for n in range(4000)]
    writes = plan_writes(History(), many)
    sizes = [sum(len(key) + len(text or "") for key, text in one.texts.items()) for one in writes]
    assert len(writes) > 1
    assert max(sizes) <= ROOM
    assert sum(len(one.texts) for one in writes) == 4000


def test_an_entry_that_fits_nowhere() -> None:
    with pytest.raises(HistoryError, match="bytes"):
        plan_writes(History(), [entry(1, after="x" * ROOM)])


def test_pruning_keeps_the_first_entry_and_the_last_ones() -> None:
    history = stored(*(entry(day) for day in range(1, 7)))
    (write,) = plan_writes(history, [entry(7)], keep=3)
    gone = {key for key, text in write.texts.items() if text is None}
    assert gone == {entry(2).id, entry(3).id, entry(4).id}


def test_pruning_keeps_the_first_entry_of_the_object_that_is_there_now() -> None:
    history = stored(*(entry(day, uid="old") for day in (1, 2)), *(entry(day, uid="new") for day in (3, 4, 5)))
    (write,) = plan_writes(history, [entry(6, uid="new")], keep=2)
    gone = {key for key, text in write.texts.items() if text is None}
    assert gone == {entry(1).id, entry(2).id, entry(4).id}


def test_pruning_makes_room_that_is_used() -> None:
    big = [entry(day, after="x" * (ROOM // 7)) for day in (1, 2, 3)]
    writes = plan_writes(stored(*big), [entry(4, after="x" * (ROOM // 7))], keep=1)
    assert [one.number for one in writes] == [1]


CONVERTED = StubChange("worker-user-data", "boot-image-stub-x", "2.2.0", "3.2.0")
WAYS: dict[str, tuple[list[HistoryEntry], str, str, str | None]] = {
    "to what was before the last update": ([entry(1, "a", "b"), entry(2, "b", "c")], "c", "previous", "b"),
    "to the very first": ([entry(1, "a", "b"), entry(2, "b", "c")], "c", "original", "a"),
    "to before an entry": ([entry(1, "a", "b"), entry(2, "b", "c")], "c", entry(1).id, "a"),
    "to an instant": ([entry(1, "a", "b"), entry(3, "b", "c")], "c", "2026-11-02T12:00:00Z", "b"),
    "to an instant before all": ([entry(1, "a", "b"), entry(3, "b", "c")], "c", "2026-10-02T12:00:00Z", "a"),
    "to an instant after all": ([entry(1, "a", "b")], "b", "2026-12-02T12:00:00Z", None),
    "what is there already": (
        [entry(1, "a", "b"), entry(2, "b", "a", kind=REVERT)],
        "a",
        "previous",
        "a",
    ),
    "an update that a kill left unmarked": ([entry(1, "a", "b", applied=False)], "b", "previous", "a"),
    "an update that a kill left unmade": (
        [entry(1, "a", "b"), entry(2, "b", "c", applied=False)],
        "b",
        "previous",
        "a",
    ),
    "to what was there before somebody else's change": (
        [entry(1, "a", "b"), entry(2, "b", "z", kind=OBSERVED)],
        "z",
        "previous",
        "b",
    ),
    "only of ours, after somebody else's": (
        [entry(1, "a", "b"), entry(2, "b", "z", kind=OBSERVED), entry(3, "z", "c")],
        "c",
        "previous",
        "z",
    ),
    "before somebody else's change, if told so": (
        [entry(1, "a", "b"), entry(2, "b", "z", kind=OBSERVED)],
        "z",
        entry(1).id,
        "a",
    ),
    "to what was there at the first look": (
        [entry(1, "", "a", kind=FIRST_SEEN), entry(2, "a", "b", kind=OBSERVED)],
        "b",
        "original",
        "a",
    ),
    "nothing happened since the first look": ([entry(1, "", "a", kind=FIRST_SEEN)], "a", "previous", None),
    "no history": ([], "a", "previous", None),
    "an entry that is not there": ([entry(1)], "b", entry(2).id, None),
}


@pytest.mark.parametrize(("entries", "present", "to", "wanted"), WAYS.values(), ids=WAYS)
def test_ways_back(entries: list[HistoryEntry], present: str, to: str, wanted: str | None) -> None:
    way = reversion_of({"template": present}, entries, to)
    if wanted is None:
        assert way.reason
    else:
        assert (way.changes[0].after if way.changes else (present,)) == (wanted,)


def test_stubs_that_were_converted_on_the_way_are_put_back() -> None:
    entries = [entry(1, "a", "b", stub=CONVERTED), entry(2, "b", "c")]
    assert reversion_of({"template": "c"}, entries, "original").stubs == (CONVERTED,)
    assert reversion_of({"template": "c"}, entries, "previous").stubs == ()


def test_a_field_whose_surroundings_are_gone_is_no_way_back() -> None:
    deep = replace(entry(1), changes=(FieldChange(("disks", 1, "image"), ("a",), ("b",)),))
    assert "disks.1 no longer exists" in reversion_of({"disks": []}, [deep], "previous").reason


@pytest.mark.parametrize("to", ["previous", "original", "2026-11-21T20:00:00Z", entry(1).id])
def test_points_in_history(to: str) -> None:
    assert check_destination(to) == to


@pytest.mark.parametrize("to", ["", "yesterday", "9.6.20260112-0", "2026-11-21"])
def test_what_names_no_point_in_history(to: str) -> None:
    with pytest.raises(InvalidInputError, match="revert_to"):
        check_destination(to)
