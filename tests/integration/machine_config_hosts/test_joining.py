# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A new machine whose packets vanish joins a site without a registry: all that it needs comes from the control plane.

Real are the machine-config operator, controller, daemons and server, the stub with which a machine asks that server,
the templates of the pull secret, of the CA bundle and of machine-config-daemon-pull.service, podman, CRI-O, the kubelet
and its requests for certificates, and what signs them. What a machine does before, from its firmware to the end of
Ignition, cannot exist here, nor can the operating system that it then reboots into: ``FirstBootHost`` says what stands
in for it. ``real_boots`` boots a real one.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import time
import typing as t
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.ignition_conversion import converted
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference
from ansible_collections.fieldops.openshift.tests.integration.lab.waiting import wait_for
from ansible_collections.fieldops.openshift.tests.integration.node_images.bundles import (
    WrittenBundle,
    with_boot_files,
    write_bundle,
)
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
from ansible_collections.fieldops.openshift.tests.lab.node.host import NodeHost
from ansible_collections.fieldops.openshift.tests.lab.registry.images import NamedImage
from ansible_collections.fieldops.openshift.tests.lab.registry.imported import import_image
from ansible_collections.fieldops.openshift.tests.lab.registry.release import PartnerSpec, ReleaseFactory
from ansible_collections.fieldops.openshift.tests.lab.registry.release_spec import ReleaseSpec
from ansible_collections.fieldops.openshift.tests.lab.rest import Json
from ansible_collections.fieldops.openshift.tests.lab.seed.boot_images import MACHINE_API, MACHINE_CONFIG

Prepared = tuple[Lab, dict[str, int]]

pytestmark = pytest.mark.long

REGISTRY = f"{PREFIX}.10:9701"
LIVE, LIVE_CONTENT = "rhcos-9.8.20260428-0-live-iso.x86_64.iso", b"live image of 9.8" * 50_000
OWN = "/api/v1/namespaces/fieldops-openshift"
STUB = f"/api/v1/namespaces/{MACHINE_API}/secrets/worker-user-data-managed"
CSRS = "/apis/certificates.k8s.io/v1/certificatesigningrequests"
CLIENT, SERVING = "kubernetes.io/kube-apiserver-client-kubelet", "kubernetes.io/kubelet-serving"
BOOTSTRAPPER = f"system:serviceaccount:{MACHINE_CONFIG}:node-bootstrapper"
IGNITION = "Accept: application/vnd.coreos.ignition+json;version=3.4.0"
NEW = "worker-1"
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
    made = write_bundle(tmp_path_factory.mktemp("bundle") / "full", release, extra=programs)
    return with_boot_files(made, factory.pool, {LIVE: LIVE_CONTENT})


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


def stub(lab: Lab) -> Json:
    """Return what machines of the operator's own MachineSets boot with."""
    found: Json = json.loads(base64.b64decode(lab.api.rest.get(STUB)["data"]["userData"]))
    return found


def ignition(lab: Lab) -> Json:
    """Return what the real machine-config server gives a worker that follows its stub.

    Behind the address of the API in the stub is a load balancer or keepalived; here it is the control-plane node.
    """
    (source,), (authority,) = sources_of(stub(lab))
    worker = lab.hosts["worker-0"]
    worker.write("/run/stub-ca.crt", base64.b64decode(authority.partition(",")[2]).decode())
    words = ("--silent", "--show-error", "--cacert", "/run/stub-ca.crt", "--connect-to", f"::{PREFIX}.10:22623")
    found: Json = json.loads(worker.run("curl", *words, "--header", IGNITION, source))
    return found


def sources_of(given: Json) -> tuple[list[str], list[str]]:
    """Return where a stub of specification 3 takes the rest from, and its authorities."""
    found = given["ignition"]
    parts = found["config"]["merge"], found["security"]["tls"]["certificateAuthorities"]
    urls, authorities = ([str(one["source"]) for one in part] for part in parts)
    return urls, authorities


@pytest.fixture(scope="module")
def requests() -> dict[str, Json]:
    """What ``machine`` puts in: the results of the approval before and after a person approved the first request."""
    return {}


