# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""An update by the real version operator and the real machine-config operator, from the request to the last node."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from ansible_collections.fieldops.openshift.tests.integration.cluster_update.releases import RUNNING, Releases
from ansible_collections.fieldops.openshift.tests.integration.cluster_update.updates import (
    NEXT,
    POOLS,
    await_that,
    follow_update,
    request,
)
from ansible_collections.fieldops.openshift.tests.integration.modules.change_sites import client_of
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.machine_config.reading import operator_condition, sync_error
from ansible_collections.fieldops.openshift.tests.lab.rest import Json, RestClient
from ansible_collections.fieldops.openshift.tests.lab.seed.machine_configs import machine_config_with_file

CONFIGS = "/apis/machineconfiguration.openshift.io/v1/machineconfigs"
RENDERED_FOR = "machineconfiguration.openshift.io/release-image-version"
BEHIND = "MachineConfigPool master has not progressed to latest configuration: osImageURL mismatch"


@pytest.fixture
def others() -> threading.Event:
    """Set while operators that have nothing to do may come to a release."""
    return threading.Event()


@pytest.fixture
def operated(releases: Releases, others: threading.Event) -> Iterator[ApiServer]:
    """A cluster of one control-plane node and one worker."""
    with releases.cluster(control_plane=1, workers=1, may_report=lambda _client: others.is_set()) as server:
        yield server


@pytest.mark.long
def test_a_pool_that_is_paused_holds_up_the_end_of_an_update_and_nothing_before(
    operated: ApiServer, releases: Releases, others: threading.Event
) -> None:
    others.set()
    client, door = operated.rest, client_of(operated)
    client.merge(f"{POOLS}/master", {"spec": {"paused": True}})
    wanted = request(signature_config_map=releases.signature())
    reached, _unused = follow_update(door, {**wanted, "wait_for": "operators"})
    assert (reached.objects["operators_behind"], reached.objects["release"]["state"]) == (["machine-config"], "partial")
    await_that(lambda: BEHIND in sync_error(client), "the operator waits for the pool")
    # For ten minutes a machine it only waits; where the release stays the same it would degrade at once.
    assert operator_condition(client, "Degraded")["status"] == "False"
    client.merge(f"{POOLS}/master", {"spec": {"paused": False}})
    step, sentences = follow_update(door, wanted)
    assert step.objects["release"]["state"] == "completed"
    assert step.objects["release"]["verified"] is True
    assert any(
        "machine-config is waiting for its nodes: pool master has 0 of 1 nodes updated" in one for one in sentences
    )
    assert sentences[-1].startswith(f"the cluster has been at {NEXT} since ")


@pytest.mark.long
def test_nodes_that_wait_for_an_older_configuration_are_not_what_the_release_waits_for(
    operated: ApiServer, releases: Releases, others: threading.Event
) -> None:
    """It was rendered for the running release; the new operator renders the new one when its turn has come."""
    client, door = operated.rest, client_of(operated)
    client.merge(f"{POOLS}/master", {"spec": {"paused": True}})
    wanted = request(signature_config_map=releases.signature())
    follow_update(door, {**wanted, "wait_for": "accepted"})
    client.apply(machine_config_with_file("50-test", "master", "/etc/lab-test.conf", "newer\n"))
    await_that(lambda: not is_updated(client), "the node of the control plane waits for it")
    assert config_of_masters(client)["metadata"]["annotations"][RENDERED_FOR] == RUNNING
    others.set()
    reached, sentences = follow_update(door, {**wanted, "wait_for": "operators"})
    assert config_of_masters(client)["metadata"]["annotations"][RENDERED_FOR] == NEXT, sentences
    assert reached.objects["release"]["waits_for_nodes"] is True
    unrendered = f"machine-config has not rendered the configuration of {NEXT} yet for pool master"
    assert [one for one in sentences if one.endswith(unrendered)], sentences


def config_of_masters(client: RestClient) -> Json:
    """Return the rendered configuration that nodes of the control plane shall have."""
    name = client.get(f"{POOLS}/master")["spec"]["configuration"]["name"]
    found: Json = client.get(f"{CONFIGS}/{name}")
    return found


def is_updated(client: RestClient) -> bool:
    """Whether the machine-config operator counts all nodes of the control plane as updated."""
    conditions = client.get(f"{POOLS}/master")["status"]["conditions"]
    return any((one["type"], one["status"]) == ("Updated", "True") for one in conditions)
