# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""additional_image_stores and its twin on the real API with OpenShift's definitions and the shipped rights."""

from __future__ import annotations

import base64
import typing as t
from collections.abc import Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.plays import run_play
from ansible_collections.fieldops.openshift.tests.integration.shipped_rights import grant
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.seed.healthy import healthy_cluster, plant

API = "/apis/machineconfiguration.openshift.io/v1"
DEFINITION = (
    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/containerruntimeconfigs.machineconfiguration.openshift.io"
)
CONF = '[storage]\ndriver = "overlay"\n\n[storage.options]\npull_options = {enable_partial_images = "true"}\n'
PATHS = [{"path": f"/var/lib/fieldops/stores/slot{number}"} for number in (1, 2, 3, 4)]
OURS = ["MachineConfig 99-worker-fieldops-image-stores", "ContainerRuntimeConfig fieldops-image-stores-worker"]
Result = dict[str, t.Any]


@pytest.fixture(scope="module")
def server() -> Iterator[ApiServer]:
    with ApiServer.start_openshift(users={"technician": ["fieldops:technicians"]}) as started:
        grant(started.rest, "technician", "additional-image-stores.yml")
        yield started


@pytest.fixture
def site(server: ApiServer) -> ApiServer:
    """A cluster whose pools are paused, as right before an update, without anything of ours."""
    for kind in ("machineconfigpools", "machineconfigs", "containerruntimeconfigs"):
        server.rest.delete(f"{API}/{kind}")
    plant(server.rest, healthy_cluster("4.21.3", control_plane=1, workers=2))
    for pool in ("master", "worker"):
        server.rest.merge(f"{API}/machineconfigpools/{pool}", {"spec": {"paused": True}})
    return server


def run(site: ApiServer, folder: Path, module: str, *words: str, **options: t.Any) -> Result:
    reach = {"host": site.url, "ca_cert": str(site.ca_file), "api_key": site.token_of("technician")}
    return run_play(folder, {f"fieldops.openshift.{module}": {**reach, **options}}, *words).result


def slots(site: ApiServer, folder: Path, *words: str, **options: t.Any) -> Result:
    return run(
        site, folder, "additional_image_stores", *words, **{"pools": ["worker"], "storage_conf": CONF, **options}
    )


def test_the_api_s_own_way_is_applied_told_and_taken_away(site: ApiServer, tmp_path: Path) -> None:
    trial = slots(site, tmp_path, "--check")
    assert (trial["changed"], site.rest.exists(f"{API}/machineconfigs/99-worker-fieldops-image-stores")) == (
        True,
        False,
    )
    done = slots(site, tmp_path, "--diff")
    assert not done["failed"], done
    (told,) = done["pools"]
    assert (done["changed"], told["method"], told["objects"]) == (True, "container_runtime_config", OURS)
    assert (told["rendered"], told["rolled_out"]) == (False, False)
    made = site.rest.get(f"{API}/containerruntimeconfigs/fieldops-image-stores-worker")["spec"]
    assert made["containerRuntimeConfig"]["additionalImageStores"] == PATHS
    again = slots(site, tmp_path)
    assert (again["changed"], again["actions"]) == (False, [])
    found = run(site, tmp_path, "machine_config_pool_info", gather=["image_stores"])["image_stores"]
    seen = {one["pool"]: one for one in found}
    assert (seen["worker"]["objects"], seen["master"]["objects"], seen["worker"]["rivals"]) == (OURS, [], [])
    gone = slots(site, tmp_path, state="absent", storage_conf="")
    assert (gone["changed"], [one["verb"] for one in gone["actions"]]) == (True, ["delete", "delete"])
    assert slots(site, tmp_path, state="absent")["changed"] is False


def test_nothing_is_applied_while_one_of_the_pools_is_open(site: ApiServer, tmp_path: Path) -> None:
    site.rest.merge(f"{API}/machineconfigpools/worker", {"spec": {"paused": False}})
    told = slots(site, tmp_path, pools=["master", "worker"])
    assert (told["failed"], told["error"]["kind"]) == (True, "image_store")
    assert "pool worker" in told["msg"]
    assert not site.rest.exists(f"{API}/containerruntimeconfigs/fieldops-image-stores-master")
    assert slots(site, tmp_path, reboot=True)["changed"] is True
    assert slots(site, tmp_path)["changed"] is False


def test_what_others_write_is_named_and_left(site: ApiServer, tmp_path: Path) -> None:
    selector = {"matchLabels": {"pools.operator.machineconfiguration.openshift.io/worker": ""}}
    other = {
        "apiVersion": "machineconfiguration.openshift.io/v1",
        "kind": "ContainerRuntimeConfig",
        "metadata": {"name": "larger-layers"},
        "spec": {"machineConfigPoolSelector": selector, "containerRuntimeConfig": {"overlaySize": "8G"}},
    }
    site.rest.apply(other)
    told = slots(site, tmp_path)
    assert (told["failed"], told["rivals"]) == (True, ["ContainerRuntimeConfig larger-layers"])
    seen = run(site, tmp_path, "machine_config_pool_info", gather=["image_stores"], names=["worker"])
    assert seen["image_stores"][0]["rivals"] == ["ContainerRuntimeConfig larger-layers"]


def test_a_pool_that_there_is_not_is_refused(site: ApiServer, tmp_path: Path) -> None:
    told = slots(site, tmp_path, pools=["infra"])
    assert (told["failed"], told["error"]["kind"]) == (True, "invalid_input")
    assert "master, worker" in told["msg"]


def test_a_release_before_gets_one_machine_config_with_the_whole_file(site: ApiServer, tmp_path: Path) -> None:
    # The last test of this file: it takes the field out of the API.
    versions = site.rest.get(DEFINITION)["spec"]["versions"]
    schema = versions[0]["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"]
    del schema["containerRuntimeConfig"]["properties"]["additionalImageStores"]
    site.rest.merge(DEFINITION, {"spec": {"versions": versions}})
    done = slots(site, tmp_path)
    assert not done["failed"], done
    assert (done["pools"][0]["method"], done["pools"][0]["objects"]) == ("machine_config", OURS[:1])
    made = site.rest.get(f"{API}/machineconfigs/99-worker-fieldops-image-stores")["spec"]
    files = {one["path"]: one["contents"]["source"].partition(",")[2] for one in made["config"]["storage"]["files"]}
    text = base64.b64decode(files["/etc/containers/storage.conf"]).decode()
    assert "/var/lib/fieldops/stores/slot1" in text
    assert 'pull_options = {enable_partial_images = "true"}' in text
    assert "/etc/tmpfiles.d/fieldops-image-stores.conf" in files
    asked = slots(site, tmp_path, method="container_runtime_config")
    assert "has no additionalImageStores" in asked["msg"]
    assert slots(site, tmp_path, storage_conf="")["error"]["kind"] == "image_store"
