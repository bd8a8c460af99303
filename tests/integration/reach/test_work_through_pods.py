# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The whole work on nodes that nobody reaches by ssh: jobs outlive the pods, and no pod outlives the play."""

from __future__ import annotations

import contextlib
import json
import shutil
import subprocess
import sys
import typing as t
from collections.abc import Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.node_images.bundles import WrittenBundle, write_bundle
from ansible_collections.fieldops.openshift.tests.integration.node_images.nodes import (
    BUNDLES,
    JOBS,
    forget_everything,
    listed,
    upper,
    wait_for,
)
from ansible_collections.fieldops.openshift.tests.integration.play_processes import BINARIES
from ansible_collections.fieldops.openshift.tests.integration.plays import environment_for
from ansible_collections.fieldops.openshift.tests.integration.reach.conftest import Site
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
from ansible_collections.fieldops.openshift.tests.lab.network import GATEWAY
from ansible_collections.fieldops.openshift.tests.lab.node.images import pause_image
from ansible_collections.fieldops.openshift.tests.lab.registry.release import PartnerSpec, ReleaseFactory
from ansible_collections.fieldops.openshift.tests.lab.registry.release_spec import ReleaseSpec

pytestmark = pytest.mark.long

MIB = 1 << 20
PORT = 9402
MEDIA = "/srv/media"
NODES = ["worker-0", "worker-1"]
HERE = "localhost"
PLAYBOOK = "fieldops.openshift.stage_bundle"


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> WrittenBundle:
    """A small release, and one image with a layer of 48 MiB: a slow link needs longer for it than a way in to close."""
    factory = ReleaseFactory(tmp_path_factory.mktemp("releases"))
    large = factory.partner_image(PartnerSpec("registry.partner.example/large:3", layers=(48 * MIB,)))
    release = factory.release(ReleaseSpec(version="4.21.3"))
    return write_bundle(tmp_path_factory.mktemp("bundle") / "full", release, extra=[large])


@pytest.fixture(autouse=True)
def clean_hosts(reached_lab: Lab, bundle: WrittenBundle) -> Iterator[None]:
    yield
    for name in NODES:
        reached_lab.hosts[name].run("rm", "-rf", MEDIA)
        forget_everything(reached_lab.hosts[name], bundle.names)


def namespaces(lab: Lab) -> set[str]:
    """Return the namespaces of helper pods but that of the tests that share theirs."""
    found = lab.api.rest.get("/api/v1/namespaces")["items"]
    names = {one["metadata"]["name"] for one in found}
    return {name for name in names if name.startswith("fieldops-reach-")} - {"fieldops-reach-tests"}


