# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The same MachineSets to our plan and to upstream's controller of boot images, on an API server without hosts.

The controller is that of the pinned machine-config-operator, unmodified. It looks at the platform of each moment, so
that one process sees all of them.

It does nothing about ControlPlaneMachineSets. Since 4.22 upstream hands the template of one, with the architecture of
the control plane, to the functions of MachineSets (pkg/controller/bootimage/cpms_helpers.go, reconcilePlatformCPMS, on
AWS, Azure and GCP). So the controller here is given the template as a MachineSet, and our plan the
ControlPlaneMachineSet.
"""

from __future__ import annotations

import base64
import copy
import json
import re
import typing as t
from collections.abc import Iterator
from dataclasses import replace

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.do.machine_site import (
    FACT_OPTIONS,
    read_machine_site,
    read_resources,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.assessment import (
    Assessment,
    Site,
    assess,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.history_shards import History
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.ignition_conversion import converted
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.verdict import OUTDATED
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.tests.integration.lab.waiting import wait_for
from ansible_collections.fieldops.openshift.tests.integration.machine_config.boot_image_rows import OLD_STUB, ROWS, Row
from ansible_collections.fieldops.openshift.tests.integration.modules.change_sites import client_of
from ansible_collections.fieldops.openshift.tests.lab.admission_policies import wait_enforced
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.go import operator_hash
from ansible_collections.fieldops.openshift.tests.lab.machine_config.payload import operator_rights
from ansible_collections.fieldops.openshift.tests.lab.machine_config.processes import (
    CONTROLLER,
    VERSION,
    start_controller,
)
from ansible_collections.fieldops.openshift.tests.lab.rest import RestClient
from ansible_collections.fieldops.openshift.tests.lab.seed import boot_images, cluster, operator_settings
from ansible_collections.fieldops.openshift.tests.lab.seed.healthy import healthy_cluster, plant

Json = dict[str, t.Any]
Images = dict[str, t.Any]
SETS = f"/apis/machine.openshift.io/v1beta1/namespaces/{boot_images.MACHINE_API}/machinesets"
CONFIGURATION = "/apis/operator.openshift.io/v1/machineconfigurations/cluster"
PLANES = f"/apis/machine.openshift.io/v1/namespaces/{boot_images.MACHINE_API}/controlplanemachinesets"
PLANES_SINCE = "4.22.0"
PARTS = ("ami", "disks", "image", "template", "customDeploy")
SECONDS = 60.0
_DONE = re.compile(r"Reconciled (\d+) of (\d+) MAPI MachineSets")
NO_POLICIES = {"clusterPolicies": {"files": [], "units": [], "sshkey": {"actions": [{"type": "None"}]}}}


@pytest.fixture(scope="module")
def server() -> Iterator[ApiServer]:
    """A cluster without hosts where the controller works and keeps no MachineSets yet."""
    with ApiServer.start_openshift() as running:
        plant(running.rest, healthy_cluster(VERSION, control_plane=1, workers=1, platform="GCP"))
        wait_enforced(running.rest)
        _seed(running.rest)
        controller = start_controller(running, VERSION)
        try:
            yield running
            controller.require_running()
        finally:
            controller.stop()


@pytest.fixture(scope="module")
def outcomes(server: ApiServer) -> dict[str, tuple[Images, Images]]:
    """By platform the images that our plan and upstream's controller come to, by MachineSet."""
    return {platform: _both(server, platform) for platform in ROWS}


@pytest.mark.parametrize(
    ("platform", "name"),
    [pytest.param(platform, name, id=f"{platform}, {name}") for platform, rows in ROWS.items() for name in rows],
)
def test_both_come_to_the_same_image_or_differ_for_a_reason(
    outcomes: dict[str, tuple[Images, Images]], platform: str, name: str
) -> None:
    ours, theirs = (images[name] for images in outcomes[platform])
    assert (ours != theirs) == bool(ROWS[platform][name][1].differs), {"ours": ours, "theirs": theirs}


def test_both_convert_the_stub_of_an_old_installer_to_the_same(
    server: ApiServer, outcomes: dict[str, tuple[Images, Images]]
) -> None:
    assert outcomes["GCP"], "the controller has been there"
    before = json.loads(boot_images.user_data("2.2.0")["stringData"]["userData"])
    path = f"/api/v1/namespaces/{boot_images.MACHINE_API}/secrets/{OLD_STUB}"
    theirs = json.loads(base64.b64decode(server.rest.get(path)["data"]["userData"]))
    assert theirs["ignition"]["version"].startswith("3.")
    assert _filled(converted(before, OLD_STUB)) == _filled(theirs)


