# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The actor of the build controller and the real machine-os-builder, on a cluster where nothing runs pods.

For the real one its Jobs are played: their status, and the ConfigMap that the last container of a build writes. The
collector of garbage is played too, which removes a build after what depends on it.
"""

from __future__ import annotations

import contextlib
import json
import typing as t
from collections.abc import Iterator

from ansible_collections.fieldops.openshift.tests.integration.image_mode.building import BuildingSite, pull_secret
from ansible_collections.fieldops.openshift.tests.lab.actors.actor import Actor, now
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_os_config_builder import (
    BUILDS,
    NAMESPACE,
    MachineOSBuilder,
)
from ansible_collections.fieldops.openshift.tests.lab.go import program
from ansible_collections.fieldops.openshift.tests.lab.rest import Json
from ansible_collections.fieldops.openshift.tests.lab.seed import operator_settings
from ansible_collections.fieldops.openshift.tests.lab.seed.boot_images import MACHINE_CONFIG
from ansible_collections.fieldops.openshift.tests.lab.seed.controller_config import controller_config

JOBS = f"/apis/batch/v1/namespaces/{NAMESPACE}/jobs"
INFRASTRUCTURE = "/apis/config.openshift.io/v1/infrastructures/cluster"
PULL_SECRETS = ("os-image-push", "global-pull-secret-copy")
TRIES = 4
DIGEST = "sha256:" + "d1" * 32
WITHOUT_CERTIFICATES = "mount -t tmpfs tmpfs /etc/docker 2>/dev/null || true\n"


class PlayedJobs(Actor):
    """Lets the pods of each build's Job run: ``fails`` says whether they do, once or until the Job gives up."""

    watched = (JOBS, BUILDS)

    def __init__(self, site: BuildingSite, fails: t.Callable[[], bool]) -> None:
        super().__init__(site.rest)
        self._fails = fails

    def step(self) -> None:
        """Bring each Job one step on, and remove what is to be removed."""
        for job in self.client.get(JOBS)["items"]:
            self._advance(job)
        for path in (BUILDS, JOBS):
            for one in self.client.get(path)["items"]:
                if one["metadata"].get("deletionTimestamp"):
                    self.client.merge(f"{path}/{one['metadata']['name']}", {"metadata": {"finalizers": None}})

    def _advance(self, job: Json) -> None:
        status, name = job.get("status", {}), job["metadata"]["name"]
        build = name.removeprefix("build-")
        if job["metadata"].get("deletionTimestamp") or status.get("succeeded") or status.get("failed", 0) >= TRIES:
            return
        if not self.client.exists(f"{BUILDS}/{build}") or not self._is_known(build, status):
            return
        if not status.get("active"):
            self._say(name, {"active": 1, "startTime": now()})
        elif self._fails():
            # Until the last of its tries a build is still said to be building.
            failed = TRIES if status.get("failed") else TRIES - 1
            self._say(name, {"failed": failed, "active": TRIES - failed})
        else:
            digest = {"digest": DIGEST}
            self.client.apply(operator_settings.config_map(NAMESPACE, f"digest-{build}", digest))
            self._say(name, {"active": 0, "succeeded": 1})

    def _is_known(self, build: str, status: Json) -> bool:
        """Whether the builder has seen what the Job said last: real pods take longer."""
        state = "Building" if status.get("active") else "Prepared"
        conditions = self.client.get(f"{BUILDS}/{build}").get("status", {}).get("conditions", [])
        return any(one["type"] == state and one["status"] == "True" for one in conditions)

    def _say(self, job: str, status: Json) -> None:
        self.client.merge(f"{JOBS}/{job}/status", {"status": status})


@contextlib.contextmanager
def actor(site: BuildingSite, fails: t.Callable[[], bool]) -> Iterator[None]:
    """Run the actor."""
    fault = "the build fails"
    with MachineOSBuilder(site.rest, set(), lambda _config: fault if fails() else ""):
        yield


@contextlib.contextmanager
def real(site: BuildingSite, fails: t.Callable[[], bool]) -> Iterator[None]:
    """Run the real machine-os-builder, which empties /etc/docker/certs.d: not this machine's."""
    server, client = site.server, site.rest
    images = json.dumps(operator_settings.images("4.21.3", "lab.example/operator:1", "lab.example/proxy:1"))
    client.apply_all(
        [
            operator_settings.os_image_url("4.21.3", site.release_image),
            operator_settings.config_map(MACHINE_CONFIG, "machine-config-operator-images", {"images.json": images}),
            controller_config(client.get(INFRASTRUCTURE)),
        ]
    )
    for name in PULL_SECRETS:
        client.apply(pull_secret(name))
    script = f"{WITHOUT_CERTIFICATES}exec env KUBECONFIG={server.kubeconfig} {program('machine-os-builder')} start"
    process = server.workspace.start("machine-os-builder", ["unshare", "--mount", "sh", "-ec", script])
    try:
        with PlayedJobs(site, fails):
            yield
        process.require_running()
    finally:
        process.stop()
