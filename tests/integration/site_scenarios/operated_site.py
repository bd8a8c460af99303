# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Sites without hosts on the real version operator, machine-config operator and controller, and bundles for them."""

from __future__ import annotations

import contextlib
import itertools
import subprocess
import threading
import typing as t
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.integration.cluster_update.releases import Releases
from ansible_collections.fieldops.openshift.tests.integration.cluster_update.updates import NEXT, everything_asked_for
from ansible_collections.fieldops.openshift.tests.integration.lab.waiting import wait_for
from ansible_collections.fieldops.openshift.tests.integration.modules.change_sites import assignments
from ansible_collections.fieldops.openshift.tests.integration.node_images.bundles import WrittenBundle, write_bundle
from ansible_collections.fieldops.openshift.tests.integration.play_processes import Play
from ansible_collections.fieldops.openshift.tests.integration.site_phases.played_site import (
    NODES,
    POOLS,
    RECORDS,
    VERSION,
    PlayedSite,
    finish,
    kill,
)
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_daemon import CURRENT, DESIRED, STATE
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_operator import reboot_objects
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.machine_config.reading import operator_condition
from ansible_collections.fieldops.openshift.tests.lab.registry.release import ReleaseFactory
from ansible_collections.fieldops.openshift.tests.lab.registry.release_signer import ReleaseSigner
from ansible_collections.fieldops.openshift.tests.lab.registry.release_spec import ReleaseSpec
from ansible_collections.fieldops.openshift.tests.lab.rest import Json, RestClient

MINOR = "4.22.1"
PHASES = ("release", "nodes")
MOST_SECONDS = 300.0
LONGEST_AWAY = 1800.0
NAMESPACE = "/api/v1/namespaces  fieldops-openshift"


class Stock:
    """Signed releases, each with its bundle, by version."""

    def __init__(self, folder: Path, signer: ReleaseSigner) -> None:
        factory = ReleaseFactory(folder / "pool")
        made = {one: factory.release(ReleaseSpec(version=one)) for one in (NEXT, MINOR)}
        self._signer, self._images = signer, {version: one.reference for version, one in made.items()}
        self.bundles: dict[str, WrittenBundle] = {}
        for version, one in made.items():
            signer.sign(one.reference)
            signatures = signer.store.signatures(one.image.digest)
            self.bundles[version] = write_bundle(folder / version, one, release_signatures=signatures)

    def releases(self, waited: tuple[str, ...] = ()) -> Releases:
        """Return the releases; of operators that are ``waited`` for the version operator is out of patience."""
        return Releases(self._signer, self._images, waited)


class Reboots:
    """Reboots of nodes without hosts, in the order in which they were asked for.

    Each takes some ``seconds``, and then waits until it is ``allowed``.
    """

    def __init__(self) -> None:
        self.order: list[str] = []
        self.seconds = 0.0
        self.allowed: Callable[[str], bool] = lambda _name: True

    def of(self, client: RestClient) -> Callable[[str], None]:
        """Return what reboots a node of a cluster."""
        restart = reboot_objects(client)

        def reboot(name: str) -> None:
            self.order.append(name)
            timer = threading.Timer(self.seconds, wait, args=[name])
            timer.daemon = True
            timer.start()

        def wait(name: str) -> None:
            wait_for(lambda: self.allowed(name), LONGEST_AWAY)
            restart(name)

        return reboot


