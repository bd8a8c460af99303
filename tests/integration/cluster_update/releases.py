# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Signed releases, and the real cluster-version-operator that takes a cluster without hosts to them."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator, Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference
from ansible_collections.fieldops.openshift.tests.integration.cluster_update.updates import NEXT
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_daemon import MachineConfigDaemon
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_operator import (
    machine_config_operator,
    reboot_objects,
)
from ansible_collections.fieldops.openshift.tests.lab.actors.other_operators import OtherOperators
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.cluster_version_operator import demanded
from ansible_collections.fieldops.openshift.tests.lab.machine_config.first_state import settle
from ansible_collections.fieldops.openshift.tests.lab.machine_config.release_processes import release_processes
from ansible_collections.fieldops.openshift.tests.lab.registry.release_signer import ReleaseSigner
from ansible_collections.fieldops.openshift.tests.lab.registry.version_operator_payload import VersionOperatorSpec
from ansible_collections.fieldops.openshift.tests.lab.rest import Json, RestClient
from ansible_collections.fieldops.openshift.tests.lab.seed.cluster import OPERATORS, release_image
from ansible_collections.fieldops.openshift.tests.lab.seed.healthy import healthy_cluster, plant
from ansible_collections.fieldops.openshift.tests.lab.version_operator_process import version_operator_process
from ansible_collections.fieldops.openshift.tests.lab.version_payload import version_payload

RUNNING = "4.21.3"
VERSIONS = (RUNNING, "4.21.4", NEXT, "4.22.1")
EARLY = ("etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler")
LEVELS = tuple(sorted((80 if name == "machine-config" else 20 if name in EARLY else 50, name) for name in OPERATORS))
"""In three of the run levels that a release has, so that one is seen after the other."""
WAITED_FOR = ("etcd", "kube-apiserver", "dns", "monitoring", "network", "machine-config")
"""The version operator asks for each 20 times a second at the most: all of them would cost each test some seconds."""
RESYNC_SECONDS = 3
"""It gives up an attempt to apply a release after twice to four times as much (pkg/cvo/sync_worker.go)."""


class Releases:
    """Releases of all VERSIONS, whose keys the running one carries.

    ``images`` are the release images that there are, by version. The seeds make up the others. Of the operators that
    are ``waited`` for the version operator believes that it has been for more than 40 minutes.
    """

    def __init__(
        self, signer: ReleaseSigner, images: Mapping[str, ImageReference] | None = None, waited: tuple[str, ...] = ()
    ) -> None:
        self.signer = signer
        self._images = {one: ImageReference.parse(release_image(one)) for one in VERSIONS} | dict(images or {})
        waited_for = tuple((level, name) for level, name in LEVELS if name in WAITED_FOR)
        keys = json.dumps(signer.verification())
        self._told = VersionOperatorSpec(keys, waited_for, waited, resync=RESYNC_SECONDS)
        self._signed: dict[str, Json] = {}

    def signature(self, version: str = NEXT) -> Json:
        """Return the ConfigMap with the signature of a release, as a bundle has it."""
        if version not in self._signed:
            self.signer.sign(self._images[version])
            self._signed[version] = self.signer.signatures(self._images[version])
        return self._signed[version]

    @contextlib.contextmanager
    def version_operator(
        self,
        site: ApiServer,
        *signed: str,
        says: Mapping[str, str] | None = None,
        unreachable: tuple[str, ...] = (),
        may_report: Callable[[RestClient], bool] = lambda _client: True,
    ) -> Iterator[None]:
        """Let the operator work, and all that it waits for but machine-config, these while they ``may_report``.

        The signatures of releases that are ``signed`` lie in the cluster. ``says`` are other versions that the images
        of some hold. Images of those that are ``unreachable`` are pulled by no node.
        """
        site.rest.apply_all(self.signature(version) for version in signed)
        payloads = [
            version_payload(one, self._told, says=(says or {}).get(one, ""), image=str(self._images[one].by_digest()))
            for one in VERSIONS
        ]
        others = [(level, name) for level, name in LEVELS if name != "machine-config"]
        with version_operator_process(site, payloads, unreachable), OtherOperators(site.rest, others, may_report):
            yield

    @contextlib.contextmanager
    def cluster(
        self,
        control_plane: int,
        workers: int,
        reboots: Callable[[RestClient], Callable[[str], None]] = reboot_objects,
        may_report: Callable[[RestClient], bool] = lambda _client: True,
    ) -> Iterator[ApiServer]:
        """Start a cluster without hosts at rest, whose operators are real but for those that have nothing to do.

        ``reboots`` makes what reboots a node by its name. Those others come to a release while they ``may_report``.
        """
        with ApiServer.start_openshift() as server:
            server.rest.apply_all(demanded(VERSIONS))
            plant(server.rest, healthy_cluster(RUNNING, control_plane=control_plane, workers=workers))
            with release_processes(server, VERSIONS):
                settle(server.rest)
                others = self.version_operator(server, may_report=may_report)
                with others, MachineConfigDaemon(server.rest, reboots(server.rest)):
                    yield server

    @contextlib.contextmanager
    def operators(self, site: ApiServer, *signed: str) -> Iterator[None]:
        """Let machine-config work as well, whose nodes are objects."""
        with self.version_operator(site, *signed), machine_config_operator(site, reboot_objects(site.rest)):
            yield
