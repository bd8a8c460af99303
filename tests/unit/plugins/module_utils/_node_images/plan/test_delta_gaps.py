# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.delta_gaps import delta_gaps

IMAGES: list[dict[str, t.Any]] = [
    {"name": "etcd@1", "component": "etcd", "reason": "component", "left_out": ["a", "b"]},
    {"name": "cli@2", "component": "cli", "reason": "component", "left_out": ["b", "c"]},
    {"name": "chart@3", "component": None, "reason": "file", "left_out": ["d"]},
]


@pytest.mark.parametrize(
    ("held", "wanted", "gaps"),
    [
        pytest.param({"w": ["a", "b", "c"]}, {}, {}, id="all-there"),
        pytest.param({"w": ["a", "b"]}, {}, {"w": ["c"]}, id="one-lacks"),
        pytest.param({"w": ["a", "b"]}, {"w": ["etcd"]}, {}, id="not-needed-there"),
        pytest.param({"w": ["a"], "m": ["a", "b", "c"]}, {"w": ["cli@2"]}, {"w": ["b", "c"]}, id="by-name"),
        pytest.param({"w": []}, {}, {"w": ["a", "b", "c"]}, id="files-stay-at-their-base"),
    ],
)
def test_gaps(held: dict[str, list[str]], wanted: dict[str, list[str]], gaps: dict[str, list[str]]) -> None:
    assert delta_gaps(IMAGES, held, wanted) == gaps
