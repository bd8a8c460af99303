# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What history learns of others: their changes since the last look, and objects that were made again."""

from __future__ import annotations

import typing as t
from dataclasses import replace
from datetime import datetime, timezone

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.assessment import Assessment, assess
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.field_changes import FieldChange
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.fights import contest_of
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.history_entries import (
    FIRST_SEEN,
    OBSERVED,
    REVERT,
    UPDATE,
    HistoryEntry,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.observation import (
    observation_of,
    own_entries,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.verdict import Image
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._boot_images.plan.image_samples import (
    AMI,
    machine_set,
    site,
)

Json = dict[str, t.Any]
NOW = datetime(2026, 11, 25, 10, tzinfo=timezone.utc)
CREATED = "2026-11-01T00:00:00Z"


def found(image: str = AMI, *entries: HistoryEntry, manager: str = "", at: str = "2026-11-24T08:00:00Z") -> Assessment:
    """Return a MachineSet on AWS with this image; ``manager`` is who wrote it, ``entries`` what history knows of it."""
    fields: Json = {"f:ami": {"f:id": {}}}
    for step in ("value", "providerSpec", "spec", "template", "spec"):
        fields = {f"f:{step}": fields}
    written = [{"manager": manager, "operation": "Update", "time": at, "fieldsV1": fields}] if manager else []
    holder: Json = {"f:ami": {}}
    for step in ("value", "providerSpec", "spec", "template", "spec"):
        holder = {f"f:{step}": holder}
    # Whoever made the object still owns the mapping, in the very same second.
    written += [{"manager": "maker", "operation": "Apply", "time": at, "fieldsV1": holder}] if manager else []
    metadata = {"uid": "new", "creationTimestamp": CREATED, "managedFields": written}
    provider = {"ami": {"id": image}, "placement": {"region": "eu-central-1"}}
    return assess(machine_set(provider, metadata=metadata), site("AWS"), entries)


def known(before: str, after: str, *, kind: str = UPDATE, applied: bool = True, **parts: t.Any) -> HistoryEntry:
    change = FieldChange(("ami",), ({"id": before},), ({"id": after},))
    at = "2026-11-20T20:00:00.500000Z"
    entry = HistoryEntry("20261120T200000.500000Z-x", "MachineSet/site-a", kind, at, "technician", (change,))
    return replace(entry, before=Image(before), after=Image(after), applied=applied, uid="new", **parts)


SEEN: dict[str, tuple[tuple[HistoryEntry, ...], str, tuple[str, str, str] | None]] = {
    # What history knows, what is there, then kind, before and after of what is noted.
    "nothing is known yet": ((), "c", (FIRST_SEEN, "", "c")),
    "nothing happened": ((known("a", "b"),), "b", None),
    "somebody changed it": ((known("a", "b"),), "c", (OBSERVED, "b", "c")),
    "somebody undid it": ((known("a", "b"),), "a", (OBSERVED, "b", "a")),
    "after a way back": ((known("b", "a", kind=REVERT),), "c", (OBSERVED, "a", "c")),
    "once noted": ((known("a", "b"), known("b", "c", kind=OBSERVED)), "c", None),
    "a kill left our change unmade": ((known("a", "b", applied=False),), "a", None),
    "a kill left our change unmarked": ((known("a", "b", applied=False),), "b", None),
    "somebody else after a kill": ((known("a", "b", applied=False),), "c", (OBSERVED, "b", "c")),
}


@pytest.mark.parametrize(("entries", "image", "noted"), SEEN.values(), ids=SEEN)
def test_what_is_noted(entries: tuple[HistoryEntry, ...], image: str, noted: tuple[str, str, str] | None) -> None:
    seen = observation_of(found(image, *entries), "AWS", NOW)
    assert (seen and (seen.kind, seen.before.reference, seen.after.reference)) == noted


def test_who_and_when_is_what_the_server_says_of_the_field() -> None:
    seen = observation_of(found("c", known("a", "b"), manager="machine-config-controller"), "AWS", NOW)
    assert seen is not None
    assert (seen.by, seen.at) == ("machine-config-controller", "2026-11-24T08:00:00.000000Z")
    assert (seen.applied, seen.uid) == (True, "new")
    assert seen.id < "20261125T100000.000000Z", "it comes before what the same run does"


def test_a_second_that_began_before_our_own_change_is_no_earlier_than_that() -> None:
    seen = observation_of(found("c", known("a", "b"), manager="kubectl-edit", at="2026-11-20T20:00:00Z"), "AWS", NOW)
    assert seen is not None
    assert seen.at == "2026-11-20T20:00:00.500000Z"


def test_where_the_server_says_nothing_it_is_nobody_and_now() -> None:
    seen = observation_of(found("c"), "AWS", NOW)
    assert seen is not None
    assert (seen.by, seen.at) == ("", "2026-11-25T10:00:00.000000Z")


def test_what_is_not_looked_at_is_not_noted() -> None:
    owned = machine_set({"ami": {"id": "a"}}, metadata={"ownerReferences": [{"kind": "Cluster", "name": "x"}]})
    assert observation_of(assess(owned, site("AWS")), "AWS", NOW) is None


FIELDS: dict[str, tuple[str, Json, list[tuple[str | int, ...]]]] = {
    "each boot disk": (
        "GCP",
        {"disks": [{"image": "x"}, {"boot": True, "image": "projects/p/global/images/y"}]},
        [("disks", 1, "image")],
    ),
    "a template": ("VSphere", {"template": "rhcos"}, [("template",)]),
    "an image by name": ("OpenStack", {"image": "rhcos"}, [("image",)]),
    "how machines are installed": ("BareMetal", {"image": {"url": "http://x"}}, [("image",)]),
}


@pytest.mark.parametrize(("platform", "provider", "paths"), FIELDS.values(), ids=FIELDS)
def test_where_images_stand(platform: str, provider: Json, paths: list[tuple[str | int, ...]]) -> None:
    seen = observation_of(assess(machine_set(provider), site(platform)), platform, NOW)
    assert seen is not None
    assert [change.path for change in seen.changes] == paths


OWN: dict[str, tuple[Json, bool]] = {
    "of this object": ({"uid": "new"}, True),
    "of one that was deleted": ({"uid": "old"}, False),
    "without UID, younger than the object": ({"uid": ""}, True),
    "without UID, older than the object": ({"uid": "", "at": "2026-10-31T23:59:59.000000Z"}, False),
}


@pytest.mark.parametrize(("parts", "own"), OWN.values(), ids=OWN)
def test_an_object_that_was_made_again_has_a_history_of_its_own(parts: Json, own: bool) -> None:
    entry = replace(known("a", "b"), **parts)
    assert own_entries([entry], found().resource) == ((entry,) if own else ())


def test_what_others_did_ends_no_fight() -> None:
    fought = (known("a", "b"), known("b", "a", kind=OBSERVED)) * 3
    assert contest_of(found("a").resource, fought).rounds == 3
