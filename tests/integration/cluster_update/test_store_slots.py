# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Slots for image stores come with the update of a site: once its pools are paused, after the cluster accepted it.

The tasks of update_site.yml's phase ``release`` run on the real API. Nodes are this machine with an /etc of their own,
as the machine-config daemon leaves it, and an empty CRI-O; that their images are there is proved in
tests/integration/site.
"""

from __future__ import annotations

import json
import shutil
import sys
import typing as t
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.cluster_update.releases import Releases
from ansible_collections.fieldops.openshift.tests.integration.cluster_update.role_runs import run_ansible, start_ansible
from ansible_collections.fieldops.openshift.tests.integration.cluster_update.updates import (
    NEXT,
    POOLS,
    await_that,
    requested,
)
from ansible_collections.fieldops.openshift.tests.integration.plays import COLLECTIONS
from ansible_collections.fieldops.openshift.tests.integration.shipped_rights import grant
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.rest import Json
from ansible_collections.fieldops.openshift.tests.lab.seed.cluster import release_image

TASKS = COLLECTIONS / "ansible_collections/fieldops/openshift/playbooks/tasks"
API = "/apis/machineconfiguration.openshift.io/v1"
NODES = ("master-0", "master-1", "master-2", "worker-0", "worker-1")
PATHS = {
    "runtime": f"{API}/containerruntimeconfigs/fieldops-image-stores-{{}}",
    "slots": f"{API}/machineconfigs/99-{{}}-fieldops-image-stores",
}
LAID = [(pool, kind) for pool in ("master", "worker") for kind in PATHS]
RIGHTS = ("cluster-update.yml", "change-management-reader.yml", "rollout.yml", "additional-image-stores.yml")
ROLLOUT = {"id": "update-next", "target": f"sha256:{'7' * 64}"}
UPDATE = {"rollout": ROLLOUT["id"], "target": ROLLOUT["target"], "release": release_image(NEXT), "version": NEXT}
UNSIGNED: dict[str, t.Any] = {"play_update": {**UPDATE, "signatures": {}}, "update_cluster_patience": 0}
CONF = '[storage]\ndriver = "overlay"\n'

NODE_PYTHON = """#!/bin/sh
export PATH="{folder}/bin:$PATH"
exec unshare --mount sh -c 'mount -t overlay overlay -o lowerdir={folder}/etc:/etc /etc && exec "$@"' node {python} "$@"
"""
# As crictl answers where CRI-O has no image.
CRICTL = """#!/bin/sh
echo '{"images": []}'
"""


@dataclass(frozen=True)
class Ended:
    status: int
    output: str

    def position(self, task: str) -> int:
        assert f"{task}]" in self.output, self.output
        return self.output.index(f"{task}]")


class ReleasePlay:
    """The phase ``release`` of a site whose nodes a machine-config daemon manages."""

    def __init__(self, site: ApiServer, folder: Path, signature: Json) -> None:
        self._site = site
        self._folder = folder
        self._signature = signature
        shutil.copytree(TASKS, folder / "tasks")
        proved = [{"name": "Take the images as proved", "ansible.builtin.meta": "noop"}]
        (folder / "tasks/prove_images.yml").write_text(json.dumps(proved))
        self._write("etc/machine-config-daemon/currentconfig", "{}")
        self._write("etc/containers/storage.conf", CONF)
        self._write("bin/crictl", CRICTL)
        self._write("bin/node-python", NODE_PYTHON.format(folder=folder, python=sys.executable))

    def run(self, *words: str, reached: Sequence[str] = NODES, **variables: t.Any) -> Ended:
        """Run it to its end; nodes that are not ``reached`` answer to nobody."""
        done = run_ansible(self._folder, "-i", self._inventory(reached), *words, self._written(), **variables)
        return Ended(done.status, done.output)

    def kill_once_laid(self, **variables: t.Any) -> None:
        """Run it until the slots are laid, and kill it without any warning."""
        process = start_ansible(self._folder, "-i", self._inventory(NODES), self._written(), **variables)
        try:
            await_that(lambda: self.laid() == LAID or process.poll() is not None, "the slots are laid")
            ended = process.poll()
        finally:
            process.kill()
            output = process.communicate()[0]
        assert ended is None, output

    def _written(self) -> Path:
        """Write the play and return its path."""
        play = {
            "hosts": "localhost",
            "gather_facts": False,
            "module_defaults": {
                "group/fieldops.openshift.cluster": {"kubeconfig": str(self._site.kubeconfig_for("technician"))}
            },
            "vars": {
                "ansible_become": False,
                "play_own_pools": "{{ play_nodes_found.pools }}",
                **self._site_facts(),
            },
            "tasks": [
                {"fieldops.openshift.rollout_info": ROLLOUT, "register": "play_nodes_found"},
                {
                    "fieldops.openshift.cluster_update_info": {"image": release_image(NEXT), "version": NEXT},
                    "register": "play_release_found",
                },
                {"ansible.builtin.include_tasks": str(self._folder / "tasks/update_release.yml")},
            ],
        }
        path = self._folder / "play.yml"
        path.write_text(json.dumps([play]))
        return path

    def laid(self) -> list[tuple[str, str]]:
        """Return by pool what makes its nodes list the slots."""
        found = [(pool, kind) for pool in ("master", "worker") for kind in PATHS]
        return [(pool, kind) for pool, kind in found if self._site.rest.exists(PATHS[kind].format(pool))]

    def paused(self) -> list[bool]:
        """Return whether the pools are paused, the master's first."""
        return [bool(self._site.rest.get(f"{POOLS}/{pool}")["spec"].get("paused")) for pool in ("master", "worker")]

    def _site_facts(self) -> dict[str, t.Any]:
        return {
            "play_update": {**UPDATE, "signatures": self._signature},
            "site_change_stanza": {"strategy": "Permissive"},
            "site_settings": "{{ lookup('fieldops.openshift.site_settings', 'update_site') }}",
        }

    def _inventory(self, reached: Sequence[str]) -> Path:
        here = {"ansible_connection": "local", "ansible_python_interpreter": str(self._folder / "bin/node-python")}
        away = {
            "ansible_connection": "ssh",
            "ansible_host": "192.0.2.1",
            "ansible_ssh_common_args": "-o ProxyCommand=false",
        }
        hosts = {name: here if name in reached else away for name in NODES}
        path = self._folder / "hosts.json"
        path.write_text(json.dumps({"all": {"hosts": hosts}}))
        return path

    def _write(self, name: str, text: str) -> None:
        path = self._folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)


