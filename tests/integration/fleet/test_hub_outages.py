# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A hub that is silent, slow or answers with errors: the inventory ends in time, says why, and never has a part of it.

While the cache of the inventory is valid, the hub is not needed.
"""

from __future__ import annotations

import time
import typing as t
from collections.abc import Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.cluster.network import (
    DRIPPING_BODY,
    DRIPPING_HEAD,
    DrippingServer,
    EchoServer,
    SilentServer,
)
from ansible_collections.fieldops.openshift.tests.integration.inventories import (
    content_of,
    list_inventory,
    write_inventory,
)
from ansible_collections.fieldops.openshift.tests.integration.play_processes import run_ansible_playbook
from ansible_collections.fieldops.openshift.tests.integration.plays import environment_for, run_play
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.hub import make_hub, managed_cluster

PATIENCE, MOST_SECONDS = 2, 25
"""What the inventory is given to try again, and what it may take with the start of Ansible on a loaded machine."""
STATUS = "fieldops.openshift.fleet_status"


@pytest.fixture(scope="module")
def hub() -> Iterator[ApiServer]:
    with ApiServer.start_openshift() as server:
        make_hub(server.rest)
        server.rest.apply_all([managed_cluster(f"edge-{number}", "4.21.5") for number in range(3)])
        yield server


def listed(folder: Path, **options: t.Any) -> tuple[list[str], str]:
    """Return the clusters and the warnings of the inventory, which must end in time."""
    begun = time.monotonic()
    found = list_inventory(folder, "managed_clusters", api_patience=PATIENCE, validate_certs=False, **options)
    assert time.monotonic() - begun < MOST_SECONDS
    return content_of(found).get("managed_clusters", {}).get("hosts", []), " ".join(found.stderr.split())


def test_a_silent_hub(tmp_path: Path) -> None:
    with SilentServer() as silent:
        clusters, told = listed(tmp_path, host=silent.url, api_key="none")
    assert clusters == []
    assert "Timeout: no answer arrived in time. Check that the address is correct" in told


@pytest.mark.parametrize("head", [pytest.param(DRIPPING_HEAD, id="head"), pytest.param(DRIPPING_BODY, id="body")])
def test_a_hub_whose_answer_never_ends(tmp_path: Path, head: bytes) -> None:
    with DrippingServer(head) as dripping:
        clusters, told = listed(tmp_path, host=dripping.url, api_key="none")
    assert clusters == []
    assert f"SlowAnswer: the answer was incomplete after {PATIENCE} s. Check the load of the API server" in told


def test_a_kubeconfig_whose_answer_never_ends(tmp_path: Path) -> None:
    words = "'fieldops.openshift.cluster_kubeconfig', reference, host=hub, api_key='none', api_patience=patience"
    reference = {"namespace": "edge-1", "name": "edge-1-admin-kubeconfig", "key": "kubeconfig"}
    with DrippingServer(DRIPPING_BODY) as dripping:
        given = {"reference": reference, "hub": dripping.url, "patience": PATIENCE}
        task = {"ansible.builtin.debug": {"msg": f"{{{{ lookup({words}) }}}}"}, "vars": given}
        begun = time.monotonic()
        found = run_play(tmp_path, task).result
    assert time.monotonic() - begun < MOST_SECONDS
    assert f"SlowAnswer: the answer was incomplete after {PATIENCE} s" in str(found)


@pytest.mark.parametrize("status", [500, 503])
def test_a_hub_that_answers_with_errors(tmp_path: Path, status: int) -> None:
    with EchoServer() as failing:
        failing.status, failing.page = status, "down for maintenance"
        clusters, told = listed(tmp_path, host=failing.url, api_key="none")
    assert clusters == []
    assert f"{status}" in told
    assert "Could not" in told


def test_a_hub_that_stops_between_two_kinds(hub: ApiServer, tmp_path: Path) -> None:
    """Discovery is cached, so that only the lists are left unanswered."""
    access = {"kubeconfig": str(hub.kubeconfig)}
    assert listed(tmp_path, **access)[0] == ["edge-0", "edge-1", "edge-2"]
    hub.freeze()
    try:
        clusters, told = listed(tmp_path, **access)
    finally:
        hub.thaw()
    assert clusters == []
    assert "Timeout: no answer arrived in time" in told


def test_the_cache_serves_while_the_hub_is_silent(hub: ApiServer, tmp_path: Path) -> None:
    cached = {"cache": True, "cache_plugin": "ansible.builtin.jsonfile", "cache_connection": str(tmp_path / "kept")}
    options = {"kubeconfig": str(hub.kubeconfig), **cached}
    first = listed(tmp_path, **options)[0]
    hub.freeze()
    try:
        assert listed(tmp_path, **options) == (first, "")
    finally:
        hub.thaw()


@pytest.mark.parametrize(
    "cause", [pytest.param("ConnectionRefused", id="away"), pytest.param("SlowAnswer", id="drips")]
)
def test_the_status_of_a_fleet_is_not_that_of_no_clusters(tmp_path: Path, cause: str) -> None:
    page = tmp_path / "fleet.html"
    with DrippingServer(DRIPPING_BODY) as dripping:
        host = dripping.url if cause == "SlowAnswer" else "https://127.0.0.1:1"
        file = write_inventory(tmp_path, "managed_clusters", host=host, api_key="none", api_patience=1)
        words = ["-i", str(file), STATUS, "-e", f"site_fleet_page={page}"]
        begun = time.monotonic()
        done = run_ansible_playbook(words, environment_for(tmp_path, {}))
    assert time.monotonic() - begun < MOST_SECONDS
    assert done.returncode == 2, done.stdout
    told = " ".join(done.stdout.split())
    assert cause in told
    assert "The inventory has no clusters." in told
    assert not page.exists()
