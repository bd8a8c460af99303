# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What can be done with a lab that stands, by commands: play, publish, break, repair, open and close a window."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import typing as t
import uuid
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.lab.waiting import wait_for
from ansible_collections.fieldops.openshift.tests.lab.kubectl import kubectl
from ansible_collections.fieldops.openshift.tests.lab.standing import ABOVE, MODULE, explanation

pytestmark = [pytest.mark.long, pytest.mark.skipif(os.geteuid() != 0, reason="node hosts need root")]
WORKER = "worker-0"
SSH = "ssh -F {ssh_config} -o ConnectTimeout=3"
MORE = "/var/lib/fieldops/more"
PROBES = {
    (WORKER, "no-kubelet"): f"{SSH} {WORKER} systemctl is-active kubelet",
    (WORKER, "full-disk"): f"{SSH} {WORKER} 'sudo dd if=/dev/zero of={MORE} bs=64k count=1 && sudo rm {MORE}'",
    (WORKER, "slow-link"): f"test -z \"$({SSH} {WORKER} '/sbin/tc qdisc show dev host0 | grep tbf')\"",
    (WORKER, "unplugged"): f"{SSH} {WORKER} true",
    (WORKER, "no-power"): f"{SSH} {WORKER} true",
    ("registry", "cut"): "{inside} curl --silent --insecure --max-time 5 https://198.51.100.2:5000/v2/",
    ("api", "frozen"): "curl --silent --insecure --max-time 2 {url}/version",
    ("api", "stopped"): "curl --silent --insecure --max-time 2 {url}/version",
}
"""Commands that succeed unless their place is broken."""
BACK_SECONDS = 90
PLAY = """
- hosts: localhost
  gather_facts: false
  tasks:
    - name: Show what this play runs with
      ansible.builtin.debug:
        msg: "collections in {{ lookup('ansible.builtin.env', 'ANSIBLE_COLLECTIONS_PATH') }}"
    - name: Ask what may be changed
      fieldops.openshift.change_management_info:
      register: asked
    - name: Show the answer
      ansible.builtin.debug:
        msg: "permitted: {{ asked.permitted }}"
"""


@pytest.fixture(scope="module")
def name() -> Iterator[str]:
    """A lab with OpenShift's operators and a small disk for bundles."""
    name = f"test-{uuid.uuid4().hex[:8]}"
    up = lab("up", "--profile", "openshift", "--disk", "64", "--name", name)
    try:
        assert up.returncode == 0, up.stderr
        yield name
    finally:
        lab("down", "--name", name)


def test_the_lines_that_it_printed_can_be_pasted(name: str) -> None:
    _first, *lines, _down = explanation(described(name))
    pasted = subprocess.run(
        ["bash", "-exc", "\n".join(lines)], input="hostname", capture_output=True, text=True, check=False, timeout=120
    )
    assert pasted.returncode == 0, pasted.stderr
    for seen in ("clusterversion.config.openshift.io/version", f"{WORKER}   Ready", "machine-config-daemon"):
        assert seen in pasted.stdout


def test_the_cluster_is_at_rest_on_a_release_of_its_registry(name: str) -> None:
    running, image = next(iter(described(name)["releases"].items()))
    (seen,) = read(name, "clusterversion")
    newest = seen["status"]["history"][0]
    assert (newest["version"], newest["state"]) == (running, "Completed")
    assert newest["image"].partition("@")[2] == image.partition("@")[2]
    for operator in read(name, "clusteroperators"):
        said = {one["type"]: one["status"] for one in operator["status"]["conditions"]}
        assert (said["Available"], said["Degraded"]) == ("True", "False"), operator["metadata"]["name"]


@pytest.mark.parametrize(
    ("place", "fault"),
    PROBES,
)
def test_a_place_is_broken_until_it_is_repaired(name: str, place: str, fault: str) -> None:
    probe = PROBES[place, fault]
    wait_for(lambda: succeeds(name, probe), BACK_SECONDS)
    broken = lab("break", "--name", name, place, fault)
    assert broken.returncode == 0, broken.stderr
    try:
        assert not succeeds(name, probe)
        assert described(name)["broken"] == {place: [fault]}
        assert f"it is {fault} already" in lab("break", "--name", name, place, fault).stderr
    finally:
        repaired = lab("repair", "--name", name, place)
    assert repaired.returncode == 0, repaired.stderr
    wait_for(lambda: succeeds(name, probe), BACK_SECONDS)
    assert described(name)["broken"] == {}


@pytest.mark.parametrize(
    ("words", "seen"),
    [
        (("break", "worker-9", "no-power"), "There are master-0, worker-0, api, registry."),
        (("break", WORKER, "rust"), "It can be unplugged, slow-link"),
        (("repair",), "nothing is broken"),
        (("publish", "../4.21.5"), "no version"),
        (("publish", "4.21.4"), "it is published"),
        (("play", "no_such_play"), "The collection has abort_rollout"),
    ],
)
def test_what_cannot_be_done_is_refused_with_what_can(name: str, words: tuple[str, ...], seen: str) -> None:
    refused = lab(words[0], "--name", name, *words[1:])
    assert refused.returncode == 1
    assert seen in refused.stderr


def test_a_release_is_published_with_what_an_update_to_it_takes(name: str) -> None:
    published = lab("publish", "--name", name, "4.21.5")
    assert published.returncode == 0, published.stderr
    assert [*described(name)["releases"]][-1] == "4.21.5"
    signature, update = published.stdout.splitlines()
    for command in (signature, f"{update} --dry-run=server"):
        done = subprocess.run(["bash", "-c", command], env=environment(name), capture_output=True, check=False)
        assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(("state", "permitted"), [("closed", False), ("open", True), ("none", True)])
def test_a_window_is_what_a_play_of_this_checkout_finds(name: str, state: str, permitted: bool, tmp_path: Path) -> None:
    (tmp_path / "ask.yml").write_text(PLAY)
    planted = lab("window", "--name", name, state)
    assert planted.returncode == 0, planted.stdout
    asked = lab("play", "--name", name, str(tmp_path / "ask.yml"))
    assert f"permitted: {permitted}" in asked.stdout
    assert f"collections in {ABOVE}" in asked.stdout


def test_a_bundle_of_the_newest_release_is_built_without_more_words(name: str) -> None:
    built = lab("play", "--name", name, "create_bundle")
    assert built.returncode == 0, built.stdout
    version = [*described(name)["releases"]][-1]
    again = lab(
        "play", "--name", name, "inspect_bundle", "-e", f"site_bundle={described(name)['directory']}/bundle-{version}"
    )
    assert version in again.stdout


def read(name: str, kind: str) -> list[dict[str, t.Any]]:
    """Return the objects of a kind."""
    done = lab("run", "--name", name, "--", str(kubectl()), "get", kind, "--output=json")
    items: list[dict[str, t.Any]] = json.loads(done.stdout)["items"]
    return items


def succeeds(name: str, probe: str) -> bool:
    """Whether a command, filled in with what the lab is, succeeds."""
    found = described(name)
    command = probe.format(**found, inside=" ".join(found["command"]))
    return subprocess.run(["bash", "-c", command], capture_output=True, timeout=60, check=False).returncode == 0


def environment(name: str) -> Mapping[str, str]:
    return {**os.environ, "KUBECONFIG": described(name)["kubeconfig"]}


def described(name: str) -> dict[str, t.Any]:
    found: dict[str, t.Any] = json.loads(lab("status", "--name", name).stdout)
    return found


def lab(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", MODULE, *words], capture_output=True, text=True, check=False)