class OperatedSite(PlayedSite):
    """A site whose nodes are objects and whose operators are real."""

    def __init__(self, server: ApiServer, bundle: WrittenBundle, folder: Path, reboots: Reboots) -> None:
        super().__init__(server, bundle, folder)
        self.reboots = reboots
        self.found = {one["metadata"]["name"]: one["spec"]["configuration"]["name"] for one in self._pools()}
        self.take_images_as_proved()

    def start(self, phases: Sequence[str] = PHASES, **variables: t.Any) -> Play:
        """Start the update of the site, which waits for the operators to settle as it does by default."""
        return super().start(phases, **{"roll_nodes_settle": None, **variables})

    def update(self, phases: Sequence[str] = PHASES, **variables: t.Any) -> subprocess.CompletedProcess[str]:
        """Update the site, these phases of it alone, to their end."""
        return super().update(phases, **variables)

    def with_bundle(self, bundle: WrittenBundle) -> OperatedSite:
        """Return the site as it is now, with another bundle."""
        return OperatedSite(self._server, bundle, self._folder, self.reboots)

    def window(self, **stanzas: Json) -> None:
        """Let the cluster keep a stanza for each pool, for a play that is running as well."""
        self.rest.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "fieldops-openshift"}})
        self.rest.apply(assignments(**stanzas))

    def target(self, node: str) -> str:
        """Return the rendered configuration that a node shall have."""
        name: str = self.rest.get(f"{POOLS}/{_role(node)}")["spec"]["configuration"]["name"]
        return name

    def told(self, role: str) -> list[str]:
        """Return which nodes of a role have been told to leave the configuration in which they were found."""
        return [name for name, notes in self._notes(role) if notes[DESIRED] != self.found[role]]

    def done(self, role: str) -> list[str]:
        """Return which nodes of a role have the newest configuration, which is none that they were found in."""
        target = {(self.target(role), "Done")} - {(self.found[role], "Done")}
        return [name for name, notes in self._notes(role) if (notes[CURRENT], notes[STATE]) in target]

    def release(self) -> tuple[str, str, str]:
        """Return state, version and image of the newest entry of the cluster's history."""
        newest = self.rest.get(VERSION)["status"]["history"][0]
        return newest["state"], newest["version"], newest["image"]

    def is_at_release(self) -> bool:
        """Whether the cluster has come to the release of the bundle."""
        return self.release() == ("Completed", self.request["version"], self.request["image"])

    def asked_for(self) -> dict[str, Json]:
        """Return what each object of the cluster shall be, but for what this collection records of what it saw."""
        return {name: one for name, one in everything_asked_for(self.rest).items() if name not in {NAMESPACE, *RECORDS}}

    def condition(self, kind: str) -> Json:
        """Return a condition of the ClusterVersion, nothing where it has none of the kind."""
        found = self.rest.get(VERSION)["status"]["conditions"]
        return next((one for one in found if one["type"] == kind), {})

    def have_it_complain(self, process: Play) -> None:
        """Once a play has paused the control plane, let the machine-config operator complain about that.

        It does where it looks at the pool before its controller has taken note of its last change, which here is never
        the last one for long (machine-config-operator, pkg/operator/sync.go, syncRequiredMachineConfigPools).
        """
        await_moment(process, lambda: self.is_paused("master"))
        limits, path = itertools.count(2), f"{POOLS}/master"
        found = self.rest.get(path)["spec"].get("maxUnavailable")

        def complains() -> bool:
            self.rest.merge(path, {"spec": {"maxUnavailable": next(limits)}})
            return is_degraded(self.rest)

        await_moment(process, complains)
        self.rest.merge(path, {"spec": {"maxUnavailable": found}})

    def _pools(self) -> list[Json]:
        found: list[Json] = self.rest.get(POOLS)["items"]
        return found

    def _notes(self, role: str) -> Iterator[tuple[str, dict[str, str]]]:
        for one in self.rest.get(NODES)["items"]:
            if _role(one["metadata"]["name"]) == role:
                yield one["metadata"]["name"], one["metadata"]["annotations"]


@contextlib.contextmanager
def operated_site(
    stock: Stock,
    folder: Path,
    control_plane: int,
    workers: int,
    version: str = NEXT,
    *,
    out_of_patience: bool = False,
    others_are_slow: bool = False,
) -> Iterator[OperatedSite]:
    """Start a cluster at rest, with a bundle of ``version`` for it.

    Where it is ``out_of_patience`` the version operator believes that it has waited for machine-config for more than 40
    minutes. Where ``others_are_slow`` all other operators take longer than machine-config takes to complain.
    """
    reboots = Reboots()
    releases = stock.releases(("machine-config",) if out_of_patience else ())
    may_report = is_degraded if others_are_slow else lambda _client: True
    with releases.cluster(control_plane, workers, reboots.of, may_report) as server:
        yield OperatedSite(server, stock.bundles[version], folder, reboots)


def is_degraded(client: RestClient) -> bool:
    """Whether the machine-config operator complains about a pool that an update requires."""
    said = operator_condition(client, "Degraded")
    return (said["status"], said.get("reason")) == ("True", "RequiredPoolsFailed")


def await_moment(process: Play, has_come: Callable[[], bool]) -> None:
    """Wait for a moment of a play; fail with its output if it ended before, or has not come to it in time."""
    try:
        wait_for(lambda: has_come() or process.poll() is not None, MOST_SECONDS)
        came = process.poll() is None
    except AssertionError:
        came = False
        kill(process)
    assert came, finish(process).stdout


def _role(node: str) -> str:
    return node.partition("-")[0]
