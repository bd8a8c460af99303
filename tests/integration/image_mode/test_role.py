# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The role apply_image_mode as its playbook runs it: built at any time, taken by nodes while change is permitted."""

from __future__ import annotations

import json
import subprocess
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.image_mode.building import (
    GROUP,
    OTHER_PART,
    PART,
    PUSH,
    BuildingSite,
)
from ansible_collections.fieldops.openshift.tests.integration.modules.change_sites import (
    assignments,
    by_policy,
    open_now,
)
from ansible_collections.fieldops.openshift.tests.integration.play_processes import run_ansible_playbook
from ansible_collections.fieldops.openshift.tests.integration.plays import environment_for
from ansible_collections.fieldops.openshift.tests.lab.seed.healthy import managed_nodes, plant

Run = subprocess.CompletedProcess[str]

OPEN, CLOSED = {"strategy": "Permissive"}, {"strategy": "Restrictive"}
PLAY_SECONDS = 400


class Playbook:
    """The playbook for the workers of a site."""

    def __init__(self, site: BuildingSite, folder: Path) -> None:
        self.site = site
        self._folder = folder

    def run(self, *words: str, part: str = "", **variables: t.Any) -> Run:
        """Run it to its end."""
        given = {"site_image_mode_pool": "worker", "site_change_stanza": OPEN, **variables}
        known: dict[str, t.Any] = {name: value for name, value in given.items() if value is not None}
        if part:
            known |= {"site_push_spec": PUSH, "site_push_secret": "os-image-push", "site_containerfile": part}
        name = "fieldops.openshift.apply_image_mode"
        environment = environment_for(self._folder, {"K8S_AUTH_KUBECONFIG": str(self.site.server.kubeconfig)})
        return run_ansible_playbook([*words, name, "-e", json.dumps(known)], environment, seconds=PLAY_SECONDS)


@pytest.fixture
def playbook(site: BuildingSite, tmp_path: Path) -> Playbook:
    return Playbook(site, tmp_path)


def is_paused(site: BuildingSite, pool: str = "worker") -> bool:
    return bool(site.rest.get(f"{GROUP}/machineconfigpools/{pool}")["spec"].get("paused"))


def test_outside_the_window_it_is_built_and_inside_taken(site: BuildingSite, playbook: Playbook) -> None:
    with site.operator():
        waiting = playbook.run(part=PART, site_change_stanza=CLOSED)
        assert waiting.returncode == 0, waiting.stdout
        assert (site.images(), is_paused(site), len(site.registry)) == ({""}, True, 1)
        assert "change is restricted" in waiting.stdout
        taken = playbook.run(part=PART)
        assert taken.returncode == 0, taken.stdout
        again = playbook.run(part=PART)
    assert (site.images(), is_paused(site)) == (site.registry, False)
    assert (again.returncode, "changed=0" in again.stdout) == (0, True), again.stdout


def test_no_node_is_begun_that_takes_longer_than_the_window_lasts(site: BuildingSite, playbook: Playbook) -> None:
    window = {"site_change_stanza": by_policy("nights"), "site_change_policies": {"nights": open_now()}}
    with site.operator():
        waiting = playbook.run(part=PART, site_node_seconds=9000, **window)
    assert waiting.returncode == 0, waiting.stdout
    assert "the nodes of pool worker may take 2h 30m each, and change of MachineConfigPool worker is" in waiting.stdout
    assert (site.images(), is_paused(site), len(site.registry)) == ({""}, True, 1)


@pytest.mark.parametrize("pool", ["infra", "master"])
def test_the_pool_that_gets_the_image_is_asked_about(site: BuildingSite, playbook: Playbook, pool: str) -> None:
    plant(site.rest, managed_nodes("infra", 1))
    site.rest.apply(assignments(worker="Permissive", infra="Restrictive", master="Restrictive"))
    image = f"quay.io/example/os@sha256:{'0' * 64}"
    with site.operator():
        run = playbook.run(site_image_mode_pool=pool, site_os_image_url=image, site_change_stanza=None)
    assert (run.returncode, is_paused(site, pool)) == (0, True), run.stdout


def test_it_goes_back_to_what_the_pool_had(site: BuildingSite, playbook: Playbook) -> None:
    with site.operator():
        for part in (PART, OTHER_PART):
            run = playbook.run(part=part)
            assert run.returncode == 0, run.stdout
        (second,) = site.images()
        back = playbook.run(site_image_state="rolled_back")
    assert back.returncode == 0, back.stdout
    assert (site.images(), is_paused(site)) == (site.registry - {second}, False)


def test_check_mode_and_what_cannot_be_carried(site: BuildingSite, playbook: Playbook) -> None:
    with site.operator():
        tried = playbook.run("--check", part=PART)
        lost = playbook.run(part=f"{PART}COPY x /opt/x\n")
    assert tried.returncode == 0, tried.stdout
    assert (lost.returncode != 0, "an image cannot contain /opt/x" in lost.stdout) == (True, True), lost.stdout
    assert (site.order(), is_paused(site), site.registry) == (None, False, set())
