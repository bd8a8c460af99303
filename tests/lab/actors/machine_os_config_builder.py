# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The machine-config operator's build controller: a MachineOSBuild for each MachineOSConfig, and what comes of it.

Copies machine-config-operator, pkg/controller/build/reconciler.go (syncMachineOSConfig, rebuildMachineOSConfig,
createNewMachineOSBuildOrReuseExisting, reuseExistingMachineOSBuildIfPossible, startBuild, updateMachineOSConfigStatus,
deleteMachineOSConfig), buildrequest/machineosbuild.go (what goes into a build's name) and what a failed job leaves: the
order in which objects say that a build was asked for, runs, and has ended. Each of these is a step of its own, so that
others see everything in between. Not copied: the build itself and its three more tries, a change of the configuration
that needs none, and that a build which is deleted waits for the collector of garbage.
``tests/integration/image_mode/test_builder_conformance.py`` holds it to the real machine-os-builder.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from datetime import datetime, timedelta, timezone

from ansible_collections.fieldops.openshift.tests.lab.actors.actor import Actor, now, with_condition
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_pools import POOLS
from ansible_collections.fieldops.openshift.tests.lab.rest import Json, RestClient

API_VERSION = "machineconfiguration.openshift.io/v1"
CONFIGS = f"/apis/{API_VERSION}/machineosconfigs"
BUILDS = f"/apis/{API_VERSION}/machineosbuilds"
CURRENT = "machineconfiguration.openshift.io/current-machine-os-build"
REBUILD = "machineconfiguration.openshift.io/rebuild"
NAMESPACE = "openshift-machine-config-operator"
BUILD_NODE = "builder-0"
STATES = {
    "Prepared": ("Prepared", "Build Prepared and Pending"),
    "Building": ("Building", "Image Build In Progress"),
    "Failed": ("Failed", "Build Failed"),
    "Interrupted": ("Interrupted", "Build Interrupted"),
    "Succeeded": ("Ready", "Build Ready"),
}
"""Conditions with their reasons and messages (pkg/apihelpers/machineosbuild.go)."""


class MachineOSBuilder(Actor):
    """Acts on every MachineOSConfig.

    ``fault_of`` returns for a MachineOSConfig why its image cannot be built, an empty text when it can. ``registry``
    are the images by digest that exist.
    """

    def __init__(
        self, client: RestClient, registry: set[str], fault_of: Callable[[Json], str] = lambda _config: ""
    ) -> None:
        super().__init__(client)
        self.registry = registry
        self._fault_of = fault_of

    def step(self) -> None:
        """Bring each MachineOSConfig and each of its builds one step on."""
        configs = {one["metadata"]["uid"]: one for one in self.client.get(CONFIGS)["items"]}
        pools = {one["metadata"]["name"]: one for one in self.client.get(POOLS)["items"]}
        for build in self.client.get(BUILDS)["items"]:
            owner = configs.get(build["metadata"]["ownerReferences"][0]["uid"])
            if owner is None:
                self._delete(build)
            elif build["metadata"]["name"] == build_name(owner, pools[owner["spec"]["machineConfigPool"]["name"]]):
                self._advance(build, owner)
        for config in configs.values():
            pool = pools.get(config["spec"]["machineConfigPool"]["name"])
            if pool is not None and not _is_degraded(pool):
                self._order(config, pool)

    def _order(self, config: Json, pool: Json) -> None:
        """See that there is a build for what is asked for now."""
        notes = config["metadata"].get("annotations", {})
        wanted = build_name(config, pool)
        if REBUILD in notes and CURRENT in notes:
            if self.client.exists(f"{BUILDS}/{notes[CURRENT]}"):
                self._delete(self.client.get(f"{BUILDS}/{notes[CURRENT]}"))
            self._create(wanted, config, pool)
            self._take_over(config, wanted, "")
        elif notes.get(CURRENT) != wanted:
            self._create_or_reuse(wanted, config, pool)

    def _create_or_reuse(self, name: str, config: Json, pool: Json) -> None:
        if not self.client.exists(f"{BUILDS}/{name}"):
            self._create(name, config, pool)
            return
        build = self.client.get(f"{BUILDS}/{name}")
        image = build.get("status", {}).get("digestedImagePushSpec", "")
        if _holds(build, "Succeeded") and image in self.registry:
            self._take_over(config, name, image)
        elif _holds(build, "Succeeded"):
            self._delete(build)
            self._create(name, config, pool)

    def _create(self, name: str, config: Json, pool: Json) -> None:
        metadata = config["metadata"]
        owner = {"apiVersion": API_VERSION, "kind": "MachineOSConfig", "name": metadata["name"], "uid": metadata["uid"]}
        rendered = pool["spec"]["configuration"]["name"]
        self.client.create(
            BUILDS,
            {
                "apiVersion": API_VERSION,
                "kind": "MachineOSBuild",
                "metadata": {
                    "name": name,
                    "labels": _labels(metadata["name"], pool),
                    "ownerReferences": [{**owner, "controller": True}],
                },
                "spec": {
                    "machineConfig": {"name": rendered},
                    "machineOSConfig": {"name": metadata["name"]},
                    "renderedImagePushSpec": f"{_repository(config)}:{name}",
                },
            },
        )

    def _advance(self, build: Json, config: Json) -> None:
        name = build["metadata"]["name"]
        notes = config["metadata"].get("annotations", {})
        if not any(_holds(build, state) for state in STATES):
            self._delete_others(build)
            self._say(build, "Prepared", buildStart=_a_minute_ago())
        elif _holds(build, "Prepared"):
            # The build runs a moment before the MachineOSConfig names it.
            self._say(build, "Building")
        elif _holds(build, "Building") and notes.get(CURRENT) != name:
            self._take_over(config, name, "")
        elif _holds(build, "Building"):
            self._end(build, config)
        elif _holds(build, "Succeeded") and notes.get(CURRENT) == name:
            self._hand_over(config, build["status"]["digestedImagePushSpec"])

    def _end(self, build: Json, config: Json) -> None:
        fault = self._fault_of(config)
        if fault:
            self._leave_pod(build["metadata"]["name"])
            self._say(build, "Failed", buildEnd=now())
            return
        # A build that is made again gives another image.
        digest = hashlib.sha256(str(build["metadata"]["uid"]).encode()).hexdigest()
        image = f"{_repository(config)}@sha256:{digest}"
        self.registry.add(image)
        self._say(build, "Succeeded", buildEnd=now(), digestedImagePushSpec=image)

    def _say(self, build: Json, state: str, **status: str) -> None:
        """Let one condition hold and all others not; reason and message are the same either way."""
        found, name = build.get("status", {}).get("conditions", []), build["metadata"]["name"]
        for one, (reason, message) in STATES.items():
            found = with_condition(found, one, one == state, reason, message)
        job = {"group": "batch", "resource": "jobs", "namespace": NAMESPACE, "name": f"build-{name}"}
        status = {**build.get("status", {}), "conditions": found, **status}
        builder = {"imageBuilderType": "Job", "job": job}
        self.client.merge(f"{BUILDS}/{name}/status", {"status": {**status, "builder": builder}})

    def _take_over(self, config: Json, build: str, image: str) -> None:
        path = f"{CONFIGS}/{config['metadata']['name']}"
        self.client.merge(path, {"metadata": {"annotations": {CURRENT: build, REBUILD: None}}})
        if image:
            self._hand_over(config, image)

    def _hand_over(self, config: Json, image: str) -> None:
        if config.get("status", {}).get("currentImagePullSpec") == image:
            return
        status = {"currentImagePullSpec": image, "observedGeneration": config["metadata"]["generation"]}
        self.client.merge(f"{CONFIGS}/{config['metadata']['name']}/status", {"status": status})

    def _delete_others(self, build: Json) -> None:
        for other in self.client.get(BUILDS)["items"]:
            same = other["spec"]["machineOSConfig"] == build["spec"]["machineOSConfig"]
            if same and other["metadata"]["name"] != build["metadata"]["name"] and not _holds(other, "Succeeded"):
                self._delete(other)

    def _delete(self, build: Json) -> None:
        self.registry.discard(build.get("status", {}).get("digestedImagePushSpec", ""))
        self.client.delete(f"{BUILDS}/{build['metadata']['name']}")

    def _leave_pod(self, build: str) -> None:
        """A failed job and its pod stay for inspection."""
        containers = [{"name": name, "image": "lab.example/buildah:1"} for name in ("image-build", "create-digest")]
        name = f"build-{build}-x7k2p"
        labels = {"batch.kubernetes.io/job-name": f"build-{build}"}
        path = f"/api/v1/namespaces/{NAMESPACE}/pods"
        if not self.client.exists(f"{path}/{name}"):
            spec = {"containers": containers, "nodeName": BUILD_NODE}
            pod = {"metadata": {"name": name, "labels": labels}, "spec": spec}
            self.client.create(path, {"apiVersion": "v1", "kind": "Pod", **pod})
        ended = [
            {
                "name": one["name"],
                "image": one["image"],
                "imageID": "",
                "ready": False,
                "restartCount": 0,
                "state": {"terminated": {"exitCode": 1 if number == 0 else 0}},
            }
            for number, one in enumerate(containers)
        ]
        self.client.merge(f"{path}/{name}/status", {"status": {"phase": "Failed", "containerStatuses": ended}})


def build_name(config: Json, pool: Json) -> str:
    """Return the name of the build for what is asked for now: the same for the same, by a hash of it."""
    inputs = [pool["spec"]["configuration"], config["spec"]]
    digest = hashlib.md5(json.dumps(inputs, sort_keys=True).encode(), usedforsecurity=False).hexdigest()
    return f"{config['metadata']['name']}-{digest}"


def _labels(config: str, pool: Json) -> dict[str, str]:
    """Return the labels of a build (build/utils/selectors.go)."""
    group = API_VERSION.partition("/")[0]
    return {
        f"{group}/machine-os-config": config,
        f"{group}/rendered-machine-config": pool["spec"]["configuration"]["name"],
        f"{group}/target-machine-config-pool": pool["metadata"]["name"],
    }


def _a_minute_ago() -> str:
    """The API wants a build to end after it has begun, and counts whole seconds."""
    return (datetime.now(timezone.utc) - timedelta(minutes=1)).strftime("%Y-%m-%dT%H:%M:%SZ")


def _repository(config: Json) -> str:
    return str(config["spec"]["renderedImagePushSpec"]).rpartition(":")[0]


def _holds(build: Json, state: str) -> bool:
    conditions = build.get("status", {}).get("conditions", [])
    return any(one["type"] == state and one["status"] == "True" for one in conditions)


def _is_degraded(pool: Json) -> bool:
    conditions = pool.get("status", {}).get("conditions", [])
    return any(one["type"].endswith("Degraded") and one["status"] == "True" for one in conditions)
