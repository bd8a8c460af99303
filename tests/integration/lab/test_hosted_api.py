# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Where the control plane runs on the hosts, the API lives and dies with them."""

from __future__ import annotations

import http.client
import os
from collections.abc import Iterator

import pytest

from ansible_collections.fieldops.openshift.tests.integration.lab.waiting import wait_for
from ansible_collections.fieldops.openshift.tests.lab.api_access import ADMIN
from ansible_collections.fieldops.openshift.tests.lab.errors import LabApiError
from ansible_collections.fieldops.openshift.tests.lab.hosted_api import HostedApi
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
from ansible_collections.fieldops.openshift.tests.lab.rest import RestClient

pytestmark = [pytest.mark.long, pytest.mark.skipif(os.geteuid() != 0, reason="node hosts need root")]
GONE = (OSError, http.client.HTTPException, LabApiError)


@pytest.fixture(scope="module")
def three() -> Iterator[Lab]:
    with Lab(control_plane=3, workers=0, hosted=True) as lab:
        yield lab


@pytest.fixture(scope="module")
def single() -> Iterator[Lab]:
    with Lab(control_plane=1, workers=0, hosted=True) as lab:
        yield lab


def test_the_api_of_a_single_node_goes_away_with_it_and_comes_back(single: Lab) -> None:
    single.reboot("master-0")
    assert not answers(single.api.rest)
    single.wait_ready(["master-0"])
    assert single.api.rest.exists("/apis/config.openshift.io/v1/clusterversions/version")


def test_a_stopped_api_is_gone_while_its_host_goes_on(single: Lab) -> None:
    with single.faults.stopped_api():
        assert not answers(single.api.rest)
        assert single.hosts["master-0"].run("systemctl", "is-active", "etcd").strip() == "active"
    assert answers(single.api.rest)


def test_an_api_on_hosts_follows_the_labs_clock(single: Lab) -> None:
    single.clock.set("2033-03-03T03:03:03Z")
    namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "later"}}
    created = single.api.rest.create("/api/v1/namespaces", namespace)["metadata"]["creationTimestamp"]
    single.clock.reset()
    assert created.startswith("2033-03-03T03:03:")


def test_every_member_serves_the_definitions_of_openshift(three: Lab) -> None:
    for name in three.hosts:
        assert hosted(three).member(name).get("/apis/config.openshift.io/v1/clusterversions")["items"]


def test_requests_are_counted_whichever_member_answered_them(three: Lab) -> None:
    mark = three.api.audit.mark()
    for name in three.hosts:
        assert not hosted(three).member(name).exists(f"/api/v1/namespaces/default/configmaps/{name}")
    requests = three.api.audit.requests(mark, own=True, resource="configmaps", verb="get", user=ADMIN)
    assert [*dict.fromkeys(one.name for one in requests)] == [*three.hosts]  # a 429 of a new server is asked again


def test_one_host_without_power_does_not_stop_writes(three: Lab) -> None:
    with three.faults.power_loss("master-0"):
        wait_for(lambda: is_written(three.api.rest, "during"))
    three.wait_ready(["master-0"])
    wait_for(lambda: answers(hosted(three).member("master-0")))
    assert hosted(three).member("master-0").exists("/api/v1/namespaces/during")


def test_without_a_quorum_nothing_is_written_until_it_is_back(three: Lab) -> None:
    with three.faults.power_loss("master-1", "master-2"):
        with RestClient(three.api.url, three.api.ca_file, three.api.admin_token, timeout=3) as impatient:
            assert not is_written(impatient, "never")
        assert not hosted(three).is_healthy("master-0")
    three.wait_ready(three.hosts)
    wait_for(lambda: is_written(three.api.rest, "after"))


def test_a_frozen_api_hangs_on_every_member_until_it_thaws(three: Lab) -> None:
    with three.faults.frozen_api():
        for name in three.hosts:
            url = hosted(three).member(name).url
            with RestClient(url, three.api.ca_file, three.api.admin_token, timeout=1) as client:
                assert not answers(client)
    assert all(answers(hosted(three).member(name)) for name in three.hosts)


def hosted(lab: Lab) -> HostedApi:
    assert isinstance(lab.api, HostedApi)
    return lab.api


def answers(client: RestClient) -> bool:
    try:
        client.get("/version")
    except GONE:
        return False
    return True


def is_written(client: RestClient, name: str) -> bool:
    client.close()
    try:
        client.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
    except GONE:
        return False
    return True
