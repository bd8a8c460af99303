# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Reading objects: one, none, many."""

from __future__ import annotations

import base64
import json
import typing as t
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster import reviews
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.api_error import ApiError
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.calls import Call
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.listings import list_call
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import (
    CLUSTER_VERSION,
    CONFIG_MAP,
    NODE,
    POD_DISRUPTION_BUDGET,
    ObjectKind,
)
from ansible_collections.fieldops.openshift.tests.integration.cluster.etcd_access import compact
from ansible_collections.fieldops.openshift.tests.integration.cluster.objects import config_map
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer

WIDGET = ObjectKind("example.com/v1", "Widget")
MANY = 230


@pytest.fixture
def many(api_server: ApiServer, namespace: str) -> list[str]:
    """The names of more ConfigMaps than fit on a page."""
    names = [f"item-{number:03}" for number in range(MANY)]
    path = f"/api/v1/namespaces/{namespace}/configmaps"
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda name: api_server.rest.create(path, config_map(name, namespace)), names))
    return names


def names_of(items: Sequence[dict[str, t.Any]]) -> list[str]:
    return [item["metadata"]["name"] for item in items]


def test_an_object_is_a_plain_dictionary(admin: ClusterClient, api_server: ApiServer, namespace: str) -> None:
    api_server.rest.apply(config_map("a", namespace, k="v"))
    found = admin.get(CONFIG_MAP, "a", namespace)
    assert found.__class__ is dict
    assert found["data"] == {"k": "v"}
    assert found == json.loads(json.dumps(found))


def test_a_kind_that_is_not_served_is_an_error_or_nothing(admin: ClusterClient) -> None:
    assert (admin.get(WIDGET, "a", missing_ok=True), admin.list_objects(WIDGET, missing_ok=True)) == (None, [])
    for ask in (lambda: admin.get(WIDGET, "a"), lambda: admin.list_objects(WIDGET)):
        with pytest.raises(ApiError, match="does not serve"):
            ask()


def test_none_is_an_object_that_is_not_there(admin: ClusterClient, namespace: str) -> None:
    assert admin.get(CONFIG_MAP, "absent", namespace) is None
    assert admin.get(NODE, "absent") is None


def test_a_kind_that_is_not_there_is_an_error(admin: ClusterClient) -> None:
    with pytest.raises(
        ApiError, match=r"Could not get Widget a on .* the server does not serve this kind\. Check that"
    ):
        admin.get(WIDGET, "a")
    assert not admin.serves(WIDGET)
    assert admin.serves(CLUSTER_VERSION)


def test_pages_cost_one_request_each(
    admin: ClusterClient, api_server: ApiServer, namespace: str, many: list[str]
) -> None:
    mark = api_server.audit.mark()
    listing = admin.listing(list_call(CONFIG_MAP, namespace, page_size=50))
    assert names_of(listing) == many
    assert api_server.audit.count(mark, verb="list", resource="configmaps") == 5


def test_items_say_what_they_are(admin: ClusterClient, namespace: str, many: list[str]) -> None:
    (first,) = admin.list_objects(CONFIG_MAP, namespace, fields=f"metadata.name={many[0]}")
    assert (first["apiVersion"], first["kind"]) == ("v1", "ConfigMap")


def test_selectors(admin: ClusterClient, api_server: ApiServer, namespace: str) -> None:
    for name, role in (("a", "master"), ("b", "worker"), ("c", "worker")):
        labelled = config_map(name, namespace)
        labelled["metadata"]["labels"] = {"role": role}
        api_server.rest.apply(labelled)
    assert names_of(admin.list_objects(CONFIG_MAP, namespace, labels="role in (worker)")) == ["b", "c"]
    assert names_of(admin.list_objects(CONFIG_MAP, namespace, labels="role=worker", fields="metadata.name!=b")) == ["c"]
    assert admin.list_objects(POD_DISRUPTION_BUDGET, namespace) == []


def test_a_list_over_all_namespaces(admin: ClusterClient, api_server: ApiServer, namespace: str) -> None:
    api_server.rest.apply(config_map("a", namespace))
    everywhere = admin.list_objects(CONFIG_MAP)
    assert (namespace, "a") in {(item["metadata"]["namespace"], item["metadata"]["name"]) for item in everywhere}


def test_a_history_lost_between_two_pages_is_read_again(
    admin: ClusterClient, api_server: ApiServer, namespace: str, many: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    compact(api_server)
    send = admin.transport.send
    aged: list[str] = []

    def _ask_too_late_for_the_second_page(call: Call, **options: t.Any) -> t.Any:
        query = dict(call.query)
        if "continue" in query and not aged:
            aged.append(query["continue"])
            query["continue"] = _with_lost_revision(query["continue"])
        return send(replace(call, query=tuple(query.items())), **options)

    monkeypatch.setattr(admin.transport, "send", _ask_too_late_for_the_second_page)
    mark = api_server.audit.mark()
    listing = admin.listing(list_call(CONFIG_MAP, namespace, page_size=100))
    assert names_of(listing) == many
    codes = [request.code for request in api_server.audit.requests(mark, verb="list", resource="configmaps")]
    assert codes == [200, 410, 200, 200, 200]


def test_who_am_i(admin: ClusterClient) -> None:
    assert reviews.who_am_i(admin).username == "system:admin"
    assert "system:masters" in reviews.who_am_i(admin).groups


def test_what_a_user_is_allowed(admin: ClusterClient, api_server: ApiServer, connect: t.Any) -> None:
    assert reviews.is_allowed(admin, {"verb": "delete", "resource": "nodes"})
    technician = connect(
        host=api_server.url, ca_cert=str(api_server.ca_file), api_key=api_server.token_of("technician")
    )
    assert not reviews.is_allowed(technician, {"verb": "create", "resource": "configmaps", "namespace": "default"})


def test_questions_about_oneself_are_no_actions(admin: ClusterClient) -> None:
    reviews.who_am_i(admin)
    assert admin.actions.as_data() == []


def _with_lost_revision(token: str) -> str:
    """Return the token as it would be if its list had begun when the database was new."""
    position = json.loads(base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)))
    return base64.urlsafe_b64encode(json.dumps({**position, "rv": 2}).encode()).decode().rstrip("=")
