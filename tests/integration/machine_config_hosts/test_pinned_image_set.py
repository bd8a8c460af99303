# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The modules of PinnedImageSets beside the real daemon: what they await, and what they tell of a node that fails."""

from __future__ import annotations

import json
import typing as t
from collections.abc import Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.lab.waiting import wait_for
from ansible_collections.fieldops.openshift.tests.integration.machine_config_hosts.operated import WORKER
from ansible_collections.fieldops.openshift.tests.integration.plays import PlayRun, run_play
from ansible_collections.fieldops.openshift.tests.integration.shipped_rights import grant, shipped
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
from ansible_collections.fieldops.openshift.tests.lab.node.images import pause_image

pytestmark = pytest.mark.long

RIGHTS = "pinned-image-sets.yml"
SETS = "/apis/machineconfiguration.openshift.io/v1/pinnedimagesets"
NOWHERE = f"quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:{'0' * 64}"
HELD = {"node": WORKER, "pool": "worker", "state": "pinned", "reason": ""}
FAILING = 120.0
MOST_SLASHES = 2  # the API takes no deeper repositories


@pytest.fixture
def technician(site: Lab) -> Iterator[str]:
    """A token with the rights of extensions/rbac alone."""
    (role,) = shipped(RIGHTS)
    grant(site.api.rest, "technician", RIGHTS)
    yield site.api.token_of("technician")
    name = role["metadata"]["name"]
    for one in (f"clusterrolebindings/{name}-technician", f"clusterroles/{name}"):
        site.api.rest.delete(f"/apis/rbac.authorization.k8s.io/v1/{one}")


def play(site: Lab, folder: Path, token: str, module: str, *words: str, **options: t.Any) -> PlayRun:
    reach = {"host": site.api.url, "ca_cert": str(site.api.ca_file), "api_key": token}
    return run_play(folder, {f"fieldops.openshift.{module}": {**reach, **options}}, *words)


def held_beside(site: Lab, name: str) -> str:
    """Return another image that the worker holds, by its digest."""
    listed = json.loads(site.hosts[WORKER].run("crictl", "images", "--output", "json"))["images"]
    digests = [digest for image in listed for digest in image["repoDigests"]]
    others: list[str] = [one for one in sorted(digests) if one != name and one.count("/") <= MOST_SLASHES]
    return others[0]


def test_sets_are_applied_awaited_and_given_up(site: Lab, technician: str, tmp_path: Path) -> None:
    asked: dict[str, t.Any] = {"name": "release", "pools": ["worker"], "images": [pause_image().name]}

    trial = play(site, tmp_path, technician, "pinned_image_set", "--check", **asked).result
    assert (trial["changed"], site.api.rest.exists(f"{SETS}/release-worker")) == (True, False)

    done = play(site, tmp_path, technician, "pinned_image_set", **asked, wait=True, wait_timeout=100)
    assert not done.result["failed"], done.output
    assert done.result["nodes"] == [HELD]
    assert "1 of 1 nodes have and keep all images" in done.output

    again = play(site, tmp_path, technician, "pinned_image_set", **asked).result
    assert (again["changed"], again["progress"]["done"]) == (False, True)
    asked_for = {"gather": ["pinned_images"], "pinned_image_set": "release"}
    seen = play(site, tmp_path, technician, "machine_config_pool_info", **asked_for).result["pinned_images"]
    assert [one["name"] for one in seen["pinned_image_sets"]] == ["release-worker"]

    others = {**asked, "images": [held_beside(site, pause_image().name)], "wait": True, "wait_timeout": 100}
    other = play(site, tmp_path, technician, "pinned_image_set", **others)
    assert (other.result["changed"], other.result["nodes"]) == (True, [HELD]), other.output
    assert site.api.rest.get(f"{SETS}/release-worker")["metadata"]["generation"] == 2

    gone = play(site, tmp_path, technician, "pinned_image_set", name="release", state="absent").result
    assert (gone["changed"], site.api.rest.exists(f"{SETS}/release-worker")) == (True, False)


def test_a_node_that_cannot_get_an_image_says_why(site: Lab, technician: str, tmp_path: Path) -> None:
    options: dict[str, t.Any] = {"name": "nowhere", "pools": ["worker"], "images": [NOWHERE]}
    told: list[dict[str, t.Any]] = []

    def has_said_why() -> bool:
        """While the daemon tries again, which it does at once, only its condition tells of the failure."""
        told.append(play(site, tmp_path, technician, "pinned_image_set", **options).result)
        return "podman manifest inspect" in told[-1]["nodes"][0]["reason"]

    try:
        asked = play(site, tmp_path, technician, "pinned_image_set", **options).result
        assert (asked["failed"], asked["progress"]["done"]) == (False, False)
        wait_for(has_said_why, FAILING)
        assert told[-1]["nodes"][0]["state"] == "failed"
        assert f"0 of 1 nodes have and keep all images; {WORKER}: " in told[-1]["progress"]["sentence"]
    finally:
        play(site, tmp_path, technician, "pinned_image_set", name="nowhere", state="absent")
