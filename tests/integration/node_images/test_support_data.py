# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a support asks for, gathered from real hosts: with a secret in each source, a node away, and no API."""

from __future__ import annotations

import json
import stat
import tarfile
import typing as t
from collections.abc import Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.node_images.nodes import Controller, upper
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
from ansible_collections.fieldops.openshift.tests.lab.node.host import NodeHost

NODES = ["worker-0", "worker-1"]
AWAY = "worker-9"
CANARY = "cAnArY0123456789xYz"
KNOWN = "known-to-the-node-alone"
LEAK = f"seen here; password={CANARY}; Authorization: Bearer {CANARY}"
UNITS = ("fieldops-canary", "crio-canary", "kubelet-canary", "machine-config-daemon-canary", "rpm-ostree-canary")
JOURNALS = ("fieldops", "crio", "kubelet", "machine-config", "os-image")
LOG = "/var/log/pods/openshift-machine-config-operator_machine-config-daemon-x_0/machine-config-daemon/0.log"
FILES = ("/etc/crio/crio.conf.d/00-canary.conf", "/var/lib/fieldops/jobs/canary/output.log", LOG)
LOGINS = "/root/.docker/config.json"
PLACE = "/run/fieldops-openshift/support"
JOB = "/var/lib/fieldops/jobs/support-data"
BLOCKER, PIPE = "/usr/local/bin/chronyc", "/run/never-written"
PLAYBOOK = "fieldops.openshift.gather_support_data"


def plant(host: NodeHost) -> None:
    """Put a secret into each source of a host; the journals also have one that no word gives away."""
    root = upper(host)
    now = host.run("date", "--utc", "+%Y-%m-%dT%H:%M:%S.%NZ").strip()
    for path in FILES:
        place = root / path.lstrip("/")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(f"{now} stderr F {LEAK}\n" if path == LOG else f"# {LEAK}\n")
    logins = root / LOGINS.lstrip("/")
    logins.parent.mkdir(parents=True, exist_ok=True)
    logins.write_text(json.dumps({"auths": {"quay.io": {"password": KNOWN}}}))
    for unit in UNITS:
        host.run("systemd-run", "--wait", "--quiet", f"--unit={unit}", "echo", f"{LEAK}\nthen {KNOWN} stood alone")


@pytest.fixture
def hosts(lab: Lab) -> Iterator[list[NodeHost]]:
    """Hosts with a secret in each source."""
    found = [lab.hosts[name] for name in NODES]
    for host in found:
        host.run("systemctl", "stop", "kubelet")  # which removes the logs of pods that it does not know
        plant(host)
    yield found
    for host in found:
        host.run("systemctl", "start", "kubelet")
        host.run("rm", "-rf", LOGINS, PLACE, *(str(Path(path).parent if "pods" in path else path) for path in FILES))
        host.run("rm", "-rf", "/var/lib/fieldops/jobs/canary")


@pytest.fixture
def blocked(lab: Lab) -> Iterator[NodeHost]:
    """A host with a program that does not end."""
    host = lab.hosts[NODES[0]]
    host.run("mkfifo", PIPE)
    program = upper(host) / BLOCKER.lstrip("/")
    program.write_text(f"#!/bin/sh\nexec cat {PIPE}\n")
    program.chmod(0o755)
    yield host
    host.run("sh", "-c", f"systemctl stop 'fieldops-support-data*'; rm -rf {BLOCKER} {PIPE} {PLACE} {JOB}")


def unpacked(folder: Path) -> dict[str, str]:
    """Return the members of the one archive in a folder, and see that only its owner reads it."""
    (path,) = folder.glob("fieldops-support-*.tar.gz")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with tarfile.open(path) as archive:
        members = {one.name.partition("/")[2]: archive.extractfile(one) for one in archive}
        return {name: stream.read().decode() for name, stream in members.items() if stream}


