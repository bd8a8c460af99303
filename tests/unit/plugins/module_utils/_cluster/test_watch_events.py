# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A fresh list is told as the changes that were missed."""

from __future__ import annotations

import typing as t

from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.watch_events import (
    ADDED,
    DELETED,
    MODIFIED,
    KnownObjects,
    WatchEvent,
)

Object = dict[str, t.Any]


def node(name: str, version: int = 1, uid: str = "") -> Object:
    return {"metadata": {"name": name, "uid": uid or f"uid-of-{name}", "resourceVersion": str(version)}}


def told(events: list[WatchEvent]) -> list[tuple[str, str]]:
    return [(event.type, event.object["metadata"]["name"]) for event in events if event.object]


def knowing(*items: Object) -> KnownObjects:
    known = KnownObjects()
    known.replaced_by(items)
    return known


def test_everything_is_new_at_first() -> None:
    assert told(KnownObjects().replaced_by([node("a"), node("b")])) == [(ADDED, "a"), (ADDED, "b")]


def test_only_changes_are_told_later() -> None:
    events = knowing(node("a"), node("b"), node("c")).replaced_by([node("a"), node("b", 2), node("d")])
    assert told(events) == [(DELETED, "c"), (MODIFIED, "b"), (ADDED, "d")]


def test_a_successor_of_the_same_name_is_another_object() -> None:
    events = knowing(node("a", uid="old")).replaced_by([node("a", uid="new")])
    assert told(events) == [(DELETED, "a"), (ADDED, "a")]
    assert events[0].object == node("a", uid="old")


def test_namespaces_keep_objects_of_one_name_apart() -> None:
    here, there = ({"metadata": {"name": "a", "namespace": place, "uid": place}} for place in ("here", "there"))
    assert told(knowing(here, there).replaced_by([here])) == [(DELETED, "a")]


def test_what_the_server_told_is_known() -> None:
    known = knowing(node("a"))
    known.told(MODIFIED, node("a", 2))
    known.told(ADDED, node("b"))
    assert known.replaced_by([node("a", 2), node("b")]) == []
    known.told(DELETED, node("a", 3))
    assert told(known.replaced_by([node("b")])) == []


def test_objects_are_not_shown_in_passing() -> None:
    assert "canary" not in repr(WatchEvent(ADDED, {"data": "canary"}))


STATES = st.dictionaries(st.sampled_from("abcd"), st.tuples(st.integers(1, 3), st.sampled_from(["u1", "u2"])))


@given(before=STATES, after=STATES)
def test_replaying_the_changes_leads_to_the_new_state(
    before: dict[str, tuple[int, str]], after: dict[str, tuple[int, str]]
) -> None:
    old = {name: node(name, version, uid) for name, (version, uid) in before.items()}
    new = {name: node(name, version, uid) for name, (version, uid) in after.items()}
    replayed = dict(old)
    for event in knowing(*old.values()).replaced_by(new.values()):
        assert event.object is not None
        name = event.object["metadata"]["name"]
        assert (name in replayed) == (event.type != ADDED)
        if event.type == DELETED:
            del replayed[name]
        else:
            replayed[name] = dict(event.object)
    assert replayed == new
