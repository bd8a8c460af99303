# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""boot_image_info against a real API server: what new nodes will boot, on each platform, and what is in the way."""

from __future__ import annotations

import json
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.boot_images.sites import (
    CONFIGURATION,
    CONTROL_PLANE,
    IMAGES,
    MACHINE_API,
    MACHINE_SETS,
    OLD,
    RIGHT,
    Site,
    codes,
)
from ansible_collections.fieldops.openshift.tests.integration.plays import run_play
from ansible_collections.fieldops.openshift.tests.lab.seed import boot_images

Json = dict[str, t.Any]
RED_HAT = {"image_id": OLD, "owner_id": "531415883065"}
PLATFORMS = {
    "AWS": ("aws", "left_alone", "unknown_image"),
    "Azure": ("azure", "outdated", "outdated"),
    "GCP": ("gcp", "outdated", "outdated"),
    "VSphere": ("vsphere", "needs_image", "image_not_there"),
    "OpenStack": ("openstack", "needs_image", "image_not_there"),
    "Nutanix": ("nutanix", "needs_image", "image_not_there"),
    "IBMCloud": ("ibmcloud", "needs_image", "image_not_there"),
    "BareMetal": ("baremetal", "outdated", "legacy_provisioning"),
    "None": ("baremetal", "left_alone", "unsupported_platform"),
}


@pytest.mark.parametrize(("platform", "expected"), PLATFORMS.items(), ids=PLATFORMS)
def test_every_platform(site: Site, platform: str, expected: tuple[str, str, str]) -> None:
    form, standing, code = expected
    site.reset(platform=platform)
    site.add("site-a", platform=form)
    (found,) = site.look()["machine_resources"]
    assert (found["standing"], found["code"]) == (standing, code)


def test_one_resource_in_full(site: Site) -> None:
    site.add("site-a")
    (found,) = site.look(cloud_images=[RED_HAT])["machine_resources"]
    assert (found["kind"], found["name"], found["replicas"]) == ("MachineSet", "site-a", 1)
    assert (found["stream"], found["architecture"], found["would_update"]) == ("rhel-9", "x86_64", True)
    assert found["current"]["image"] == OLD
    assert found["target"] == {"image": RIGHT, "release": boot_images.CURRENT, "openshift": ""}
    assert found["managed_by"] == {"by": "none", "mode": "", "reason": "not opted in"}
    assert found["user_data"] == {"secret": "worker-user-data", "ignition": "3.2.0", "reason": ""}
    assert (found["overwritten"], found["writers"], found["last_change"]) == (0, [], None)


def test_the_cluster_as_a_whole(site: Site) -> None:
    site.add("site-a", "site-b")
    found = site.look(cloud_images=[RED_HAT])
    cluster = found["cluster"]
    assert (cluster["platform"], cluster["version"], cluster["images_of"]) == ("AWS", "4.22.5", "4.22.5")
    assert (cluster["streams"], cluster["reason"], cluster["checklist"]) == (["rhel-9"], "", [])
    assert found["summary"]["would_update"] == 2
    assert found["sentence"] == "of 2 machine resources, 2 boot another image"


def test_skew_is_what_the_operator_would_determine(site: Site) -> None:
    out = boot_images.managed_boot_images("None")
    wanted = boot_images.machine_configuration(managedBootImages=out)
    site.rest.apply({**wanted, "status": {"managedBootImagesStatus": out}})
    skew = site.look()["cluster"]["skew"]
    assert skew["determined"]["mode"] == "Manual", "nobody keeps the images of this cluster"
    assert skew["blocks_minor_update"] is False


def test_the_checklist_of_a_site_that_makes_its_own_machines(site: Site) -> None:
    site.reset(platform="None")
    found = site.look()["cluster"]["checklist"]
    assert [(one["platform"], one["architecture"]) for one in found] == [
        (name, "x86_64") for name in ("metal", "openstack", "qemu")
    ]
    assert all(one["files"]["disk"]["location"].startswith("https://") for one in found)


def test_who_keeps_the_images(site: Site) -> None:
    site.add("site-a")
    managed = boot_images.managed_boot_images()
    site.rest.apply({**boot_images.machine_configuration(), "status": {"managedBootImagesStatus": managed}})
    (found,) = site.look(cloud_images=[RED_HAT])["machine_resources"]
    assert found["managed_by"]["by"] == "machine-config-operator"
    assert (found["code"], found["would_update"]) == ("left_to_operator", False)
    site.rest.delete(CONFIGURATION)


def test_streams_of_a_new_installer(site: Site) -> None:
    site.rest.apply(boot_images.coreos_bootimages("4.22.5", several=True))
    new = site.machine_set("site-new")
    new["metadata"]["labels"]["machineconfiguration.openshift.io/osstream"] = "rhel-10"
    site.rest.apply(new)
    site.add("site-a")
    found = site.look(cloud_images=[RED_HAT])
    assert found["cluster"]["streams"] == ["rhel-9", "rhel-10"]
    assert {one["name"]: one["target"]["release"] for one in found["machine_resources"]} == {
        "site-a": boot_images.CURRENT,
        "site-new": boot_images.NEXT,
    }


