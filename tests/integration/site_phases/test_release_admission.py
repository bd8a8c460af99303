# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""An update of a cluster that admits only releases that every node is ready for."""

from __future__ import annotations

import typing as t
from collections.abc import Iterator

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.api_error import ApiError
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.do.release_admission import (
    ensure_admission,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.do.stale_record import stale_record
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import CLUSTER_VERSION
from ansible_collections.fieldops.openshift.tests.integration.lab.waiting import wait_for
from ansible_collections.fieldops.openshift.tests.integration.modules.change_sites import client_of
from ansible_collections.fieldops.openshift.tests.integration.site_phases.conftest import MakeSite
from ansible_collections.fieldops.openshift.tests.integration.site_phases.phase_site import PhaseSite
from ansible_collections.fieldops.openshift.tests.integration.site_phases.played_site import (
    CONFIG_MAPS,
    VERSION,
    finish,
    kill,
)
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.errors import LabApiError

RECORD = f"{CONFIG_MAPS}/release-readiness"
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


@pytest.fixture(scope="module")
def server() -> Iterator[ApiServer]:
    """A server of its own: once the policy has been removed, it does not follow the record any more."""
    with ApiServer.start_openshift() as started:
        yield started


@pytest.fixture
def site(server: ApiServer, make_site: MakeSite) -> PhaseSite:
    """A site with the policy in force, whose nodes hold and serve the images of the next release."""
    made = make_site(1, 1)
    made.take_images_as_proved(**WELL)
    if made.rest.exists(RECORD):
        made.rest.delete(RECORD)
    ensure_admission(client_of(server), "present")
    wait_for(lambda: not admits(made), 60)
    return made


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


def test_a_record_that_the_server_does_not_follow_any_more_is_named(site: PhaseSite, server: ApiServer) -> None:
    """Kubernetes issue 130887. When this fails the defect is gone: remove what names it."""
    client = client_of(server)
    assert stale_record(client, refusal_of(client)) is None
    ensure_admission(client, "absent")
    wait_for(lambda: admits(site), 60)
    ensure_admission(client, "present")
    wait_for(lambda: not admits(site), 60)
    latest = site.rest.merge(RECORD, {"data": {"ready": UNKNOWN["image"].partition("@")[2]}})
    found = stale_record(client, refusal_of(client))
    assert found is not None, "the API server follows the record again"
    assert found.transient
    assert f"whose version is {latest['metadata']['resourceVersion']};" in found.seen


def refusal_of(client: ClusterClient) -> ApiError:
    """Return the API server's refusal of a release that nothing is known of."""
    with pytest.raises(ApiError) as refused:
        client.patch(CLUSTER_VERSION, "version", {"spec": {"desiredUpdate": UNKNOWN}})
    return refused.value


def asked_for(site: PhaseSite) -> bool:
    """Ask for the release as the console does; the API server takes note of the record a moment later."""
    try:
        site.rest.merge(VERSION, {"spec": {"desiredUpdate": site.request}})
    except LabApiError:
        return False
    return True
