# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The modules as plays run them, by a technician who has the rights that are shipped and no others."""

from __future__ import annotations

import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.image_mode.building import (
    OTHER_PART,
    PART,
    BuildingSite,
)
from ansible_collections.fieldops.openshift.tests.integration.plays import PlayRun, run_play
from ansible_collections.fieldops.openshift.tests.integration.shipped_rights import grant
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_os_config_logs import BuildLogs

TECHNICIAN = "technician"
ORDER: t.Final = {
    "pool": "worker",
    "push_spec": "registry.site.example/os/worker:latest",
    "push_secret": "os-image-push",
    "wait": True,
    "wait_timeout": 90,
}


@pytest.fixture
def entitled(site: BuildingSite) -> BuildingSite:
    grant(site.rest, TECHNICIAN, "image-mode.yml")
    return site


def run(site: BuildingSite, folder: Path, module: str, *words: str, **options: t.Any) -> PlayRun:
    server = site.server
    access = {"host": server.url, "ca_cert": str(server.ca_file), "api_key": server.token_of(TECHNICIAN)}
    return run_play(folder, {f"fieldops.openshift.{module}": {**access, **options}}, *words)


def test_an_image_is_ordered_seen_and_given_up_with_the_shipped_rights(entitled: BuildingSite, tmp_path: Path) -> None:
    parts = [{"content": PART}]
    with entitled.operator():
        made = run(
            entitled, tmp_path, "machine_os_config", "--diff", **ORDER, containerfiles=parts, wait_for="rolled_out"
        )
        seen = run(entitled, tmp_path, "machine_config_pool_info", gather=["os_images"], names=["worker"]).result
        out = run(
            entitled, tmp_path, "machine_os_config", pool="worker", state="absent", wait=True, wait_for="rolled_out"
        )
    result = made.result
    assert (result["changed"], result["progress"]["done"]) == (True, True)
    assert result["machine_os_config"]["image"] == seen["os_images"][0]["machine_os_config"]["image"]
    before = {"os_image_url": "", "build": None, "revision": None, "image": "", "rebuild": ""}
    assert result["diff"][0]["before"] == before
    assert f"2 of 2 nodes of pool worker have {result['machine_os_config']['image']}" in made.output
    assert len(result["timeline"]) >= 2
    assert {one["kind"] for one in result["actions"]} == {"ConfigMap", "MachineOSConfig"}
    assert out.result["machine_os_config"]["image"] == entitled.release_image


def test_a_build_that_fails_ends_the_task_with_its_log(entitled: BuildingSite, tmp_path: Path) -> None:
    with BuildLogs(entitled.server, "error: no space\n"), entitled.operator(fault_of=lambda _config: "no"):
        failed = run(entitled, tmp_path, "machine_os_config", **ORDER, containerfiles=[{"content": OTHER_PART}]).result
    assert (failed["failed"], failed["error"]["kind"]) == (True, "os_image_build_failed")
    assert failed["log"]["lines"] == ["error: no space"]
    assert failed["build"]["state"] == "failed"
