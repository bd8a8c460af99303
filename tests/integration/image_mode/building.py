# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The cluster of these tests, orders for images, and what came of them."""

from __future__ import annotations

import time
import typing as t
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.do.machine_os_config import (
    OS_CONFIG_OPTIONS,
    machine_os_config_step,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.machine_os_config import config_name
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Step
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_daemon import MachineConfigDaemon
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_operator import reboot_objects
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_os_config_builder import (
    BUILDS,
    CONFIGS,
    NAMESPACE,
    MachineOSBuilder,
)
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_os_config_rendering import RenderController
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.machine_config_controller import machine_config_controller
from ansible_collections.fieldops.openshift.tests.lab.rest import Json, RestClient
from ansible_collections.fieldops.openshift.tests.lab.seed import operator_settings
from ansible_collections.fieldops.openshift.tests.lab.seed.healthy import healthy_cluster, plant
from ansible_collections.fieldops.openshift.tests.lab.seed.machine_configs import rendered_name

GROUP = "/apis/machineconfiguration.openshift.io/v1"
OWN_NAMESPACE = "fieldops-openshift"
HISTORY = f"/api/v1/namespaces/{OWN_NAMESPACE}/configmaps/os-images-worker"
PUSH = "registry.site.example/os/worker:latest"
REPOSITORY = PUSH.rpartition(":")[0]
BASE = f"{REPOSITORY}@sha256:" + "ba" * 32
PART = "FROM configs AS final\nRUN rpm-ostree install tcpdump && ostree container commit\n"
OTHER_PART = "FROM configs AS final\nRUN rpm-ostree install strace && ostree container commit\n"
MOST_SECONDS = 90.0
CLEARED = (
    *(f"{GROUP}/{kind}" for kind in ("machineosconfigs", "machineosbuilds", "machineconfigs", "machineconfignodes")),
    f"{GROUP}/machineconfigpools",
    "/api/v1/nodes",
    f"/api/v1/namespaces/{OWN_NAMESPACE}/configmaps",
)


def furnish(client: RestClient) -> None:
    """Create what a cluster has before anybody orders an image."""
    for name in (NAMESPACE, OWN_NAMESPACE):
        client.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
    account = {"name": "default", "namespace": NAMESPACE}
    client.apply({"apiVersion": "v1", "kind": "ServiceAccount", "metadata": account})
    client.apply(pull_secret("os-image-push"))


def pull_secret(name: str) -> Json:
    """Return a Secret of the kind that builds take (build/utils, ValidatePullSecret)."""
    content = {".dockerconfigjson": '{"auths": {"registry.site.example": {"auth": "eDp5"}}}'}
    return operator_settings.secret(NAMESPACE, name, "kubernetes.io/dockerconfigjson", content)


class BuildingSite:
    """The cluster; what actors do in it they do while ``operator`` lasts."""

    def __init__(self, server: ApiServer) -> None:
        self.server = server
        self.rest = server.rest
        self.registry: set[str] = set()
        for pod in self.rest.get(f"/api/v1/namespaces/{NAMESPACE}/pods")["items"]:
            path = f"/api/v1/namespaces/{NAMESPACE}/pods/{pod['metadata']['name']}"
            self.rest.delete(path, gracePeriodSeconds="0")
        plant(self.rest, healthy_cluster("4.21.3", control_plane=1, workers=2), cleared=CLEARED)
        rendered = self.rest.get(f"{GROUP}/machineconfigs/{rendered_name('worker')}")
        self.release_image = str(rendered["spec"]["osImageURL"])

    @contextmanager
    def operator(
        self,
        *,
        fault_of: Callable[[Json], str] = lambda _config: "",
        broken: Mapping[str, str] | None = None,
        named_builds: bool = True,
    ) -> Iterator[None]:
        """Run the operator's controllers; ``fault_of`` says why a build fails, ``broken`` which nodes do and why.

        ``named_builds`` is off for the releases whose node controller takes any build of a configuration.
        """
        with ExitStack() as running:
            running.enter_context(machine_config_controller(self.server, named_builds=named_builds))
            running.enter_context(RenderController(self.rest, self.release_image))
            running.enter_context(MachineOSBuilder(self.rest, self.registry, fault_of))
            running.enter_context(MachineConfigDaemon(self.rest, reboot_objects(self.rest), broken))
            yield

    def order(self) -> Json | None:
        """Return the MachineOSConfig of the workers."""
        path = f"{CONFIGS}/worker"
        return self.rest.get(path) if self.rest.exists(path) else None

    def builds(self) -> list[Json]:
        """Return all builds."""
        found: list[Json] = self.rest.get(BUILDS)["items"]
        return found

    def base(self) -> str:
        """Return the image that our MachineConfig asks for, empty where there is none."""
        path = f"{GROUP}/machineconfigs/{config_name('worker')}"
        return str(self.rest.get(path)["spec"]["osImageURL"]) if self.rest.exists(path) else ""

    def images(self) -> set[str]:
        """Return the built images that workers run, an empty name for the release's."""
        nodes = [self.rest.get(f"/api/v1/nodes/worker-{number}") for number in range(2)]
        key = "machineconfiguration.openshift.io/currentImage"
        return {str(one["metadata"]["annotations"].get(key, "")) for one in nodes}

    def pause(self, paused: bool) -> None:
        """Pause the workers' pool, or let it go on."""
        self.rest.merge(f"{GROUP}/machineconfigpools/worker", {"spec": {"paused": paused}})


def request(*parts: str, **options: t.Any) -> dict[str, t.Any]:
    """Return the module's arguments for a build of ``parts``, with its defaults; without parts for nothing yet."""
    defaults = {name: option.get("default") for name, option in OS_CONFIG_OPTIONS.items()}
    known: dict[str, t.Any] = {**defaults, "pool": "worker"}
    if parts:
        files = [{"architecture": "NoArch", "content": part} for part in parts]
        known |= {"push_spec": PUSH, "push_secret": "os-image-push", "containerfiles": files}
    return {**known, **options}


def follow(client: ClusterClient, params: Mapping[str, t.Any], seconds: float = MOST_SECONDS) -> tuple[Step, list[str]]:
    """Take steps until one is done; return it and the sentences on the way."""
    sentences: list[str] = []
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        work = machine_os_config_step(client, params)
        if work.sentence not in sentences[-1:]:
            sentences.append(work.sentence)
        if work.done:
            return work, sentences
        time.sleep(0.3)
    raise AssertionError(sentences)