@pytest.fixture(scope="module")
def machine(prepared: Prepared, tmp_path_factory: pytest.TempPathFactory, requests: dict[str, Json]) -> NodeHost:
    """A new machine in its first boot, whose requests for certificates are approved."""
    lab = prepared[0]
    controller = Controller(lab, tmp_path_factory.mktemp("approval"))
    FirstBootHost.ignition = ignition(lab)
    lab._host_class = FirstBootHost
    with ThreadPoolExecutor(1) as joining:
        joined = joining.submit(lab.add_host)
        name = pending(lab, CLIENT)
        requests["first"] = approval(controller)
        approve(lab, name)
        host = joined.result()
    pending(lab, SERVING)
    requests["second"] = approval(controller)
    prepare_host(host, ())
    return host


def pending(lab: Lab, signer: str) -> str:
    """Wait for a request to a signer that nobody has answered, and return its name."""
    deadline = time.monotonic() + UPDATE
    while True:
        found = [one for one in lab.api.rest.get(CSRS)["items"] if one["spec"]["signerName"] == signer]
        waiting = [one["metadata"]["name"] for one in found if not one.get("status")]
        if waiting:
            return str(waiting[0])
        assert time.monotonic() < deadline, found
        time.sleep(0.2)


def approve(lab: Lab, name: str) -> None:
    """Approve a request as ``oc adm certificate approve`` does."""
    condition = {"type": "Approved", "status": "True", "reason": "ApprovedByPerson", "message": "the machine is ours"}
    lab.api.rest.merge(f"{CSRS}/{name}/approval", {"status": {"conditions": [condition]}})


def approval(controller: Controller) -> Json:
    """Run ``node_csr_approval`` for the new machine, and return its result."""
    task = {"name": "Task under test", "fieldops.openshift.node_csr_approval": {"name": NEW}}
    ended = controller.play(str(controller.play_of([task])))
    assert ended.rc == 0, ended.output
    return ended.result


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


def test_a_stub_of_an_old_installer_becomes_the_one_that_the_operator_writes(prepared: Prepared) -> None:
    now = stub(prepared[0])
    appended, authorities = ([{"source": one} for one in part] for part in sources_of(now))
    security = {"tls": {"certificateAuthorities": authorities}}
    old = {"ignition": {"version": "2.2.0", "config": {"append": appended}, "security": security, "timeouts": {}}}
    assert sources_of(converted(old, "worker-user-data")) == sources_of(now)


def test_a_machine_gets_its_live_image_from_the_control_plane(machine: NodeHost, prepared: Prepared) -> None:
    """With the login and the authority of the site, as docs/joining-machines.md says."""
    kept = prepared[0].api.rest.get(f"{OWN}/secrets/image-source")["data"]
    password, authority = (base64.b64decode(kept[key]).decode() for key in ("password", "ca.crt"))
    machine.write("/run/site-ca.crt", authority)
    words = ("curl", "--silent", "--fail", "--cacert", "/run/site-ca.crt", "--user", f"fieldops:{password}")
    url = f"https://{REGISTRY}/boot-images/"
    assert [one["name"] for one in json.loads(machine.run(*words, url))["files"]] == [LIVE]
    machine.run(*words, "--output", "/run/live.iso", f"{url}{LIVE}")
    assert machine.run("sha256sum", "/run/live.iso").split()[0] == hashlib.sha256(LIVE_CONTENT).hexdigest()


def test_the_first_request_is_left_to_a_person_and_the_second_is_approved(
    machine: NodeHost, requests: dict[str, Json]
) -> None:
    first, second = requests["first"], requests["second"]
    assert (first["approved"], [one["username"] for one in first["pending"]]) == ([], [BOOTSTRAPPER])
    assert [(one["signer"], one["username"]) for one in second["approved"]] == [(SERVING, f"system:node:{NEW}")]
    held = machine.run("ls", "/var/lib/kubelet/pki")
    assert {"kubelet-client-current.pem", "kubelet-server-current.pem"} <= set(held.split())


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
