# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""An update of a cluster that admits only releases that every node is ready for."""

from __future__ import annotations

import typing as t
from collections.abc import Iterator

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.do.release_admission import (
    ensure_admission,
)
from ansible_collections.fieldops.openshift.tests.integration.lab.waiting import wait_for
from ansible_collections.fieldops.openshift.tests.integration.modules.change_sites import client_of
from ansible_collections.fieldops.openshift.tests.integration.site_phases.conftest import MakeSite
from ansible_collections.fieldops.openshift.tests.integration.site_phases.phase_site import PhaseSite
from ansible_collections.fieldops.openshift.tests.integration.site_phases.played_site import VERSION, finish, kill
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.errors import LabApiError

UNKNOWN = {"image": f"quay.io/openshift-release-dev/ocp-release@sha256:{'0' * 64}", "version": "4.21.9"}
WELL: dict[str, t.Any] = {"serving": True}


def admits(site: PhaseSite) -> bool:
    """Whether the cluster would take a release that nothing is known of."""
    try:
        site.rest.merge(VERSION, {"spec": {"desiredUpdate": UNKNOWN}}, dryRun="All")
    except LabApiError as error:
        if "not every node is ready" in str(error):
            return False
        raise
    return True


@pytest.fixture
def site(server: ApiServer, make_site: MakeSite) -> Iterator[PhaseSite]:
    """A site with the policy in force, whose nodes hold and serve the images of the next release."""
    made = make_site(1, 1)
    made.take_images_as_proved(**WELL)
    client = client_of(server)
    ensure_admission(client, "present")
    try:
        wait_for(lambda: not admits(made), 60)
        yield made
    finally:
        ensure_admission(client, "absent")
        wait_for(lambda: admits(made), 60)


def test_the_update_records_that_nodes_are_ready_before_it_asks(site: PhaseSite) -> None:
    refused = site.update(["release"], site_record_readiness=False)
    assert refused.returncode != 0, refused.stdout
    assert "refused  release" in refused.stdout
    assert "not every node is ready for the release" in refused.stdout
    assert site.requested() == {}
    process = site.start(["release"])
    wait_for(lambda: bool(site.requested()) or process.poll() is not None, 120)
    kill(process)
    output = finish(process).stdout
    assert site.requested().get("version") == site.request["version"], output


def test_once_the_images_are_brought_any_client_may_ask(site: PhaseSite) -> None:
    site.take_images_as_brought(**WELL)
    brought = site.update(["images"])
    assert brought.returncode == 0, brought.stdout
    assert site.requested() == {}
    wait_for(lambda: asked_for(site), 20)


def asked_for(site: PhaseSite) -> bool:
    """Ask for the release as the console does; the API server takes note of the record a moment later."""
    try:
        site.rest.merge(VERSION, {"spec": {"desiredUpdate": site.request}})
    except LabApiError:
        return False
    return True
