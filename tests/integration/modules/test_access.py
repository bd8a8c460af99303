# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Before a site is prepared, its user is compared with the permissions that the collection ships."""

from __future__ import annotations

import typing as t
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from ansible_collections.fieldops.openshift.tests.integration.modules.change_sites import Json, as_user, task
from ansible_collections.fieldops.openshift.tests.integration.plays import run_play
from ansible_collections.fieldops.openshift.tests.integration.shipped_rights import grant, shipped
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer

HEALTH, ROLLOUT = "cluster-health-reader.yml", "rollout.yml"


@pytest.fixture(scope="module")
def site() -> Iterator[ApiServer]:
    with ApiServer.start_openshift(users={"technician": [], "stranger": []}) as server:
        grant(server.rest, "technician", HEALTH)
        yield server


def access(site: ApiServer, folder: Path, *files: str, **options: t.Any) -> Json:
    manifests = [document for file in files for document in shipped(file)]
    asked = task(site, "cluster_health_info", gather=["access"], manifests=manifests, **options)
    found: Json = run_play(folder, asked).result["access"]
    return found


def test_an_administrator_is_allowed_everything(site: ApiServer, tmp_path: Path) -> None:
    found = access(site, tmp_path, HEALTH, ROLLOUT)
    assert (found["user"], found["denied"], found["sufficient"]) == ("system:admin", [], True)
    assert found["server"] == site.url


def test_a_user_has_what_was_granted(site: ApiServer, tmp_path: Path) -> None:
    found = access(site, tmp_path, HEALTH, **as_user(site, "technician"))
    assert (found["sufficient"], found["sentence"]) == (True, "technician has all required permissions")
    assert "system:authenticated" in found["groups"]


def test_what_a_user_lacks_is_named_with_the_role_that_grants_it(site: ApiServer, tmp_path: Path) -> None:
    found = access(site, tmp_path, HEALTH, ROLLOUT, **as_user(site, "technician"))
    evict = {
        "verb": "create",
        "resource": "pods/eviction",
        "name": "",
        "namespace": "",
        "role": "fieldops-openshift-rollout",
    }
    assert evict in found["denied"]
    granted = [row for row in found["denied"] if (row["verb"], row["resource"]) == ("list", "nodes")]
    assert granted == [], "what one role grants is not missing of another"
    assert found["sentence"].startswith("technician does not have all permissions of fieldops-openshift-rollout")


def test_a_user_without_any_permission_can_ask(site: ApiServer, tmp_path: Path) -> None:
    found = access(site, tmp_path, HEALTH, **as_user(site, "stranger"))
    assert {row["role"] for row in found["denied"]} == {"fieldops-openshift-cluster-health-reader"}


def test_manifests_without_a_role_prove_nothing(site: ApiServer, tmp_path: Path) -> None:
    namespace = yaml.safe_load("{kind: Namespace, metadata: {name: shop}}")
    asked = task(site, "cluster_health_info", gather=["access"], manifests=[namespace])
    assert "there is no ClusterRole or Role in them" in run_play(tmp_path, asked).result["msg"]
