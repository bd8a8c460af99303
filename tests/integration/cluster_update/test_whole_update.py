# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""An update by the real version operator and the real machine-config operator, from the request to the last node."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.tests.integration.cluster_update.updates import (
    NEXT,
    POOLS,
    await_that,
    follow_update,
    request,
)
from ansible_collections.fieldops.openshift.tests.integration.modules.change_sites import client_of
from ansible_collections.fieldops.openshift.tests.lab.machine_config.reading import operator_condition, sync_error

if t.TYPE_CHECKING:
    from collections.abc import Iterator

    from ansible_collections.fieldops.openshift.tests.integration.cluster_update.releases import Releases
    from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer

BEHIND = "MachineConfigPool master has not progressed to latest configuration: osImageURL mismatch"


@pytest.fixture(scope="module")
def operated(releases: Releases) -> Iterator[ApiServer]:
    """A cluster of one control-plane node and one worker."""
    with releases.cluster(control_plane=1, workers=1) as server:
        yield server


@pytest.mark.long
def test_a_pool_that_is_paused_holds_up_the_end_of_an_update_and_nothing_before(
    operated: ApiServer, releases: Releases
) -> None:
    client, door = operated.rest, client_of(operated)
    client.merge(f"{POOLS}/master", {"spec": {"paused": True}})
    wanted = request(signature_config_map=releases.signature())
    reached, _unused = follow_update(door, {**wanted, "until": "operators"})
    assert (reached.objects["operators_behind"], reached.objects["release"]["state"]) == (["machine-config"], "partial")
    await_that(lambda: BEHIND in sync_error(client), "the operator waits for the pool")
    # For ten minutes a machine it only waits; where the release stays the same it would degrade at once.
    assert operator_condition(client, "Degraded")["status"] == "False"
    client.merge(f"{POOLS}/master", {"spec": {"paused": False}})
    step, sentences = follow_update(door, wanted)
    assert step.objects["release"]["state"] == "completed"
    assert step.objects["release"]["verified"] is True
    assert any("machine-config waits for its nodes: pool master has 0 of 1 nodes updated" in one for one in sentences)
    assert sentences[-1].startswith(f"the cluster is at {NEXT} since ")
