# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The lab's registry is a machine that hosts and plays reach by its releases' own names, until it is cut off."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference
from ansible_collections.fieldops.openshift.tests.integration.lab.waiting import wait_for
from ansible_collections.fieldops.openshift.tests.integration.plays import environment_for, write_play
from ansible_collections.fieldops.openshift.tests.lab.errors import LabError
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
from ansible_collections.fieldops.openshift.tests.lab.node.host import NodeHost
from ansible_collections.fieldops.openshift.tests.lab.registry.programs import program

CURL_CANNOT_CONNECT = 7
RULES = "/etc/containers/registries.conf.d/lab.conf"
BINARIES = Path(sys.executable).parent


@pytest.fixture
def release(lab: Lab) -> ImageReference:
    (release,) = lab.registry.releases.values()
    return release.reference


@pytest.fixture
def cut_off(lab: Lab) -> Iterator[None]:
    lab.cut_registry()
    yield
    lab.restore_registry()


def test_a_release_is_found_under_its_own_name_in_the_labs_network(
    lab: Lab, release: ImageReference, tmp_path: Path
) -> None:
    for version in (f":{release.tag}", f"@{release.digest}"):
        copy(lab, f"{release.name}{version}", tmp_path / version)
        assert json.loads((tmp_path / version / "manifest.json").read_text())["config"]["digest"]


def is_pulled(host: NodeHost, image: str) -> bool:
    host.run("crictl", "pull", image, check=False)
    listed = json.loads(host.run("crictl", "images", "-o", "json"))["images"]
    return image in {name for one in listed for name in one["repoDigests"]}


@pytest.mark.parametrize("component", ["", "etcd"], ids=["public", "private"])
def test_a_host_pulls_by_digest_what_its_rules_lead_to_the_registry(lab: Lab, component: str) -> None:
    host = lab.hosts["worker-0"]
    host.write(RULES, lab.registry.mirror_rules(["quay.io/openshift-release-dev"]))
    host.run("systemctl", "reload", "crio")
    (release,) = lab.registry.releases.values()
    image = release.reference_of(component) if component else release.reference
    pulled = f"{image.name}@{image.digest}"
    # The runtime reads its rules some time after it was told to.
    wait_for(lambda: is_pulled(host, pulled), 30)
    host.run("crictl", "rmi", pulled)
    host.run("rm", RULES)
    host.run("systemctl", "reload", "crio")


@pytest.mark.usefixtures("cut_off")
@pytest.mark.parametrize("part", ["registry", "tokens", "content"])
def test_a_registry_that_is_cut_off_is_out_of_reach_for_hosts_and_plays(lab: Lab, part: str) -> None:
    front = lab.registry.front
    urls = {"registry": f"{lab.registry.url}/v2/", "tokens": front.realm, "content": f"https://{front.content_host}/"}
    ask = ["curl", "--silent", "--show-error", "--insecure", urls[part]]
    with pytest.raises(LabError, match="Could not connect"):
        lab.hosts["worker-1"].run(*ask)
    asked = subprocess.run(lab.command(ask), capture_output=True, text=True, check=False, timeout=30)
    assert asked.returncode == CURL_CANNOT_CONNECT, asked.stderr


def test_after_the_cut_it_is_there_again(lab: Lab) -> None:
    lab.cut_registry()
    lab.restore_registry()
    trusted = f"/etc/containers/certs.d/{lab.registry.host}/ca.crt"
    answer = lab.hosts["worker-1"].run("curl", "--silent", "--cacert", trusted, f"{lab.registry.url}/v2/")
    assert answer == "true", "what quay.io says, with status 401"


def test_ansible_reaches_every_host_by_the_inventory_and_knows_its_key(lab: Lab, tmp_path: Path) -> None:
    command = lab.command([BINARIES / "ansible", "workers", "-m", "ansible.builtin.command", "-a", "hostname", "-o"])
    environment = environment_for(tmp_path, lab.environment)
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    assert {line.split()[0] for line in done.stdout.splitlines()} == {"worker-0", "worker-1"}


def test_a_play_finds_the_cluster_by_the_labs_environment(lab: Lab, tmp_path: Path) -> None:
    play = write_play(tmp_path, {"fieldops.openshift.cluster_health_info": {}})
    command = lab.command([BINARIES / "ansible-playbook", "-i", "localhost,", play])
    environment = environment_for(tmp_path, lab.environment)
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads((tmp_path / "result.json").read_text())["failed"] is False


def copy(lab: Lab, name: str, target: Path) -> None:
    options = ["--insecure-policy", "--registries-conf", str(lab.registry.registries_conf)]
    copying = ["copy", "--quiet", f"--src-cert-dir={lab.registry.certificates}", f"docker://{name}", f"dir:{target}"]
    command = lab.command([program("skopeo"), *options, *copying])
    subprocess.run(command, env=os.environ, capture_output=True, text=True, check=True, timeout=60)
