# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Boot images by the real operator and controller, on a platform whose MachineSets they keep current: GCP."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator

import pytest

from ansible_collections.fieldops.openshift.tests.integration.lab.waiting import wait_for
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.machine_config.first_state import settle
from ansible_collections.fieldops.openshift.tests.lab.machine_config.processes import VERSION, operator_processes
from ansible_collections.fieldops.openshift.tests.lab.rest import Json, RestClient
from ansible_collections.fieldops.openshift.tests.lab.seed import boot_images
from ansible_collections.fieldops.openshift.tests.lab.seed.healthy import healthy_cluster, plant

SETS = f"/apis/machine.openshift.io/v1beta1/namespaces/{boot_images.MACHINE_API}/machinesets"
USER_DATA = f"/api/v1/namespaces/{boot_images.MACHINE_API}/secrets/worker-user-data"
CONFIGURATION = "/apis/operator.openshift.io/v1/machineconfigurations/cluster"
SOON = 60.0


@pytest.fixture(scope="module")
def cluster() -> Iterator[RestClient]:
    """A cluster in Google's cloud, at rest, whose operator has put its mark on the list of boot images."""
    with ApiServer.start_openshift() as server:
        plant(server.rest, healthy_cluster(VERSION, control_plane=1, workers=1, platform="GCP"))
        server.rest.apply_all([*boot_images.namespaces(), boot_images.user_data()])
        with operator_processes(server):
            settle(server.rest)
            yield server.rest


@pytest.fixture(autouse=True)
def tidied(cluster: RestClient) -> Iterator[None]:
    yield
    cluster.delete(SETS)


def test_machine_sets_boot_the_current_image_if_they_are_managed(cluster: RestClient) -> None:
    chosen = {"mode": "Partial", "partial": {"machineResourceSelector": {"matchLabels": {"lab/managed": ""}}}}
    manage(cluster, chosen)
    for name, labels in (("lab-managed", {"lab/managed": ""}), ("lab-other", {})):
        made = boot_images.machine_set("gcp", name)
        made["metadata"]["labels"] = {**made["metadata"]["labels"], **labels}
        cluster.apply(made)
    wait_for(lambda: boot_image(cluster, "lab-managed") == of_release(boot_images.CURRENT), SOON)
    wait_for(lambda: "Reconciled 1 of 1 MAPI MachineSets" in said(cluster, "BootImageUpdateProgressing"), SOON)
    assert boot_image(cluster, "lab-other") == of_release(boot_images.OLD)


def test_the_stub_of_an_old_installer_is_brought_up_to_date(cluster: RestClient) -> None:
    cluster.apply(boot_images.user_data("2.2.0"))
    manage(cluster, {"mode": "All"})
    cluster.apply(boot_images.machine_set("gcp", "lab-old"))
    wait_for(lambda: ignition_version(cluster).startswith("3."), SOON)


def test_an_image_of_somebody_else_is_left_alone(cluster: RestClient) -> None:
    own = boot_images.machine_set("gcp", "lab-own")
    own["spec"]["template"]["spec"]["providerSpec"]["value"]["disks"][0]["image"] = "projects/own/global/images/mine"
    manage(cluster, {"mode": "All"})
    cluster.apply(own)
    cluster.apply(boot_images.machine_set("gcp", "lab-watched"))
    wait_for(lambda: boot_image(cluster, "lab-watched") == of_release(boot_images.CURRENT), SOON)
    assert boot_image(cluster, "lab-own") == "projects/own/global/images/mine"


def manage(client: RestClient, selection: Json) -> None:
    """Let the operator manage a selection of MachineSets, and wait until it says that it has read this."""
    (manager,) = boot_images.managed_boot_images()["machineManagers"]
    wanted = {"machineManagers": [{**manager, "selection": selection}]}
    client.merge(CONFIGURATION, {"spec": {"managedBootImages": wanted}})
    wait_for(lambda: client.get(CONFIGURATION)["status"].get("managedBootImagesStatus") == wanted, SOON)


def said(client: RestClient, kind: str) -> str:
    found = client.get(CONFIGURATION)["status"].get("conditions", [])
    return next((str(one["message"]) for one in found if one["type"] == kind), "")


def of_release(release: str) -> str:
    return f"projects/rhcos-cloud/global/images/{boot_images.gcp_name(release)}"


def boot_image(client: RestClient, name: str) -> str:
    disk = client.get(f"{SETS}/{name}")["spec"]["template"]["spec"]["providerSpec"]["value"]["disks"][0]
    return str(disk["image"])


def ignition_version(client: RestClient) -> str:
    stub = json.loads(base64.b64decode(client.get(USER_DATA)["data"]["userData"]))
    return str(stub["ignition"]["version"])