def _filled(part: t.Any) -> t.Any:
    """Return a stub without what is empty and without its version: upstream takes the newest, we the oldest."""
    if isinstance(part, list):
        return [_filled(one) for one in part]
    if not isinstance(part, dict):
        return part
    filled = {name: _filled(value) for name, value in part.items() if name != "version"}
    return {name: value for name, value in filled.items() if value not in ({}, [], None, "")}


def _seed(client: RestClient) -> None:
    listed = boot_images.coreos_bootimages(VERSION)
    listed["data"]["MCOVersionHash"] = operator_hash()
    # The operator, from which the controller has its rights, does not run here.
    client.apply_all([*operator_settings.namespaces(), operator_rights(CONTROLLER)])
    client.apply(operator_settings.feature_gate({VERSION}))
    client.apply_all([listed, boot_images.user_data("3.2.0"), boot_images.machine_configuration()])
    client.apply(boot_images.user_data("2.2.0", OLD_STUB))
    _manage(client, "None")


def _both(server: ApiServer, platform: str) -> tuple[Images, Images]:
    """Plan for all rows of a platform, then let upstream's controller have them."""
    client, rows = server.rest, ROWS[platform]
    client.apply(cluster.infrastructure(platform))
    client.apply_all(row.machine_set(form, name) for name, (form, row) in rows.items())
    ours = {**_planned(server), **_planned_control_planes(server, rows)}
    _manage(client, "All")
    wait_for(lambda: _is_through(client, len(rows)), SECONDS)
    theirs = {
        one["metadata"]["name"]: _image(one["spec"]["template"]["spec"]["providerSpec"]["value"])
        for one in client.get(SETS)["items"]
    }
    client.delete(SETS)
    _manage(client, "None")
    wait_for(lambda: _is_through(client, 0), SECONDS)
    return ours, theirs


def _planned(server: ApiServer) -> Images:
    with client_of(server) as client:
        site = _site(client)
        return {one.name: _target(assess(one, site)) for one in read_resources(client, ["machinesets"])}


def _planned_control_planes(server: ApiServer, rows: dict[str, tuple[str, Row]]) -> Images:
    """Plan as in the first release whose operator keeps their images; a cluster has one of them at a time."""
    planned: Images = {}
    with client_of(server) as client:
        site = replace(_site(client), version=PLANES_SINCE)
        for name, (form, row) in rows.items():
            if row.plane:
                server.rest.apply(row.control_plane_machine_set(form))
                (found,) = read_resources(client, ["controlplanemachinesets"])
                planned[name] = _target(assess(found, site))
                server.rest.delete(PLANES)
    return planned


def _site(client: ClusterClient) -> Site:
    facts = {name: option.get("default") for name, option in FACT_OPTIONS.items()}
    return read_machine_site(client, facts, History())


def _target(found: Assessment) -> Json:
    provider = copy.deepcopy(found.resource.provider)
    for change in found.verdict.changes if found.verdict.standing == OUTDATED else ():
        held: t.Any = provider
        for step in change.path[:-1]:
            held = held[step]
        (held[change.path[-1]],) = t.cast("tuple[t.Any]", change.after)
    return _image(provider)


def _image(provider: t.Any) -> Json:
    """Return what names the image; upstream writes empty fields as well."""
    kept = {part: provider[part] for part in PARTS if part in provider}
    if "disks" in kept:
        kept["disks"] = [disk.get("image", "") for disk in kept["disks"]]
    return {part: value for part, value in kept.items() if value}


def _manage(client: RestClient, mode: str) -> None:
    """Say, as the operator does in status, of which MachineSets the controller keeps the images."""
    generation = client.get(CONFIGURATION)["metadata"]["generation"]
    said = {
        "observedGeneration": generation,
        "managedBootImagesStatus": boot_images.managed_boot_images(mode),
        "nodeDisruptionPolicyStatus": NO_POLICIES,
    }
    client.merge(f"{CONFIGURATION}/status", {"status": said})


def _is_through(client: RestClient, count: int) -> bool:
    conditions = client.get(CONFIGURATION)["status"].get("conditions", [])
    said = {one["type"]: one for one in conditions}
    progress, errors = (said.get(f"BootImageUpdate{kind}", {}) for kind in ("Progressing", "Degraded"))
    match = _DONE.match(progress.get("message", ""))
    if match is None or not errors:
        return False
    return int(match.group(2)) == count and progress["status"] == "False"
