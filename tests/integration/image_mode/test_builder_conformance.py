# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The same MachineOSConfigs to the actor and to the real machine-os-builder: builds, names, conditions, failures."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

import pytest

from ansible_collections.fieldops.openshift.tests.integration.image_mode import builder_peers as peers
from ansible_collections.fieldops.openshift.tests.integration.image_mode.building import (
    GROUP,
    PART,
    PUSH,
    REPOSITORY,
    BuildingSite,
)
from ansible_collections.fieldops.openshift.tests.integration.lab.waiting import wait_for
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_os_config_builder import CONFIGS
from ansible_collections.fieldops.openshift.tests.lab.rest import Json
from ansible_collections.fieldops.openshift.tests.lab.seed.machine_configs import rendered_name

NOTE = "machineconfiguration.openshift.io"
MESSAGES = {
    "Prepared": ("Prepared", "Build Prepared and Pending"),
    "Building": ("Building", "Image Build In Progress"),
    "Failed": ("Failed", "Build Failed"),
    "Interrupted": ("Interrupted", "Build Interrupted"),
    "Succeeded": ("Ready", "Build Ready"),
}
PEERS = {"actor": peers.actor, "real": peers.real}
SECONDS = 60.0


class Builder:
    """A builder at work, whose builds fail while ``fails``."""

    def __init__(self, site: BuildingSite) -> None:
        self.site = site
        self.fails = False

    def ask(self) -> None:
        spec = {
            "machineConfigPool": {"name": "worker"},
            "imageBuilder": {"imageBuilderType": "Job"},
            "renderedImagePushSecret": {"name": "os-image-push"},
            "renderedImagePushSpec": PUSH,
            "containerFile": [{"containerfileArch": "NoArch", "content": PART}],
        }
        kind = {"apiVersion": f"{NOTE}/v1", "kind": "MachineOSConfig", "metadata": {"name": "worker"}}
        self.site.rest.create(CONFIGS, {**kind, "spec": spec})

    @property
    def config(self) -> Json:
        found = self.site.order()
        assert found is not None
        return found

    def build(self) -> Json:
        (found,) = self.site.builds()
        return found

    def is_now(self, state: str) -> bool:
        """Whether there is one build, and it is in a state."""
        builds = self.site.builds()
        return len(builds) == 1 and said(builds[0], state) == "True"


def said(build: Json, state: str) -> str:
    conditions = build.get("status", {}).get("conditions", [])
    return next((one["status"] for one in conditions if one["type"] == state), "")


@pytest.fixture(params=PEERS)
def builder(request: pytest.FixtureRequest, site: BuildingSite) -> Iterator[Builder]:
    if request.param == "real" and os.geteuid():
        pytest.skip("the real machine-os-builder needs root, to have an /etc/docker of its own")
    if request.param == "real":
        for job in site.rest.get(peers.JOBS)["items"]:
            site.rest.delete(f"{peers.JOBS}/{job['metadata']['name']}")
    made = Builder(site)
    with PEERS[request.param](site, lambda: made.fails):
        yield made
        # A deleted order takes its builds along.
        site.rest.delete(f"{CONFIGS}/worker")
        wait_for(lambda: not site.builds(), SECONDS)


def test_an_image_is_built_and_handed_over(builder: Builder) -> None:
    builder.ask()
    wait_for(lambda: "currentImagePullSpec" in builder.config.get("status", {}), SECONDS)
    build, config = builder.build(), builder.config
    name, rendered = build["metadata"]["name"], rendered_name("worker")
    assert re.fullmatch("worker-[0-9a-f]{32}", name)
    assert build["metadata"]["labels"] == {
        f"{NOTE}/machine-os-config": "worker",
        f"{NOTE}/rendered-machine-config": rendered,
        f"{NOTE}/target-machine-config-pool": "worker",
    }
    (owner,) = build["metadata"]["ownerReferences"]
    assert (owner["kind"], owner["uid"], owner["controller"]) == ("MachineOSConfig", config["metadata"]["uid"], True)
    assert build["spec"] == {
        "machineConfig": {"name": rendered},
        "machineOSConfig": {"name": "worker"},
        "renderedImagePushSpec": f"{REPOSITORY}:{name}",
    }
    require_conditions(build, "Succeeded")
    status = build["status"]
    assert re.fullmatch(f"{re.escape(REPOSITORY)}@sha256:[0-9a-f]{{64}}", status["digestedImagePushSpec"])
    assert status["buildStart"] <= status["buildEnd"]
    assert status["builder"]["job"]["name"] == f"build-{name}"
    assert config["metadata"]["annotations"][f"{NOTE}/current-machine-os-build"] == name
    assert config["status"]["currentImagePullSpec"] == status["digestedImagePushSpec"]
    assert config["status"]["observedGeneration"] == config["metadata"]["generation"]


def require_conditions(build: Json, state: str) -> None:
    """Every state has its own reason and message, whether it holds or not."""
    found = {one["type"]: (one["status"], one["reason"], one["message"]) for one in build["status"]["conditions"]}
    assert found == {one: (str(one == state), *MESSAGES[one]) for one in MESSAGES}


def test_a_build_that_fails_stays_until_it_is_asked_for_again(builder: Builder) -> None:
    builder.fails = True
    builder.ask()
    wait_for(lambda: builder.is_now("Failed"), SECONDS)
    failed, config = builder.build(), builder.config
    require_conditions(failed, "Failed")
    assert "digestedImagePushSpec" not in failed["status"]
    assert "currentImagePullSpec" not in config.get("status", {})
    assert config["metadata"]["annotations"][f"{NOTE}/current-machine-os-build"] == failed["metadata"]["name"]

    builder.fails = False
    change = {"metadata": {"annotations": {f"{NOTE}/rebuild": ""}}}
    builder.site.rest.merge(f"{CONFIGS}/worker", change)
    wait_for(lambda: builder.is_now("Succeeded"), SECONDS)
    again = builder.build()
    assert again["metadata"]["name"] == failed["metadata"]["name"]
    assert again["metadata"]["uid"] != failed["metadata"]["uid"]
    wait_for(lambda: "currentImagePullSpec" in builder.config.get("status", {}), SECONDS)
    assert f"{NOTE}/rebuild" not in builder.config["metadata"]["annotations"]


def test_a_degraded_pool_gets_no_build(builder: Builder) -> None:
    pool = f"{GROUP}/machineconfigpools/worker"
    conditions = builder.site.rest.get(pool)["status"]["conditions"]
    degraded = [{**one, "status": "True"} if one["type"] == "NodeDegraded" else one for one in conditions]
    builder.site.rest.merge(f"{pool}/status", {"status": {"conditions": degraded}})
    builder.ask()
    with pytest.raises(AssertionError, match="did not come true"):
        wait_for(lambda: bool(builder.site.builds()), 3)
