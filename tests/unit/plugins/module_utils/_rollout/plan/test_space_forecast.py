# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.space_forecast import space_forecast

GIB = 1024**3
DONE: dict[str, t.Any] = {"progress": {"done": True}}


def fits(lacking: int = 0, path: str = "/var/lib") -> dict[str, t.Any]:
    """An answer as node_bundle gives it in check mode; the other fields of its forecast are left out."""
    sizes = {"free": 80 * GIB, "reserve": 20 * GIB, "needed": 50 * GIB, "lacking": lacking}
    return {"forecast": [{"path": path, "total": 120 * GIB, **sizes}]}


@pytest.mark.parametrize(
    ("answers", "sentence"),
    [
        ({}, "space was not compared"),
        ({"a": fits(), "b": DONE}, "space is sufficient on 2 nodes"),
        ({"a": fits(3 * GIB), "b": fits()}, "a lacks 3.0 GiB on /var/lib"),
        (
            {"a": {"msg": "no bundle"}, "b": {}},
            "the space on a is unknown: no bundle; the space on b is unknown: it did not answer",
        ),
        (
            {f"n{number:02}": fits(GIB) for number in range(12)},
            "; ".join([*(f"n{number:02} lacks 1.0 GiB on /var/lib" for number in range(10)), "and 2 more"]),
        ),
    ],
    ids=["nothing", "sufficient", "lacking", "unknown", "many"],
)
def test_the_sentence_names_the_nodes_that_lack_space(answers: dict[str, t.Any], sentence: str) -> None:
    assert space_forecast(answers).sentence == sentence


def test_each_file_system_is_listed_in_bytes() -> None:
    assert space_forecast({"a": fits(GIB, "/run/image")}).as_data()["file_systems"] == [
        {
            "node": "a",
            "path": "/run/image",
            "free": 80 * GIB,
            "reserve": 20 * GIB,
            "needed": 50 * GIB,
            "lacking": GIB,
        }
    ]