@contextlib.contextmanager
def served(lab: Lab, folder: Path) -> Iterator[str]:
    """Serve a bundle in the lab's network; yield its URL."""
    words = ["-m", "http.server", "--bind", GATEWAY, "--directory", str(folder), str(PORT)]
    process = subprocess.Popen(
        lab.command([sys.executable, *words]), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    url = f"http://{GATEWAY}:{PORT}"
    try:
        probe = lab.command(["curl", "--silent", "--fail", f"{url}/index.json"])
        wait_for(lambda: subprocess.run(probe, capture_output=True, check=False).returncode == 0, "it serves")
        yield url
    finally:
        process.kill()
        process.wait()


class Staging:
    """A bundle staged on worker-0 by a role that opens a way into the node and closes it again."""

    def __init__(self, site: Site, bundle: WrittenBundle) -> None:
        site.run = "short"
        self.host = site.lab.hosts["worker-0"]
        self._site = site
        self._options: dict[str, t.Any] = {"index_digest": str(bundle.index.digest), "keep_free_percent": 1}

    def step(self, url: str, *, wait: bool) -> dict[str, t.Any]:
        role = "fieldops.openshift.reach_nodes"
        opened = {"reach_nodes_nodes": [self.host.name], "reach_nodes_image": pause_image().name}
        stage = {**self._options, "sources": [{"url": url}], "wait": wait, "wait_timeout": 240}
        work = [
            {"ansible.builtin.include_role": {"name": role}, "vars": opened},
            {"fieldops.openshift.node_bundle": stage, "delegate_to": self.host.name, "register": "seen"},
        ]
        end = {"ansible.builtin.include_role": {"name": role, "tasks_from": "end"}}
        access = {"group/fieldops.openshift.cluster": {"kubeconfig": str(self._site.lab.api.kubeconfig)}}
        named = {"reach_nodes_run": self._site.run}
        block = {"block": work, "always": [end], "vars": named, "module_defaults": access}
        outcome = self._site.play([block], hosts=HERE)
        assert outcome.status == 0, outcome.output
        return outcome.result

    def is_receiving(self) -> bool:
        return self.host.run("sh", "-c", f"ls {BUNDLES}/*/blobs/sha256/*.part 2>/dev/null || true") != ""


def test_a_job_outlives_the_pod_that_started_it(site: Site, bundle: WrittenBundle) -> None:
    staging = Staging(site, bundle)
    with site.lab.faults.slow_link("worker-0", 8_000_000), served(site.lab, bundle.folder) as url:
        begun = staging.step(url, wait=False)
        wait_for(staging.is_receiving, "a blob is being received", 120)
    # The source is away, so that the job cannot be over; the way into the node is closed, and nobody looks.
    assert namespaces(site.lab) == set()
    assert (begun["changed"], begun["progress"]["done"]) == (True, False)
    assert staging.host.run("systemctl", "list-units", "--no-legend", "--state=active", "fieldops-*") != ""
    with served(site.lab, bundle.folder) as url:
        wait_for(lambda: not staging.is_receiving(), "the job has gone on by itself", 180)
        done = staging.step(url, wait=True)
    assert done["bundle"]["complete"]
    assert namespaces(site.lab) == set()


class Podded:
    """The playbook for nodes that the inventory reaches through pods, and nothing else that tells it the API."""

    def __init__(self, lab: Lab, bundle: WrittenBundle, folder: Path) -> None:
        self._bundle = bundle
        self._folder = folder
        self._inventory = folder / "site.cluster_nodes.yml"
        source = {
            "plugin": "fieldops.openshift.cluster_nodes",
            "kubeconfig": str(lab.api.kubeconfig),
            "connection": "fieldops.openshift.node_pod",
            "compose": {"ansible_python_interpreter": "'/usr/bin/python3'"},
        }
        self._inventory.write_text(json.dumps(source))

    def play(self, **variables: t.Any) -> tuple[int, str]:
        given = {
            "site_nodes": NODES,
            "site_bundle_digest": str(self._bundle.index.digest),
            "site_media_paths": [MEDIA],
            "site_keep_free_percent": 1,
            "ansible_node_pod_image": pause_image().name,
            **variables,
        }
        ended = subprocess.run(
            [str(BINARIES / "ansible-playbook"), "-i", str(self._inventory), PLAYBOOK, "-e", json.dumps(given)],
            cwd=self._folder,
            env=environment_for(self._folder, {}),
            capture_output=True,
            text=True,
            timeout=800,
            check=False,
        )
        return ended.returncode, ended.stdout + ended.stderr


def test_the_playbook_leaves_no_way_into_the_nodes_open(
    reached_lab: Lab, bundle: WrittenBundle, tmp_path: Path
) -> None:
    lab, podded = reached_lab, Podded(reached_lab, bundle, tmp_path)
    shutil.copytree(bundle.folder, upper(lab.hosts["worker-0"]) / MEDIA.lstrip("/") / "stick")
    status, output = podded.play()
    assert status == 0, output
    for name in NODES:
        host = lab.hosts[name]
        assert dict.fromkeys(bundle.names, True).items() <= listed(host).items()
        units = host.run("systemctl", "list-units", "--all", "--no-legend", "--plain", "fieldops-*").splitlines()
        assert [line for line in units if not line.startswith("fieldops-image-source")] == []
        assert host.run("ls", "-A", JOBS) == ""
        assert host.run("sh", "-c", "find /run/fieldops-relay -type f 2>/dev/null || true") == ""
    assert namespaces(lab) == set()
    status, output = podded.play(site_bundle_digest=f"sha256:{'0' * 64}")
    assert status == 2, output
    assert namespaces(lab) == set(), "also after a failure"
