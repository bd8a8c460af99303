# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A lab that is OpenShift as far as it can be here: its operators are the real ones, from a release in its registry.

The cluster stands on that release as if it had been installed from it. The version operator and the machine-config
operator run as pods of it on the hosts, and an update to another release replaces both. The other operators have
nothing to do in the lab; an actor reports for them.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab.actors.other_operators import OtherOperators
from ansible_collections.fieldops.openshift.tests.lab.cluster_version_operator import start_version_operator
from ansible_collections.fieldops.openshift.tests.lab.errors import LabError
from ansible_collections.fieldops.openshift.tests.lab.go import OPERATOR_PROGRAMS
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
from ansible_collections.fieldops.openshift.tests.lab.machine_config.on_hosts import (
    begin_hosts,
    certificates,
    hosts_prepared,
    programs_on_hosts,
    wait_updated,
)
from ansible_collections.fieldops.openshift.tests.lab.machine_config.payload import operator_manifests
from ansible_collections.fieldops.openshift.tests.lab.machine_config.processes import seed
from ansible_collections.fieldops.openshift.tests.lab.preparation import prepare
from ansible_collections.fieldops.openshift.tests.lab.registry.lab_registry import RegistrySetup
from ansible_collections.fieldops.openshift.tests.lab.registry.release import Release
from ansible_collections.fieldops.openshift.tests.lab.registry.release_spec import ReleaseSpec
from ansible_collections.fieldops.openshift.tests.lab.registry.version_operator_payload import NAME as VERSION_OPERATOR
from ansible_collections.fieldops.openshift.tests.lab.registry.version_operator_payload import VersionOperatorSpec
from ansible_collections.fieldops.openshift.tests.lab.rest import Json
from ansible_collections.fieldops.openshift.tests.lab.seed.cluster import RUN_LEVELS
from ansible_collections.fieldops.openshift.tests.lab.seed.operator_settings import feature_gate
from ansible_collections.fieldops.openshift.tests.lab.workspace import write_private

RUNNING, FOLLOWING = "4.21.3", "4.21.4"
VERSION = re.compile(r"\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?")
COMPONENTS = 24  # so many that kube-rbac-proxy is among them
REBUILT = 0.25  # of the images, from release to release
MIRRORED = "quay.io/openshift-release-dev"


class OperatedLab:
    """The lab, and the releases in its registry by their versions, oldest first."""

    def __init__(self, lab: Lab) -> None:
        self.lab = lab
        self.registry = lab.registry
        self.releases: dict[str, Release] = {}

    def publish(self, version: str) -> Release:
        """Generate the release that follows the newest one, sign it, and put it into the registry.

        As a payload does that brings features along, the cluster is told that it has them in that version. Raise
        LabError for what is no version, or is published already.
        """
        if not VERSION.fullmatch(version):
            raise LabError("publish a release", on=repr(version), seen="no version", advice="Give one like 4.21.5.")
        if version in self.releases:
            raise LabError("publish a release", on=version, seen="it is published", advice="Give another version.")
        release = self.registry.factory.release(self._next(version))
        self.registry.signer.sign(release.reference)
        self.registry.publish(release)
        self.releases[version] = release
        self.lab.api.rest.apply(feature_gate(self.releases))
        self.signature_file(version)
        return release

    @property
    def names(self) -> dict[str, str]:
        """The names of the release images, by version."""
        return {version: str(one.reference) for version, one in self.releases.items()}

    @property
    def site_files(self) -> dict[str, str]:
        """The files that a play of the connected side is given, by the names of its variables."""
        found = {"site_registries_conf": self.registry.registries_conf, "site_ca_file": self.registry.ca_file}
        found |= {"site_pull_secret": self.registry.pull_secret, "site_release_keys": self.trusted_key}
        found |= {"site_signature_stores": self.registry.signer.store.directory}
        return {name: str(file) for name, file in found.items()}

    def signature_file(self, version: str) -> Path:
        """Return a file with the ConfigMap by which the cluster comes to know a release's signatures."""
        signatures = self.registry.signer.signatures(self.releases[version].reference)
        return write_private(self.lab.workspace.directory / f"signatures-{version}.json", json.dumps(signatures))

    @property
    def trusted_key(self) -> Path:
        """A file with the public key of those who sign the releases."""
        return write_private(self.lab.workspace.directory / "release-key.asc", self.registry.signer.key.public_key)

    def _next(self, version: str) -> ReleaseSpec:
        if self.releases:
            newest = [*self.releases.values()][-1].spec
            return newest.next_z_stream(version, share=REBUILT, keeps=1, including=["rhel-coreos"])
        told = VersionOperatorSpec(json.dumps(self.registry.signer.verification()), RUN_LEVELS)
        return ReleaseSpec(version, components=COMPONENTS, operator=told, machine_config=True)


@contextlib.contextmanager
def operated_lab(
    *, control_plane: int = 3, workers: int = 2, sizes: Mapping[str, int] | None = None, hosted: bool = False
) -> Iterator[OperatedLab]:
    """Start one; it is at rest on ``RUNNING``, with ``FOLLOWING`` published beside it, when the context begins.

    With a single control-plane node nothing is drained and Leases are long, as in production. With ``hosted`` its API
    goes down with that node.
    """
    if control_plane < 1:
        advice = "Its operators run on one: ask for more."
        raise LabError("start a lab", on="its release", seen="no control-plane node", advice=advice)
    prepare(programs=[VERSION_OPERATOR, *OPERATOR_PROGRAMS])
    started = Lab(
        control_plane=control_plane,
        workers=workers,
        sizes=sizes,
        hosted=hosted,
        registry=RegistrySetup(),
        images=programs_on_hosts(),
    )
    with started as lab:
        operated = OperatedLab(lab)
        running, following = operated.publish(RUNNING), operated.publish(FOLLOWING)
        _start_machine_config(lab, running)
        begin_hosts(lab)
        for host in lab.hosts.values():
            host.run("systemctl", "reload", "crio")
        start_version_operator(lab.api.rest, running, [following.spec.version])
        wait_updated(lab.api.rest)
        with OtherOperators(lab.api.rest, [one for one in RUN_LEVELS if one[1] != "machine-config"]):
            yield operated


def _start_machine_config(lab: Lab, release: Release) -> None:
    """Start the machine-config operator as the version operator of its release has installed it."""
    version, client = release.spec.version, lab.api.rest
    references = {name: str(release.reference_of(name)) for name in release.components}
    with hosts_prepared(lab):
        seed(lab.api, version, references["rhel-coreos"])
        client.apply_all(certificates(lab.api))
        client.apply(_mirrors(lab))
    client.apply_all(operator_manifests(version, references).values())


def _mirrors(lab: Lab) -> Json:
    """Return what leads nodes to the lab's registry and never to the world."""
    path = MIRRORED.partition("/")[2]
    rule = {"source": MIRRORED, "mirrors": [f"{lab.registry.host}/{path}"]}
    return {
        "apiVersion": "config.openshift.io/v1",
        "kind": "ImageDigestMirrorSet",
        "metadata": {"name": "lab"},
        "spec": {"imageDigestMirrors": [{**rule, "mirrorSourcePolicy": "NeverContactSource"}]},
    }
