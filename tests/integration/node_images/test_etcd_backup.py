# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A backup of etcd on a real host: made by the stand-in for the cluster's script, refused, killed, and found again."""

from __future__ import annotations

import typing as t
from collections.abc import Iterator

import pytest

from ansible_collections.fieldops.openshift.tests.integration.node_images.nodes import (
    Controller,
    Ended,
    upper,
    wait_for,
)
from ansible_collections.fieldops.openshift.tests.integration.plays import COLLECTIONS
from ansible_collections.fieldops.openshift.tests.lab.actors.cluster_backup import install, set_up
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab

NODE = "worker-0"
FOLDER = "/home/core/assets/backup"
PIPE = "/run/half-a-snapshot"
KUBERNETES = "/srv/kubernetes"
"""Not the folder whose manifests the host's own kubelet starts."""
PLACES = (PIPE, KUBERNETES, "/var/lib/etcd", "/home/core/assets", "/usr/local/bin/cluster*backup*")
TASKS = COLLECTIONS / "ansible_collections/fieldops/openshift/playbooks/tasks"
KNOWN = {"is_control_plane": True, "ready": True, "standing": "pending", "current_config": "rendered-master-1"}
NODES = [{**KNOWN, "name": "arbiter-0", "roles": ["arbiter"]}, {**KNOWN, "name": NODE, "roles": ["master"]}]
GATE = "{{ seen | fieldops.openshift.release_gate }}"
RECENT = {"site_etcd_backup_path": FOLDER, "site_etcd_backup_max_age": 3600}


class Member:
    """A host as a member of etcd, and what the gate of the update makes of its backups."""

    def __init__(self, lab: Lab, controller: Controller) -> None:
        self.host = lab.hosts[NODE]
        self.root = upper(self.host)
        self.script = install(self.root, inside=True, kubernetes=KUBERNETES)
        self.controller = controller

    def set_up(self, **settings: t.Any) -> None:
        """Say how the script is to end."""
        set_up(self.script, kubernetes=KUBERNETES, **settings)

    def gate(self, demand: str) -> Ended:
        """Look for a backup, weigh that and make one, as the site's update does; the arbiter is away."""
        weighed = {
            "rollout_id": "",
            "rollout": {"nodes": NODES, "pools": []},
            "health": {"findings": []},
            "images": [],
            "backups": "{{ play_backups_seen.results }}",
            "backup": {"demand": demand, "path": FOLDER, "max_age": 3600},
            "version": "4.21.3",
            "trial": {},
        }
        gate = {"name": "Weigh it", "ansible.builtin.set_fact": {"play_release_gate": GATE}}
        made = {"name": "Make one", "ansible.builtin.include_tasks": str(TASKS / "back_up_etcd.yml")}
        tasks: list[dict[str, t.Any]] = [
            {"name": "See them", "ansible.builtin.include_tasks": str(TASKS / "see_etcd_backups.yml")},
            {**gate, "vars": {"seen": weighed}},
            {"name": "Show it", "ansible.builtin.debug": {"msg": "{{ play_release_gate.lines }}"}},
            {**made, "when": "play_release_gate.backup_on | length > 0"},
        ]
        play = self.controller.play_of(tasks)
        return self.controller.play(str(play), play_nodes_to_take={"nodes": NODES}, site_keep_free_percent=1, **RECENT)

    def names(self) -> list[str]:
        """Return what lies in the folder of the backups."""
        folder = self.root / FOLDER.lstrip("/")
        return sorted(path.name for path in folder.iterdir()) if folder.exists() else []

    def is_half_done(self) -> bool:
        """Whether the script has written half of a snapshot and waits."""
        return any((self.root / FOLDER.lstrip("/")).glob("*/snapshot_*.db.part"))


@pytest.fixture
def member(lab: Lab, controller: Controller) -> Iterator[Member]:
    made = Member(lab, controller)
    yield made
    made.host.run("sh", "-c", f"systemctl stop 'fieldops-etcd-backup*'; rm -rf {' '.join(PLACES)}")


def test_a_site_that_lacks_a_backup_makes_one(member: Member) -> None:
    missing = member.gate("require")
    assert f"arbiter-0 did not answer; {NODE} has no complete one" in missing.output
    assert (missing.changed, member.names()) == (0, [])
    made = member.gate("make")
    assert (made.rc, made.changed) == (0, 1), made.output
    assert f"{NODE} creates one before the release is requested" in made.output
    kept = member.names()
    assert [name.partition("_")[0] for name in kept] == ["snapshot", "static"]
    again = member.gate("require")
    assert (again.rc, again.changed, member.names()) == (0, 0, kept), again.output
    assert "etcd backup  the latest one is from" in again.output


def test_a_refused_and_a_killed_run_leave_nothing_and_it_goes_on(member: Member) -> None:
    member.set_up(progressing=["etcd"])
    member.host.run("mkfifo", PIPE)
    play = member.controller.written("etcd_backup", NODE, keep_free_percent=1, wait=True, wait_timeout=120)
    process = member.controller.start(play)
    assert process.stdout is not None
    assert any("Currently the etcd operator is progressing" in line for line in process.stdout)
    assert [name for name in member.names() if name.startswith(("snapshot", "static"))] == []
    member.set_up(meet=PIPE)
    wait_for(member.is_half_done, "half of the snapshot is written")
    member.set_up()
    member.host.run("systemctl", "kill", "--signal=KILL", "fieldops-etcd-backup*")
    ended = member.controller.finish(process)
    assert ended.rc == 0, ended.output
    assert [name.partition("_")[0] for name in member.names()] == ["snapshot", "static"]
    assert ended.result["changed"]
    assert ended.result["backup"]["size"] > 1 << 20