@pytest.mark.parametrize("api", [True, False], ids=["with the API", "without the API"])
def test_all_nodes_and_the_api_are_in_one_archive_without_a_secret(
    controller: Controller, hosts: list[NodeHost], tmp_path: Path, api: bool
) -> None:
    folder = tmp_path / "support"
    folder.mkdir()
    given: dict[str, t.Any] = {} if api else {"site_kubeconfig": str(tmp_path / "none")}
    done = controller.play(PLAYBOOK, site_nodes=[*NODES, AWAY], site_support_path=str(folder), **given)
    assert done.rc == 0, done.output
    found = unpacked(folder)
    for name, text in {**found, "the output": done.output}.items():
        assert CANARY not in text, name
        assert KNOWN not in text, name
    for node in NODES:
        for part in (*(f"journal/{name}.log" for name in JOURNALS), *(f"files{path}" for path in FILES)):
            assert "seen here" in found[f"nodes/{node}/{part}"], part
        assert json.loads(found[f"nodes/{node}/report.json"])["bundles"] == []
        assert "images" in json.loads(found[f"nodes/{node}/commands/crictl-images.json"])
        assert f"nodes/{node}/files{LOGINS}" not in found
    parts = {part["name"]: part for part in json.loads(found["manifest.json"])["parts"]}
    assert parts[f"nodes/{AWAY}"]["state"] == "away"
    assert AWAY in parts[f"nodes/{AWAY}"]["reason"]
    assert (parts["cluster"]["state"] if "cluster" in parts else "there") == ("there" if api else "away")
    assert ("cluster/Node.json" in found) is api
    assert f"nodes/{AWAY} is away: " in done.output
    for host in hosts:
        assert not (upper(host) / PLACE.lstrip("/")).exists()
    assert [path.name for path in folder.iterdir()] == [next(folder.glob("fieldops-support-*")).name]


def test_a_node_says_by_itself_what_it_collects_and_removes(controller: Controller, hosts: list[NodeHost]) -> None:
    host = hosts[0]
    trial = controller.task(host.name, "node_support_data", "--check", run="one", hours=2)
    place = upper(host) / PLACE.lstrip("/")
    assert (trial.rc, trial.changed, place.exists()) == (0, 1, False), trial.output
    done = controller.task(host.name, "node_support_data", run="one", hours=2, wait=True, wait_timeout=300)
    assert done.rc == 0, done.output
    archive = done.result["archive"]
    assert host.run("stat", "--format=%a %u %s", archive["path"]).split() == ["600", "0", str(archive["size"])]
    assert [part for part in done.result["missing"] if part["name"].startswith(("journal/", "files/"))] == []
    same = controller.task(host.name, "node_support_data", run="one", hours=2)
    assert (same.rc, same.changed, same.result["archive"]) == (0, 0, archive), same.output
    other = controller.task(host.name, "node_support_data", run="two", state="absent")
    assert (other.rc, other.changed) == (0, 0), other.output
    gone = controller.task(host.name, "node_support_data", run="one", state="absent")
    assert (gone.rc, gone.changed, place.exists()) == (0, 1, False), gone.output
    assert not (upper(host) / JOB.lstrip("/")).exists()
    again = controller.task(host.name, "node_support_data", run="one", state="absent")
    assert (again.rc, again.changed) == (0, 0), again.output


def test_a_job_that_is_killed_is_told_once_and_then_it_is_collected(controller: Controller, blocked: NodeHost) -> None:
    started = controller.task(blocked.name, "node_support_data", run="one")
    assert (started.rc, started.result["progress"]["done"]) == (0, False), started.output
    blocked.run("systemctl", "kill", "--signal=KILL", "fieldops-support-data*")
    told = controller.task(blocked.name, "node_support_data", run="one", wait=True, wait_timeout=60)
    assert told.rc == 2, told.output
    assert told.result["error"]["attempted"] == "finish the job support-data"
    blocked.run("rm", BLOCKER)
    done = controller.task(blocked.name, "node_support_data", run="one", wait=True, wait_timeout=300)
    assert (done.rc, done.result["progress"]["done"]) == (0, True), done.output