@pytest.fixture(scope="module", autouse=True)
def _rights(own_server: ApiServer) -> None:
    grant(own_server.rest, "technician", *RIGHTS)


@pytest.fixture
def release(site: ApiServer, tmp_path: Path, signature: Json) -> ReleasePlay:
    made = ReleasePlay(site, tmp_path, signature)
    for pool, kind in made.laid():
        site.rest.delete(PATHS[kind].format(pool))
    return made


def test_they_are_laid_once_the_release_is_accepted_and_its_pools_are_paused(
    site: ApiServer, release: ReleasePlay, releases: Releases
) -> None:
    with releases.operators(site):
        run = release.run(site_image_store=True)
        assert run.status == 0, run.output
        assert (release.laid(), release.paused()) == (LAID, [True, True])
        order = (
            "Request the release",
            "Wait until the cluster has accepted the release",
            "Pause each pool",
            "Apply the objects that configure the slots",
        )
        assert sorted(order, key=run.position) == list(order)
        again = release.run(site_image_store=True)
    assert (again.status, "changed=0" in again.output) == (0, True), again.output


def test_a_site_that_loads_gets_none(site: ApiServer, release: ReleasePlay, releases: Releases) -> None:
    with releases.operators(site):
        run = release.run()
    assert (run.status, release.laid(), requested(site.rest)["version"]) == (0, [], NEXT), run.output


@pytest.mark.long
def test_an_update_that_is_under_way_brings_none(site: ApiServer, release: ReleasePlay, releases: Releases) -> None:
    with releases.operators(site):
        assert release.run().status == 0
        run = release.run(site_image_store=True)
    assert (run.status, release.laid()) == (0, []), run.output


def test_none_are_laid_where_the_release_is_refused(site: ApiServer, release: ReleasePlay, releases: Releases) -> None:
    with releases.operators(site):
        run = release.run(site_image_store=True, **UNSIGNED)
    assert run.status == 2, run.output
    assert "was withdrawn before the update started" in run.output
    assert "Pause each pool" not in run.output
    assert (release.laid(), release.paused(), requested(site.rest)) == ([], [False, False], {})


@pytest.mark.long
def test_a_run_that_is_killed_once_they_are_laid_is_gone_on_with(
    site: ApiServer, release: ReleasePlay, releases: Releases
) -> None:
    with releases.operators(site):
        release.kill_once_laid(site_image_store=True)
        assert (release.paused(), requested(site.rest)["version"]) == ([True, True], NEXT)
        run = release.run(site_image_store=True)
    assert (run.status, release.laid(), release.paused()) == (0, LAID, [True, True]), run.output


@pytest.mark.long
def test_what_stands_against_them_is_said_and_the_update_goes_on(
    site: ApiServer, release: ReleasePlay, releases: Releases
) -> None:
    selector = {"matchLabels": {"pools.operator.machineconfiguration.openshift.io/worker": ""}}
    other = {
        "apiVersion": "machineconfiguration.openshift.io/v1",
        "kind": "ContainerRuntimeConfig",
        "metadata": {"name": "larger-layers"},
        "spec": {"machineConfigPoolSelector": selector, "containerRuntimeConfig": {"overlaySize": "8G"}},
    }
    site.rest.apply(other)
    try:
        with releases.operators(site):
            run = release.run(site_image_store=True)
    finally:
        site.rest.delete(f"{API}/containerruntimeconfigs/larger-layers")
    assert (run.status, release.laid(), requested(site.rest)["version"]) == (0, LAID[:2], NEXT), run.output
    assert "Image store slots were not configured, " in run.output
    assert "ContainerRuntimeConfig larger-layers also writes storage.conf" in run.output


@pytest.mark.long
def test_a_pool_whose_node_is_away_is_passed_over(site: ApiServer, release: ReleasePlay, releases: Releases) -> None:
    with releases.operators(site):
        run = release.run(site_image_store=True, reached=[name for name in NODES if name.startswith("master")])
    assert (run.status, release.laid(), requested(site.rest)["version"]) == (0, LAID[:2], NEXT), run.output


def test_check_mode_lays_none(release: ReleasePlay) -> None:
    run = release.run("--check", site_image_store=True)
    assert (run.status, release.laid(), release.paused()) == (0, [], [False, False]), run.output
    assert "Image store slots were not configured" not in run.output
