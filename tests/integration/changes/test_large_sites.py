# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""However large a site is, one look at it asks for each kind once a page; its nodes are never asked one by one."""

from __future__ import annotations

import collections
import math
from collections.abc import Iterator

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.read_site import GuardCheck, read_site
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.instants import DAY
from ansible_collections.fieldops.openshift.tests.integration.changes.large_site import plant_large_site
from ansible_collections.fieldops.openshift.tests.integration.modules.change_sites import client_of
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer

POOLS = 100
NODES = 2000
PAGE = 500


@pytest.fixture(scope="module")
def site() -> Iterator[ApiServer]:
    with ApiServer.start_openshift() as server:
        plant_large_site(server.rest, POOLS, NODES)
        yield server


def test_requests_grow_with_pages_only(site: ApiServer) -> None:
    before = site.audit.mark()
    with client_of(site) as client:
        look = read_site(client, GuardCheck())
    assert len(look.nodes) == NODES
    assert len([one for one in look.judged if one.resource.name.kind == "MachineConfigPool"]) == POOLS
    lists = collections.Counter(asked.resource for asked in site.audit.requests(before, verb="list"))
    assert lists.pop("nodes") == math.ceil(NODES / PAGE)
    assert set(lists.values()) == {1}
    assert site.audit.count(before, verb="get", resource="nodes") == 0
    assert site.audit.count(before, resource="configmaps") == 3  # policies, assignments, overrides


def test_every_pool_is_judged_by_its_own_policy(site: ApiServer) -> None:
    with client_of(site) as client:
        look = read_site(client, GuardCheck(), with_nodes=False)
    pools = [one.state for one in look.judged if one.resource.name.kind == "MachineConfigPool"]
    seconds_of_day = {state.windows[-1].start % DAY for state in pools}
    assert len(seconds_of_day) == POOLS
