# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.api_error import ApiError
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.archived_objects import (
    ArchivedListing,
    archived_client,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.reviews import who_am_i
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import (
    CONFIG_MAP,
    LEASE,
    MACHINE_CONFIG_POOL,
    NODE,
    POD,
)
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils.conftest import FakeClock


def pod(name: str, namespace: str, **labels: str) -> dict[str, t.Any]:
    return {"metadata": {"name": name, "namespace": namespace, "labels": labels}, "spec": {"nodeName": "a"}}


@pytest.fixture
def client() -> ClusterClient:
    listings = (
        ArchivedListing(NODE, None, ({"metadata": {"name": "a"}}, {"metadata": {"name": "b"}})),
        ArchivedListing(POD, "one", (pod("x", "one", app="guard"), pod("y", "one", app="other"))),
        ArchivedListing(POD, "two", (pod("z", "two", app="guard"),)),
        ArchivedListing(LEASE, "one", missing="the account may not read it"),
    )
    return archived_client("https://api.site.example:6443", FakeClock(), listings)


def names(found: list[dict[str, t.Any]]) -> list[str]:
    return [one["metadata"]["name"] for one in found]


def test_objects_are_read_by_name_namespace_and_selectors(client: ClusterClient) -> None:
    assert names(client.list_objects(NODE)) == ["a", "b"]
    assert client.list_objects(NODE)[0]["kind"] == "Node"
    assert names(client.list_objects(POD, "one")) == ["x", "y"]
    assert names(client.list_objects(POD, "one", labels="app=guard")) == ["x"]
    assert names(client.list_objects(POD, labels="app=guard")) == ["x", "z"]
    assert names(client.list_objects(POD, fields="metadata.name=z,spec.nodeName=a")) == ["z"]
    assert names(client.list_objects(POD, fields="spec.nodeName.none=a")) == []
    assert (client.get(NODE, "b") or {})["metadata"]["name"] == "b"
    assert client.get(NODE, "c") is None


def test_a_kind_or_namespace_that_was_not_archived_is_not_served(client: ClusterClient) -> None:
    assert client.list_objects(MACHINE_CONFIG_POOL, missing_ok=True) == []
    assert client.get(MACHINE_CONFIG_POOL, "worker", missing_ok=True) is None
    with pytest.raises(ApiError, match="the archive does not contain this kind"):
        client.get(CONFIG_MAP, "policies", "one")
    with pytest.raises(ApiError, match="the archive does not contain this kind"):
        client.list_objects(POD, "three")


def test_what_could_not_be_archived_is_an_error_and_not_empty(client: ClusterClient) -> None:
    with pytest.raises(ApiError, match="the account may not read it"):
        client.get(LEASE, "lock", "one", missing_ok=True)


def test_nothing_can_be_changed(client: ClusterClient) -> None:
    with pytest.raises(ApiError, match="cannot be changed"):
        client.patch(NODE, "a", {})


def test_the_asker_has_no_name(client: ClusterClient) -> None:
    assert who_am_i(client).username == ""
