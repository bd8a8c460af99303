# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What refers to an image: the API for it, the tag that stands in for it, and registries that have neither."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.registry_client import RegistryClient
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.registry_errors import RegistryError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.media_types import OCI_INDEX
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._net.registry.played_registry import (
    CANARY,
    EMPTY_INDEX,
    IMAGE,
    PINNED,
    PlayedRegistry,
    digest_of,
    pull_secret,
)
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._net.scripted_server import (
    Answer,
    ScriptedServer,
    reply,
)

Host = Callable[[PlayedRegistry], ScriptedServer]
ClientFor = Callable[..., RegistryClient]

SUBJECT = str(PINNED.digest)
TAG = SUBJECT.replace(":", "-")
LIST = json.dumps({"schemaVersion": 2, "mediaType": OCI_INDEX, "manifests": [{"digest": SUBJECT}]}).encode()


def test_the_api_is_asked_first(host: Host, client_for: ClientFor, deadline: Deadline) -> None:
    server = host(PlayedRegistry(referrers={SUBJECT: LIST}))
    found = client_for(server).find_referrers(PINNED, deadline=deadline)
    assert found is not None
    assert (found.content, found.digest, found.media_type) == (LIST, digest_of(LIST), OCI_INDEX)
    assert [asked.target for asked in server.asked] == [f"/v2/openshift-release-dev/ocp-release/referrers/{SUBJECT}"]


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(reply(404), id="404"),
        pytest.param(reply(400), id="400"),
        pytest.param(reply(405), id="405"),
        pytest.param(reply(200, b"<html>", Content_Type="text/html"), id="web-page"),
    ],
)
def test_a_registry_without_the_api_is_asked_for_the_tag(
    answer: Answer, host: Host, client_for: ClientFor, deadline: Deadline
) -> None:
    registry = PlayedRegistry(faults=[("/referrers/", answer)])
    registry.add_manifest(LIST, TAG)
    server = host(registry)
    found = client_for(server).find_referrers(PINNED, deadline=deadline)
    assert found is not None
    assert found.content == LIST
    assert server.asked[1].target.endswith(f"/manifests/{TAG}")


@pytest.mark.parametrize(
    "registry",
    [
        pytest.param(PlayedRegistry(referrers={}), id="api-with-an-empty-list"),
        pytest.param(PlayedRegistry(), id="neither-api-nor-tag"),
        pytest.param(PlayedRegistry(manifests={TAG: EMPTY_INDEX}), id="tag-with-an-empty-list"),
    ],
)
def test_none_where_nothing_refers_to_the_image(
    registry: PlayedRegistry, host: Host, client_for: ClientFor, deadline: Deadline
) -> None:
    assert client_for(host(registry)).find_referrers(PINNED, deadline=deadline) is None


def test_a_mirror_that_knows_of_none_is_not_the_last_word(
    host: Host, client_for: ClientFor, deadline: Deadline
) -> None:
    mirrors = [
        host(PlayedRegistry(referrers={})),
        host(PlayedRegistry()),
        host(PlayedRegistry(referrers={SUBJECT: LIST})),
    ]
    found = client_for(*mirrors).find_referrers(PINNED, deadline=deadline)
    assert found is not None
    assert found.content == LIST


def page(number: int, *, last: bool) -> Answer:
    body = json.dumps({"schemaVersion": 2, "manifests": [{"digest": f"sha256:{number:064}"}]}).encode()
    link = {} if last else {"Link": f'</v2/anything/referrers/x?n=1&last={number}>; rel="next"'}
    return reply(200, body, Content_Type=OCI_INDEX, **link)


def test_the_pages_of_a_long_list_become_one(host: Host, client_for: ClientFor, deadline: Deadline) -> None:
    pages = [page(number, last=number == 3) for number in range(4)]
    server = host(PlayedRegistry(faults=[("/referrers/", one) for one in pages]))
    found = client_for(server).find_referrers(PINNED, deadline=deadline)
    assert found is not None
    listed = [one["digest"] for one in json.loads(found.content)["manifests"]]
    assert listed == [f"sha256:{number:064}" for number in range(4)]
    asked = f"/v2/openshift-release-dev/ocp-release/referrers/{SUBJECT}"
    assert [one.target for one in server.asked] == [asked, *(f"{asked}?n=1&last={number}" for number in range(3))]


def test_a_list_without_an_end_is_given_up(host: Host, client_for: ClientFor, deadline: Deadline) -> None:
    server = host(PlayedRegistry(faults=[("/referrers/", page(1, last=False))] * 50))
    with pytest.raises(RegistryError, match="more than 16 pages"):
        client_for(server).find_referrers(PINNED, deadline=deadline)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        pytest.param(reply(200, b"{", Content_Type=OCI_INDEX), "not JSON", id="not-json"),
        pytest.param(reply(200, b"[" * 100_000, Content_Type=OCI_INDEX), "not JSON", id="deeply-nested"),
        pytest.param(reply(200, b"[]", Content_Type=OCI_INDEX), "not an image index", id="list"),
        pytest.param(reply(200, b'{"manifests":7}', Content_Type=OCI_INDEX), "not an image index", id="number"),
        pytest.param(reply(200, bytes(5_000_000), Content_Type=OCI_INDEX), "more than", id="too-large"),
        pytest.param(reply(403), "status 403", id="forbidden"),
        pytest.param(reply(503), "status 503", id="down"),
    ],
)
def test_what_is_neither_a_list_nor_an_absence_is_an_error(
    answer: Answer, said: str, host: Host, client_for: ClientFor, deadline: Deadline
) -> None:
    registry = PlayedRegistry(faults=[("/referrers/", answer)] * 9)
    with pytest.raises(RegistryError, match=said) as caught:
        client_for(host(registry)).find_referrers(PINNED, deadline=deadline)
    assert caught.value.on == str(PINNED)


def test_a_login_is_given_as_for_any_request(host: Host, client_for: ClientFor, deadline: Deadline) -> None:
    server = host(PlayedRegistry(login=("engineer", CANARY), tokens=True, referrers={SUBJECT: LIST}))
    client = client_for(server, secret=pull_secret(server.port))
    found = client.find_referrers(PINNED, deadline=deadline)
    assert found is not None
    assert found.content == LIST


def test_an_image_without_a_digest_has_no_referrers(client_for: ClientFor, deadline: Deadline) -> None:
    with pytest.raises(InvalidInputError, match="no digest"):
        client_for().find_referrers(IMAGE, deadline=deadline)
