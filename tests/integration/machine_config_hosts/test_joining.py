# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A new machine whose packets vanish joins a site without a registry: its first images come from the control plane.

Real are the machine-config operator, controller, daemons and server, the templates of the pull secret, of the CA bundle
and of machine-config-daemon-pull.service, podman, CRI-O and the kubelet.
"""

from __future__ import annotations

import json
import os
import time
import typing as t
from functools import partial

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference
from ansible_collections.fieldops.openshift.tests.integration.lab.waiting import wait_for
from ansible_collections.fieldops.openshift.tests.integration.node_images.bundles import write_bundle
from ansible_collections.fieldops.openshift.tests.integration.node_images.nodes import (
    BUNDLES,
    Controller,
    Ended,
    listed,
)
from ansible_collections.fieldops.openshift.tests.integration.node_images.one_node import Node, succeeded
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_pools import POOLS
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
from ansible_collections.fieldops.openshift.tests.lab.machine_config.image import operator_image, proxy_image
from ansible_collections.fieldops.openshift.tests.lab.machine_config.on_hosts import (
    PODS,
    operator_on_hosts,
    prepare_host,
)
from ansible_collections.fieldops.openshift.tests.lab.machine_config.reading import pool_is
from ansible_collections.fieldops.openshift.tests.lab.machine_config.templates import FIRST_BOOT
from ansible_collections.fieldops.openshift.tests.lab.network import PREFIX
from ansible_collections.fieldops.openshift.tests.lab.node.first_boot_host import (
    BLACK_HOLE,
    CRIO_LOGINS,
    PULL,
    FirstBootHost,
    lay_update_ca_trust,
)
from ansible_collections.fieldops.openshift.tests.lab.registry.images import NamedImage
from ansible_collections.fieldops.openshift.tests.lab.registry.imported import import_image
from ansible_collections.fieldops.openshift.tests.lab.registry.release import PartnerSpec, ReleaseFactory
from ansible_collections.fieldops.openshift.tests.lab.registry.release_spec import ReleaseSpec

if t.TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ansible_collections.fieldops.openshift.tests.integration.node_images.bundles import WrittenBundle
    from ansible_collections.fieldops.openshift.tests.lab.node.host import NodeHost
    from ansible_collections.fieldops.openshift.tests.lab.rest import Json

    Prepared = tuple[Lab, dict[str, int]]

pytestmark = pytest.mark.long

REGISTRY = f"{PREFIX}.10:9701"
IGNITION = "Accept: application/vnd.coreos.ignition+json;version=3.4.0"
UPDATE = 300.0
AT_MOST = 10.0
"""Seconds for an image of some 100 MB on a machine that others share; a name server that is silent alone takes 20."""


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> WrittenBundle:
    """A release, and the images that the machine-config operator runs on every node."""
    factory = ReleaseFactory(tmp_path_factory.mktemp("release"))
    release = factory.release(ReleaseSpec(version="4.21.3", runnable=True))
    programs = [
        NamedImage(ImageReference.parse(one.name), import_image(factory.pool, one.layout))
        for one in (operator_image(FIRST_BOOT), proxy_image())
    ]
    return write_bundle(tmp_path_factory.mktemp("bundle") / "full", release, extra=programs)


@pytest.fixture(scope="module")
def joining_site() -> Iterator[Lab]:
    if os.geteuid():
        pytest.skip("node hosts need root")
    with Lab(control_plane=1, workers=1) as lab:
        for host in lab.hosts.values():
            lay_update_ca_trust(host)
            host.write("/etc/crio/crio.conf.d/01-logins.conf", CRIO_LOGINS)
            host.run("systemctl", "reload", "crio")
        with operator_on_hosts(lab, operator=operator_image(FIRST_BOOT)):
            yield lab


@pytest.fixture(scope="module")
def staged(joining_site: Lab, bundle: WrittenBundle, tmp_path_factory: pytest.TempPathFactory) -> Controller:
    """Runs plays for the site, on whose control plane a bundle is staged."""
    controller = Controller(joining_site, tmp_path_factory.mktemp("plays"))
    master = Node(joining_site, joining_site.hosts["master-0"], bundle, controller)
    succeeded(master.stage())
    succeeded(controller.task("master-0", "image_source", block_registries="always"))
    return controller


def prepare(controller: Controller, *words: str, **variables: t.Any) -> Ended:
    """Run the play; its admission policy is no matter here."""
    chosen = {"site_joining_address": f"{PREFIX}.10", "site_machine_networks": [f"{PREFIX}.0/24"], **variables}
    site = {"site_block_registries": "always", "site_release_admission": False}
    return controller.play("fieldops.openshift.prepare_site", *words, **site, **chosen)


@pytest.fixture(scope="module")
def prepared(joining_site: Lab, staged: Controller) -> Prepared:
    """The site after its play, and how often its hosts had booted before."""
    boots = {host.name: host.boots for host in joining_site.hosts.values()}
    play = prepare(staged)
    assert play.rc == 0, play.output
    assert f"at {REGISTRY}" in play.output
    for pool in ("master", "worker"):
        wait_for(partial(pool_is, joining_site.api.rest, pool, "Updated"), UPDATE)
    return joining_site, boots


def configured(lab: Lab) -> bool:
    return lab.api.rest.exists("/apis/config.openshift.io/v1/imagedigestmirrorsets/fieldops-image-source")


def test_check_mode_writes_nothing(joining_site: Lab, staged: Controller) -> None:
    play = prepare(staged, "--check")
    assert play.rc == 0, play.output
    assert not configured(joining_site)
    assert not joining_site.api.rest.exists("/api/v1/namespaces/fieldops-openshift/secrets/image-source")


def test_outside_the_window_the_control_plane_serves_and_no_machine_is_sent_there(
    joining_site: Lab, staged: Controller
) -> None:
    play = prepare(staged, site_change_stanza={"strategy": "Restrictive"})
    assert play.rc == 0, play.output
    waits = "The control plane serves images. Not configured yet: ConfigMap openshift-config/user-ca-bundle"
    assert waits in play.output
    assert not configured(joining_site)


def test_a_refresh_by_an_update_changes_nothing(prepared: Prepared, tmp_path: Path) -> None:
    controller = Controller(prepared[0], tmp_path)
    role = {"name": "fieldops.openshift.prepare_joining", "tasks_from": "refresh"}
    given = {"prepare_joining_block_registries": "always"}
    play = controller.play_of([{"name": "Refresh", "ansible.builtin.include_role": role, "vars": given}])
    ended = controller.play(str(play))
    assert ended.rc == 0, ended.output
    assert ended.changed == 0, ended.output
    assert "Configure new machines" in ended.output


@pytest.fixture(scope="module")
def next_bundle(bundle: WrittenBundle, tmp_path_factory: pytest.TempPathFactory) -> WrittenBundle:
    """The next release, and an image of a repository that the site has not served so far."""
    factory = ReleaseFactory(tmp_path_factory.mktemp("next-release"))
    release = factory.release(ReleaseSpec(version="4.21.4", runnable=True))
    partner = factory.partner_image(PartnerSpec())
    made = write_bundle(tmp_path_factory.mktemp("next-bundle") / "full", release, extra=[partner])
    assert {name.partition("@")[0] for name in made.names} - {name.partition("@")[0] for name in bundle.names}
    return made


@pytest.fixture(scope="module")
def brought(
    prepared: tuple[Lab, dict[str, int], set[str]],
    next_bundle: WrittenBundle,
    tmp_path_factory: pytest.TempPathFactory,
) -> NodeHost:
    """The worker, whose packets vanish, after an update of the site has brought its images."""
    lab = prepared[0]
    worker = lab.hosts["worker-0"]
    worker.run("sh", "-c", BLACK_HOLE)
    controller = Controller(lab, tmp_path_factory.mktemp("update"))
    try:
        ended = controller.play(
            "fieldops.openshift.update_site",
            site_bundle=str(next_bundle.folder),
            site_bundle_digest=str(next_bundle.index.digest),
            site_phases=["images"],
            site_stage_on="control_plane",
            site_block_registries="always",
            site_keep_free_percent=1,
        )
        assert ended.rc == 0, ended.output
    finally:
        worker.run("ip", "link", "del", "hole")
    return worker


def test_a_worker_pulls_an_update_and_holds_no_bundle(brought: NodeHost, next_bundle: WrittenBundle) -> None:
    assert dict.fromkeys(next_bundle.names, True).items() <= listed(brought).items(), "all are there and pinned"
    assert brought.run("sh", "-c", f"ls -A {BUNDLES} 2>/dev/null || true") == ""


def test_every_node_is_recorded_as_ready(brought: NodeHost, prepared: tuple[Lab, dict[str, int], set[str]]) -> None:
    del brought
    found = prepared[0].api.rest.get("/api/v1/namespaces/fieldops-openshift/configmaps/release-readiness")
    (recorded,) = [json.loads(text) for key, text in found["data"].items() if key.startswith("sha256-")]
    assert [(one["name"], one["ready"]) for one in recorded["nodes"]] == [("master-0", True), ("worker-0", True)]


def ignition(lab: Lab) -> Json:
    """Return what the real machine-config server gives a worker that asks for it."""
    url = f"https://{PREFIX}.10:22623/config/worker"
    said = lab.hosts["worker-0"].run("curl", "--silent", "--show-error", "--insecure", "--header", IGNITION, url)
    found: Json = json.loads(said)
    return found


@pytest.fixture(scope="module")
def machine(prepared: Prepared) -> NodeHost:
    """A new machine in its first boot."""
    lab = prepared[0]
    FirstBootHost.ignition = ignition(lab)
    lab._host_class = FirstBootHost
    host = lab.add_host()
    prepare_host(host, ())
    return host


def pull_seconds(machine: NodeHost) -> float:
    """Return how long the loop of the unit has taken."""
    names = ("ExecMainStartTimestampMonotonic", "ExecMainExitTimestampMonotonic")
    began, ended = (
        int(machine.run("systemctl", "show", PULL, f"--property={name}", "--value").strip()) for name in names
    )
    return (ended - began) / 1e6


def test_no_node_was_rebooted_and_none_drained(prepared: Prepared) -> None:
    lab, boots = prepared
    assert {host.name: host.boots for host in lab.hosts.values() if host.name in boots} == boots
    reasons = {one["reason"] for one in lab.api.rest.get("/api/v1/events")["items"]}
    assert "NodeDone" in reasons, "the daemons have told what they did"
    assert not reasons & {"Cordon", "Drain", "Reboot"}


def test_a_machine_is_given_mirrors_authority_and_login(prepared: Prepared) -> None:
    lab = prepared[0]
    served = json.dumps(ignition(lab))
    for name in ("registries.conf", "openshift-config-user-ca-bundle.crt", "/var/lib/kubelet/config.json", PULL):
        assert name in served
    pools = lab.api.rest.get(POOLS)["items"]
    assert len(pools) == 2


def test_it_joins_though_its_packets_vanish(machine: NodeHost, prepared: Prepared) -> None:
    """add_host has waited until the node is Ready, and the kubelet waits for the pull."""
    lab = prepared[0]
    assert machine.run("systemctl", "is-active", PULL).strip() == "active"
    assert operator_image(FIRST_BOOT).name in listed(machine)
    assert "default dev hole" in machine.run("ip", "route")
    said = machine.run("journalctl", "--no-pager", "--output=cat", "--unit", PULL)
    assert "Error" not in said, said
    assert pull_seconds(machine) < AT_MOST, "it has not waited for the network"
    node = lab.api.rest.get(f"/api/v1/nodes/{machine.name}")
    assert [one["status"] for one in node["status"]["conditions"] if one["type"] == "Ready"] == ["True"]


def test_its_daemon_runs_from_the_same_image(machine: NodeHost, prepared: Prepared) -> None:
    """CRI-O of the new machine pulls by itself, with nothing loaded."""
    lab = prepared[0]
    chosen = {"labelSelector": "k8s-app=machine-config-daemon", "fieldSelector": f"spec.nodeName={machine.name}"}

    def statuses() -> list[Json]:
        pods = lab.api.rest.get(PODS, **chosen)["items"]
        return [one for pod in pods for one in pod["status"].get("containerStatuses", [pod["status"]])]

    deadline = time.monotonic() + UPDATE
    while not (seen := statuses()) or not all(one.get("ready") for one in seen):
        assert time.monotonic() < deadline, (seen, machine.last_words)
        time.sleep(0.2)
    wait_for(lambda: pool_is(lab.api.rest, "worker", "Updated"), UPDATE)
