# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.footprint import footprint

NOTHING: dict[str, t.Any] = {"platform": "", "enabled_capabilities": [], "known_capabilities": [], "used_images": []}
NOTHING["images_by_node"] = {}


@pytest.mark.parametrize(
    ("infrastructure", "version", "pods", "found"),
    [
        pytest.param(None, None, [], {}, id="nothing"),
        pytest.param({"status": {"platformStatus": {"type": "None"}}}, None, [], {"platform": "None"}, id="platform"),
        pytest.param({"status": {"platform": "VSphere"}}, None, [], {"platform": "VSphere"}, id="in its old place"),
        pytest.param(
            None,
            {"status": {"capabilities": {"enabledCapabilities": ["b", "a"], "knownCapabilities": ["c", "b", "a"]}}},
            [],
            {"enabled_capabilities": ["a", "b"], "known_capabilities": ["a", "b", "c"]},
            id="capabilities",
        ),
        pytest.param(
            None,
            None,
            [{"spec": {"initContainers": [{"image": "i"}], "containers": [{"image": "a"}, {}]}, "status": None}],
            {"used_images": ["a", "i"]},
            id="what a pod asks for",
        ),
        pytest.param(
            None,
            None,
            [{"status": {"containerStatuses": [{"image": "a:1", "imageID": "a@sha256:1"}, {"imageID": ""}]}}],
            {"used_images": ["a:1", "a@sha256:1"]},
            id="what it got",
        ),
        pytest.param(
            None,
            None,
            [{"spec": {"nodeName": node, "containers": [{"image": name}]}} for node, name in (("m", "b"), ("m", "a"))],
            {"used_images": ["a", "b"], "images_by_node": {"m": ["a", "b"]}},
            id="on which node",
        ),
        pytest.param(
            None,
            None,
            [{"spec": {"volumes": [{"image": {"reference": "v"}}, {"emptyDir": {}}]}}],
            {"used_images": ["v"]},
            id="an image as a volume",
        ),
    ],
)
def test_what_a_cluster_can_run(infrastructure: t.Any, version: t.Any, pods: t.Any, found: dict[str, t.Any]) -> None:
    assert footprint(infrastructure, version, pods) == {**NOTHING, **found}