def test_a_stream_of_the_next_release_can_be_handed_in(site: Site) -> None:
    site.add("site-a", ami={"id": RIGHT})
    document = boot_images.stream("9.8.20260428-0")
    (found,) = site.look(stream_document=document)["machine_resources"]
    assert (found["code"], found["target"]) == ("unknown_image", {"image": "", "release": "", "openshift": ""})
    (found,) = site.look(stream_document=document, vouched_images=[RIGHT])["machine_resources"]
    assert (found["standing"], found["target"]["release"]) == ("outdated", "9.8.20260428-0")


STREAMS: dict[str, tuple[t.Callable[[Site], t.Any], str]] = {
    "no ConfigMap": (lambda site: site.rest.delete(IMAGES), "it does not exist"),
    "no key": (lambda site: site.rest.merge(IMAGES, {"data": {"stream": None}}), "it has no key stream"),
    "no JSON": (lambda site: site.rest.merge(IMAGES, {"data": {"stream": "{"}}), "is not JSON"),
    "no architectures": (lambda site: site.rest.merge(IMAGES, {"data": {"stream": "{}"}}), "no architectures"),
}


@pytest.mark.parametrize(("spoil", "words"), STREAMS.values(), ids=STREAMS)
def test_a_broken_list_of_images(site: Site, spoil: t.Callable[[Site], t.Any], words: str) -> None:
    site.add("site-a")
    spoil(site)
    found = site.look()
    assert codes(found) == {"site-a": "no_stream"}
    assert words in found["cluster"]["reason"]


def test_hostile_machine_sets_do_not_hide_the_others(site: Site) -> None:
    site.add("good", ami={"id": RIGHT})
    site.add("text", ami="ami-1")
    site.add("number", placement={"region": 5})
    site.add("nobody", userDataSecret=None)
    site.add("lost", userDataSecret={"name": "there-is-none"}, ami={"id": RIGHT})
    empty = site.machine_set("empty")
    empty["spec"]["template"]["spec"]["providerSpec"] = {}
    site.rest.apply(empty)
    found = {one["name"]: one for one in site.look()["machine_resources"]}
    assert {name: one["code"] for name, one in found.items()} == {
        "good": "current",
        "text": "half_written",
        "number": "half_written",
        "nobody": "unknown_image",
        "lost": "current",
        "empty": "half_written",
    }
    assert found["lost"]["user_data"] == {"secret": "there-is-none", "ignition": "", "reason": "it does not exist"}
    assert "ami" in found["text"]["reason"]


def test_what_a_node_booted_from(site: Site) -> None:
    (found,) = site.look(aleph={"worker-0": '{"version": "418.94.202501221327-0"}'})["nodes"]
    assert (found["name"], found["release"], found["openshift"]) == ("worker-0", boot_images.OLD, "4.18")


def test_a_control_plane(site: Site) -> None:
    site.rest.apply(control_plane_machine_set())
    (found,) = site.look(cloud_images=[RED_HAT], kinds=["controlplanemachinesets"])["machine_resources"]
    assert (found["kind"], found["name"], found["standing"]) == ("ControlPlaneMachineSet", "cluster", "outdated")
    site.rest.delete(CONTROL_PLANE)


def test_requests_grow_with_pages_only(site: Site) -> None:
    site.add(*(f"site-{number}" for number in range(3)))
    few = requests_of_a_look(site)
    site.add(*(f"site-{number}" for number in range(40)))
    assert requests_of_a_look(site) == few


def test_a_cluster_without_machine_api(site: Site) -> None:
    assert site.look()["machine_resources"] == []


def test_as_a_user_runs_it(site: Site, tmp_path: Path) -> None:
    site.add("site-a")
    options = {"kubeconfig": str(site.server.kubeconfig), "cloud_images": [RED_HAT]}
    run = run_play(tmp_path, {"fieldops.openshift.boot_image_info": options})
    assert run.result["changed"] is False
    assert codes(run.result) == {"site-a": "outdated"}


def test_secrets_of_a_stub_are_never_shown(site: Site) -> None:
    stub = boot_images.user_data("3.2.0")
    stub["stringData"]["userData"] = json.dumps({"ignition": {"version": "3.2.0"}, "note": "canary-secret"})
    site.rest.apply(stub)
    site.add("site-a")
    assert "canary-secret" not in json.dumps(site.look())
    site.rest.delete(f"{MACHINE_API}/secrets")
    site.rest.delete(MACHINE_SETS)


def requests_of_a_look(site: Site) -> int:
    site.look()
    mark = site.server.audit.mark()
    site.look()
    return site.server.audit.count(mark)


def control_plane_machine_set() -> Json:
    labels = {
        "machine.openshift.io/cluster-api-cluster": boot_images.CLUSTER,
        "machine.openshift.io/cluster-api-machine-role": "master",
        "machine.openshift.io/cluster-api-machine-type": "master",
    }
    provider = {"kind": "AWSMachineProviderConfig", "ami": {"id": OLD}, "placement": {"region": "eu-central-1"}}
    template = {"metadata": {"labels": labels}, "spec": {"providerSpec": {"value": provider}}}
    form = "machines_v1beta1_machine_openshift_io"
    return {
        "apiVersion": "machine.openshift.io/v1",
        "kind": "ControlPlaneMachineSet",
        "metadata": {"name": "cluster", "namespace": boot_images.MACHINE_API},
        "spec": {
            "replicas": 3,
            "state": "Active",
            "strategy": {"type": "RollingUpdate"},
            "selector": {"matchLabels": labels},
            "template": {"machineType": form, form: template},
        },
    }
