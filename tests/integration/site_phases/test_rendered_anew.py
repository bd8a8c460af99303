# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A pool that gets another rendered configuration while one of its nodes is on its way to the one before."""

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.node_config import (
    NODE_CONFIG_OPTIONS,
    node_config_step,
)
from ansible_collections.fieldops.openshift.tests.integration.modules.change_sites import client_of
from ansible_collections.fieldops.openshift.tests.integration.site_phases.conftest import MakeSite
from ansible_collections.fieldops.openshift.tests.integration.site_phases.phase_site import NEW
from ansible_collections.fieldops.openshift.tests.integration.site_phases.played_site import NODES
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_daemon import DESIRED, STATE
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.machine_config.first_state import settle_node
from ansible_collections.fieldops.openshift.tests.lab.seed.machine_configs import rendered_name

NODE, NEWER = "master-0", "4.21.5 with another pull secret"


def test_a_node_ends_its_way_and_goes_on_to_the_newer_configuration(server: ApiServer, make_site: MakeSite) -> None:
    site = make_site(1, 0)
    site.pause("master")
    site.render("master")
    first, second = rendered_name("master", NEW), rendered_name("master", NEWER)

    assert step(server) == (False, f"{NODE} is changing to {first}: the daemon is Done")
    site.rest.merge(f"{NODES}/{NODE}", {"metadata": {"annotations": {STATE: "Working"}}})
    site.render("master", version=NEWER)
    assert step(server) == (False, f"{NODE} is changing to {first}: the daemon is Working")
    settle_node(site.rest, NODE, first)
    assert step(server) == (False, f"{NODE} is changing to {second}: the daemon is Done")
    assert site.node(NODE)["metadata"]["annotations"][DESIRED] == second
    settle_node(site.rest, NODE, second)
    assert step(server) == (True, f"{NODE} has {second}")


def step(server: ApiServer) -> tuple[bool, str]:
    options = {name: one.get("default") for name, one in NODE_CONFIG_OPTIONS.items()}
    report = node_config_step(client_of(server), {**options, "name": NODE})
    return report.done, report.sentence
