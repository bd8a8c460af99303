# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The real cluster-version-operator as a process of this machine, for a cluster without hosts.

It verifies, retrieves, applies and reports as in production, and is replaced by that of the release which it applies.
What a node does for it, an actor does: it runs the operator's Deployment and extracts payloads.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab.actors.version_operator_node import (
    DEPLOYMENT,
    PODS,
    VersionOperatorNode,
)
from ansible_collections.fieldops.openshift.tests.lab.api_access import ApiAccess
from ansible_collections.fieldops.openshift.tests.lab.cluster_version_operator import VERSION
from ansible_collections.fieldops.openshift.tests.lab.errors import LabError, last_lines
from ansible_collections.fieldops.openshift.tests.lab.go import program
from ansible_collections.fieldops.openshift.tests.lab.registry.version_operator_payload import (
    DOWNLOADS,
    NAME,
    NAMESPACE,
    installed_objects,
)
from ansible_collections.fieldops.openshift.tests.lab.rest import Json, RestClient
from ansible_collections.fieldops.openshift.tests.lab.version_payload import VersionPayload
from ansible_collections.fieldops.openshift.tests.lab.workspace import LeashedProcess

LEASE = f"/apis/coordination.k8s.io/v1/namespaces/{NAMESPACE}/leases/version"
OWNED = (
    "/api/v1/namespaces",
    "/api/v1/namespaces/openshift-config-managed/configmaps",
    "/apis/config.openshift.io/v1/clusteroperators",
    "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
    "/apis/scheduling.k8s.io/v1/priorityclasses",
)
READY_SECONDS = 120.0
OWN_ETC = 'mount --bind "$0" /etc && exec "$@"'


@contextlib.contextmanager
def version_operator_process(
    server: ApiAccess, payloads: Sequence[VersionPayload], unreachable: Iterable[str] = ()
) -> Iterator[None]:
    """Let the operator of the first payload work for as long as the context lasts, on a seeded ClusterVersion.

    What it demands of a cluster (``cluster_version_operator.demanded``) has to be there.
    The images of all payloads are within reach of its node, but those of the versions that are ``unreachable``. Raise
    LabError at the end if it has ended by itself.
    """
    client, runs = server.rest, payloads[0]
    process = VersionOperatorProcess(server, payloads)
    client.delete(PODS, gracePeriodSeconds="0")
    for leftover in (DEPLOYMENT, LEASE):  # nothing runs now that could hold the Lease
        if client.exists(leftover):
            client.delete(leftover, propagationPolicy="Background")
    _disown(client)
    client.apply_all([*installed_objects(runs.told, runs.version, runs.image), *_without_controllers()])
    client.merge(f"{VERSION}/status", {"status": {"versionHash": ""}})
    reached = {one.image for one in payloads if one.version not in unreachable}
    with contextlib.ExitStack() as running:
        running.callback(process.stop)
        running.enter_context(VersionOperatorNode(client, process, reached))
        process.wait_for_payload()
        yield


def _disown(client: RestClient) -> None:
    """Let the next ClusterVersion have what an earlier one owned: nothing here collects it, and two may not have it."""
    for kind in OWNED:
        for one in client.get(kind)["items"]:
            if any(owner["kind"] == "ClusterVersion" for owner in one["metadata"].get("ownerReferences", [])):
                client.merge(f"{kind}/{one['metadata']['name']}", {"metadata": {"ownerReferences": None}})


def _without_controllers() -> list[Json]:
    """Return what kube-controller-manager makes, without which the API takes no pod."""
    return [{"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "default", "namespace": NAMESPACE}}]


class VersionOperatorProcess:
    """The container of the operator, and the folder of its node that payloads are extracted to.

    The folder's place is fixed (pkg/cvo/updatepayload.go), so that each process has an ``/etc`` of its own.
    """

    def __init__(self, server: ApiAccess, payloads: Sequence[VersionPayload]) -> None:
        self._server = server
        self._payloads = {one.image: one for one in payloads}
        self._directory = server.directory / NAME
        shutil.rmtree(self._directory, ignore_errors=True)
        self._etc = self._directory / "etc"
        self._downloads.mkdir(parents=True)
        self._process: LeashedProcess | None = None

    @property
    def _downloads(self) -> Path:
        return self._etc / DOWNLOADS.removeprefix("/etc/")

    def start(self, image: str, arguments: Sequence[str], environment: Mapping[str, str]) -> None:
        """Start the operator from a release image, whose payload is in its root directory."""
        root = self._directory / image.rpartition(":")[2]
        if not root.exists():
            self._payloads[image].write(root)
        own = {"KUBECONFIG": str(self._server.kubeconfig), "PAYLOAD_OVERRIDE": str(root)}
        words = [f"{name}={value}" for name, value in {**environment, **own}.items()]
        alone = ["unshare", "--mount", *([] if os.geteuid() == 0 else ["--map-root-user"])]
        command = [*alone, "sh", "-c", OWN_ETC, str(self._etc), "env", *words, str(program(NAME)), *arguments]
        self._process = self._server.workspace.start(NAME, command)

    def stop(self) -> None:
        """End the operator as a kubelet does: asked to, it gives its Lease back."""
        if self._process:
            self._process.stop()
            self._process = None

    def require_running(self) -> None:
        """Raise LabError with the end of its log if it has ended by itself."""
        if self._process:
            self._process.require_running()

    def extract(self, image: str, directory: str) -> None:
        """Put the payload of an image where the operator expects it; those of other images go."""
        for one in self._downloads.iterdir():
            shutil.rmtree(one)
        self._payloads[image].write(self._downloads / directory.removeprefix(f"{DOWNLOADS}/"))

    def wait_for_payload(self) -> None:
        """Wait until the operator has loaded its payload and said so."""
        deadline = time.monotonic() + READY_SECONDS
        while not self._server.rest.get(VERSION).get("status", {}).get("versionHash"):
            self.require_running()
            if time.monotonic() > deadline:
                log = self._server.directory / f"{NAME}.log"
                raise LabError(f"wait for {NAME}", on=VERSION, seen=last_lines(log), advice=f"See {log}.")
            time.sleep(0.05)
