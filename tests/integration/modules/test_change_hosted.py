# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Hosted control planes on a hub: judged like everything else, enforced through their pausedUntil."""

from __future__ import annotations

import typing as t
from collections.abc import Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.modules.change_sites import (
    WHY,
    Json,
    by_policy,
    closed_now,
    open_now,
    task,
)
from ansible_collections.fieldops.openshift.tests.integration.plays import run_play
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer

GROUP = "hypershift.openshift.io/v1beta1"
SERVICES = ("APIServer", "OAuthServer", "Konnectivity", "Ignition")
ROOT = f"/apis/{GROUP}/namespaces/clusters"
IMAGE = "quay.io/openshift-release-dev/ocp-release@sha256:" + "1" * 64


def hosted_cluster(name: str) -> Json:
    return {
        "apiVersion": GROUP,
        "kind": "HostedCluster",
        "metadata": {"name": name, "namespace": "clusters"},
        "spec": {
            "release": {"image": IMAGE},
            "pullSecret": {"name": "pull-secret"},
            "sshKey": {"name": "ssh-key"},
            "networking": {"clusterNetwork": [{"cidr": "10.132.0.0/14"}]},
            "platform": {"type": "None"},
            "services": [{"service": name, "servicePublishingStrategy": {"type": "Route"}} for name in SERVICES],
        },
    }


def node_pool(name: str, cluster: str) -> Json:
    return {
        "apiVersion": GROUP,
        "kind": "NodePool",
        "metadata": {"name": name, "namespace": "clusters"},
        "spec": {
            "clusterName": cluster,
            "replicas": 2,
            "management": {"upgradeType": "InPlace"},
            "platform": {"type": "None"},
            "release": {"image": IMAGE},
        },
    }


@pytest.fixture(scope="module")
def hub() -> Iterator[ApiServer]:
    with ApiServer.start_openshift() as server:
        server.rest.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "clusters"}})
        server.rest.apply_all([hosted_cluster("site-a"), node_pool("site-a-workers", "site-a")])
        yield server


def enforce(hub: ApiServer, folder: Path, *words: str) -> Json:
    result = run_play(folder, task(hub, "change_enforcement"), *words).result
    return {**result, "resources": [one for one in result["resources"] if one["namespace"]]}


def set_policy(hub: ApiServer, folder: Path, **options: t.Any) -> None:
    assert not run_play(folder, task(hub, "change_policy", reason=WHY, **options)).result["failed"]


def paused_until(hub: ApiServer, path: str) -> object:
    return hub.rest.get(f"{ROOT}/{path}")["spec"].get("pausedUntil")


def test_a_hub_pauses_what_is_restricted_and_frees_it_again(hub: ApiServer, tmp_path: Path) -> None:
    assigned = {
        "HostedCluster.clusters.site-a": by_policy("nights"),
        "NodePool.clusters.site-a-workers": by_policy("nights"),
    }
    tried = enforce(hub, tmp_path, "--check")
    assert (tried["changed"], tried["resources"]) == (False, []), "nothing governs them"
    set_policy(hub, tmp_path, name="nights", spec=closed_now(), assignments=assigned)
    closed = enforce(hub, tmp_path)
    assert [(one["permitted"], one["changed"], one["paused"]) for one in closed["resources"]] == [
        (False, True, True)
    ] * 2
    assert paused_until(hub, "hostedclusters/site-a") == closed["next_transition"]
    assert paused_until(hub, "nodepools/site-a-workers") == closed["next_transition"]
    assert enforce(hub, tmp_path)["changed"] is False
    set_policy(hub, tmp_path, name="nights", spec=open_now())
    freed = enforce(hub, tmp_path)
    assert [(one["permitted"], one["paused"]) for one in freed["resources"]] == [(True, False)] * 2
    assert paused_until(hub, "hostedclusters/site-a") is None
    assert enforce(hub, tmp_path)["changed"] is False


def test_somebody_elses_pause_is_kept(hub: ApiServer, tmp_path: Path) -> None:
    hub.rest.merge(f"{ROOT}/nodepools/site-a-workers", {"spec": {"pausedUntil": "true"}})
    set_policy(hub, tmp_path, name="nights", spec=open_now())
    pool = enforce(hub, tmp_path)["resources"][1]
    assert (pool["permitted"], pool["kept"] != "", pool["changed"]) == (True, True, False)
    assert paused_until(hub, "nodepools/site-a-workers") == "true"
    hub.rest.merge(f"{ROOT}/nodepools/site-a-workers", {"spec": {"pausedUntil": None}})
