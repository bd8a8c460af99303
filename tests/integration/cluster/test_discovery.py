# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the client library learns about the API is kept in private, costs little, and is never trusted too long."""

from __future__ import annotations

import tempfile
import typing as t
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.authentication import resolve_access
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.calls import Call
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import (
    CLUSTER_VERSION,
    NODE,
    ObjectKind,
)
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer

WIDGET = ObjectKind("example.com/v1", "Widget")
WIDGETS = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "widgets.example.com"},
    "spec": {
        "group": "example.com",
        "scope": "Cluster",
        "names": {"kind": "Widget", "plural": "widgets"},
        "versions": [
            {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": {"type": "object"}}}
        ],
    },
}


@pytest.fixture
def private(tmp_path: Path) -> Path:
    directory = tmp_path / "cache"
    directory.mkdir(mode=0o700)
    return directory


@pytest.fixture
def cached(api_server: ApiServer, private: Path, library: str) -> Iterator[Callable[[], ClusterClient]]:
    """Make clients that share a cache directory, as the modules of a play do."""
    assert library
    made: list[ClusterClient] = []

    def _cached() -> ClusterClient:
        access = resolve_access({"kubeconfig": str(api_server.kubeconfig)}, {})
        made.append(ClusterClient(access, SystemClock(), cache_directory=private))
        return made[-1]

    yield _cached
    for client in made:
        client.close()


def test_a_second_client_asks_only_for_its_object(cached: Callable[[], ClusterClient], api_server: ApiServer) -> None:
    first = api_server.audit.mark()
    cached().get(NODE, "worker-0")
    second = api_server.audit.mark()
    cached().get(NODE, "worker-0")
    asked = [request.path for request in api_server.audit.requests(first)]
    assert "/apis" in asked
    assert not [path for path in asked if path.startswith("/apis/")], "groups are read that nobody asked for"
    assert [request.path for request in api_server.audit.requests(second)] == ["/api/v1/nodes/worker-0"]


def test_the_cache_holds_no_credentials(
    cached: Callable[[], ClusterClient], api_server: ApiServer, private: Path
) -> None:
    cached().list_objects(CLUSTER_VERSION)
    (kept,) = private.iterdir()
    assert "clusterversions" in kept.read_text()
    assert api_server.admin_token not in kept.read_text() + kept.name


def test_without_a_directory_nothing_is_written_and_kinds_are_still_asked_once(
    api_server: ApiServer, connect: t.Any, library: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    client = connect(host=api_server.url, ca_cert=str(api_server.ca_file), api_key=api_server.admin_token)
    client.get(NODE, "worker-0")
    assert list(tmp_path.iterdir()) == [], library
    mark = api_server.audit.mark()
    client.get(NODE, "worker-0")
    assert [request.path for request in api_server.audit.requests(mark)] == ["/api/v1/nodes/worker-0"]


def test_a_directory_that_is_not_private_is_refused(cached: Callable[[], ClusterClient], private: Path) -> None:
    private.chmod(0o755)
    with pytest.raises(InvalidInputError, match="its mode is 0755"):
        cached().get(NODE, "worker-0")


@pytest.mark.parametrize("content", ["", "{", "[]", '{"library_version": 3}', '{"resources": {"api": 7}}'])
def test_a_damaged_cache_is_replaced(cached: Callable[[], ClusterClient], private: Path, content: str) -> None:
    cached().get(NODE, "worker-0")
    (kept,) = private.iterdir()
    kept.write_text(content)
    assert cached().get(NODE, "worker-0") is None


def test_a_kind_that_came_later_is_found(cached: Callable[[], ClusterClient], api_server: ApiServer) -> None:
    early = cached()
    assert not early.serves(WIDGET)
    api_server.rest.apply(WIDGETS)
    try:
        becoming_known = Deadline(30.0, SystemClock())
        while not early.serves(WIDGET):
            becoming_known.require(
                "find the new kind", on="the API", seen="nothing", advice="Look at the server's log."
            )
        assert early.list_objects(WIDGET) == []
        assert cached().serves(WIDGET)
    finally:
        api_server.rest.delete("/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com")
    while any(group["name"] == WIDGET.group for group in api_server.rest.get("/apis")["groups"]):
        pass
    assert early.attempt(Call("list", WIDGET)).status == 404
