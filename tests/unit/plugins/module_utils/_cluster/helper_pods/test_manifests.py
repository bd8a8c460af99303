# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The objects by which a node is reached, as the cluster's admission will look at them."""

from __future__ import annotations

import re

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.helper_pods.manifests import (
    namespace_manifest,
    pod_manifest,
    pod_name,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.helper_pods.run_identity import RunIdentity

RUN = RunIdentity("night")
IMAGE = "quay.io/example/image@sha256:" + "a" * 64
POD = pod_manifest(RUN, "worker-0", IMAGE, 3600)
SPEC = POD["spec"]
(CONTAINER,) = SPEC["containers"]


def test_the_namespace_permits_privileged_pods_on_every_node() -> None:
    metadata = namespace_manifest(RUN, "2026-11-21T22:00:00Z")["metadata"]
    assert metadata["name"] == "fieldops-reach-night"
    assert metadata["labels"]["pod-security.kubernetes.io/enforce"] == "privileged"
    assert metadata["labels"]["app.kubernetes.io/part-of"] == "fieldops-openshift"
    assert metadata["annotations"]["openshift.io/node-selector"] == ""


def test_the_pod_has_no_credentials_for_the_api() -> None:
    assert SPEC["automountServiceAccountToken"] is False
    assert SPEC["enableServiceLinks"] is False
    assert [volume["name"] for volume in SPEC["volumes"]] == ["host"]


def test_the_pod_pulls_no_image_and_ends_by_itself() -> None:
    assert (CONTAINER["image"], CONTAINER["imagePullPolicy"]) == (IMAGE, "Never")
    assert SPEC["activeDeadlineSeconds"] == 3600
    assert SPEC["restartPolicy"] == "Never"


def test_the_pod_gets_onto_a_cordoned_node_with_any_taint() -> None:
    assert SPEC["nodeName"] == "worker-0"
    assert SPEC["tolerations"] == [{"operator": "Exists"}]


def test_the_pod_can_enter_the_host() -> None:
    assert SPEC["hostPID"] is True
    assert SPEC["hostNetwork"] is True
    assert CONTAINER["securityContext"] == {"privileged": True, "runAsUser": 0}


@pytest.mark.parametrize(
    "node", ["worker-0", "ip-10-0-1-2.eu-central-1.compute.internal", "w" * 63 + "." + "x" * 63, "a" * 253]
)
def test_names_of_pods_are_host_names(node: str) -> None:
    assert re.fullmatch(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?", pod_name(node))


def test_long_names_stay_apart() -> None:
    assert pod_name("a" * 100 + "b") != pod_name("a" * 100 + "c")
