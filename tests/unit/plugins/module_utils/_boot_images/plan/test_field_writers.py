# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Who wrote a field, told from managed fields as kube-apiserver 1.36 answered them."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.field_writers import writers_of

Json = dict[str, t.Any]
PATH = ("spec", "ami", "id")
EARLY, LATE = "2026-11-21T20:00:00Z", "2026-11-21T20:00:01Z"
THE_FIELD: Json = {"f:spec": {"f:ami": {"f:id": {}}}}
AROUND: Json = {"f:spec": {"f:ami": {}}}
ELSEWHERE: Json = {"f:spec": {"f:ami": {"f:arn": {}}}}


def owner(manager: str, fields: Json | None, at: str = EARLY) -> Json:
    return {"manager": manager, "operation": "Update", "time": at, "fieldsV1": fields}


@pytest.mark.parametrize(
    ("owners", "writers"),
    [
        ([], []),
        ([owner("installer", THE_FIELD), owner("argocd", THE_FIELD, LATE)], ["argocd", "installer"]),
        ([owner("installer", AROUND), owner("argocd", THE_FIELD)], ["argocd"]),
        ([owner("installer", AROUND, LATE), owner("argocd", THE_FIELD)], ["argocd"]),
        ([owner("installer", AROUND)], ["installer"]),
        ([owner("installer", ELSEWHERE)], []),
        ([owner("installer", None), owner("argocd", THE_FIELD)], ["argocd"]),
    ],
    ids=[
        "nobody",
        "two of the field itself, the latest first",
        "one around it in the same second",
        "one around it, even later",
        "only one around it, as it is with what is written in one piece",
        "one of another field",
        "one without fields",
    ],
)
def test_who_owns_the_field(owners: list[Json], writers: list[str]) -> None:
    assert [writer.manager for writer in writers_of(owners, PATH)] == writers


def test_an_item_of_a_list_without_a_schema_belongs_to_who_wrote_the_list() -> None:
    disks: Json = {"f:spec": {"f:disks": {}}}
    assert [writer.manager for writer in writers_of([owner("argocd", disks)], ("spec", "disks", 0, "image"))] == [
        "argocd"
    ]
