# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which image a node holds for certain."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.helper_pods.node_images import (
    NoHelperImageError,
    held_image,
)

IMAGE = "quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:" + "a" * 64
PROXY = "quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:" + "b" * 64


def daemon(node: str = "worker-0", image: str = IMAGE, state: str = "running") -> dict[str, t.Any]:
    names = {"kube-rbac-proxy": PROXY, "machine-config-daemon": image}
    return {
        "spec": {"nodeName": node, "containers": [{"name": name, "image": used} for name, used in names.items()]},
        "status": {"containerStatuses": [{"name": name, "state": {state: {}}} for name in names]},
    }


def test_that_of_its_machine_config_daemon() -> None:
    assert held_image([daemon("worker-1", PROXY), daemon()], "worker-0") == IMAGE


@pytest.mark.parametrize(
    ("daemons", "seen"),
    [
        pytest.param([], "no machine-config daemon runs on it", id="no OpenShift"),
        pytest.param([daemon("worker-1")], "no machine-config daemon runs on it", id="only on other nodes"),
        pytest.param([daemon(state="waiting")], "by digest", id="it does not run"),
        pytest.param([daemon(image="quay.io/example/mco:latest")], "by digest", id="a tag may be another image by now"),
    ],
)
def test_where_none_is_known(daemons: list[dict[str, t.Any]], seen: str) -> None:
    with pytest.raises(NoHelperImageError, match=seen):
        held_image(daemons, "worker-0")
