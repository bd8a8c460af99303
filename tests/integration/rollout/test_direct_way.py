# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the role roll_nodes decides between nodes: failures, nodes left out, other people's locks, the site's gates.

Nodes without hosts, so that nothing is rebooted; test_node_rollout has hosts.
"""

from __future__ import annotations

import json
import subprocess
import typing as t
from collections.abc import Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.rollout.object_site import (
    POOLS,
    TECHNICIAN,
    ObjectSite,
    finish,
)
from ansible_collections.fieldops.openshift.tests.integration.rollout.roll import NAMESPACE

pytestmark = pytest.mark.long

FIRST, SECOND = "worker-0", "worker-1"
REASON = "no space left on its disk"
LEASE = f"/apis/coordination.k8s.io/v1/namespaces/{NAMESPACE}/leases/rollout"
KURED = "/apis/apps/v1/namespaces/kube-system/daemonsets/kured"


def roll(site: ObjectSite, *words: str, **variables: t.Any) -> subprocess.CompletedProcess[str]:
    return site.run("direct", *words, roll_nodes_reboot=False, **variables)


def failing_on(folder: Path, node: str) -> str:
    """Write the tasks of a site that fail on one node."""
    path = folder / "tasks.json"
    condition = f"roll_nodes_node == '{node}'"
    path.write_text(json.dumps([{"name": "Change", "ansible.builtin.fail": {"msg": REASON}, "when": condition}]))
    return str(path)


@pytest.mark.parametrize(
    ("permitted", "second"),
    [pytest.param(1, "", id="the first ends it"), pytest.param(2, "done", id="one may fail")],
)
def test_it_stops_after_so_many_failures(site: ObjectSite, tmp_path: Path, permitted: int, second: str) -> None:
    tasks = failing_on(tmp_path, FIRST)
    limits = {"roll_nodes_max_failures": permitted, "roll_nodes_max_unavailable": "2"}
    run = roll(site, site_node_tasks=tasks, **limits)
    assert run.returncode != 0, "a rollout in which a node failed has failed"
    entries = site.journal()
    assert (entries[FIRST]["phase"], entries[FIRST]["reason"]) == ("failed", REASON)
    assert entries.get(SECOND, {}).get("phase", "") == second
    assert (site.is_schedulable(FIRST), site.is_schedulable(SECOND)) == (False, True)


def test_a_failed_node_counts_as_away_and_keeps_the_next_one_from_being_begun(site: ObjectSite, tmp_path: Path) -> None:
    run = roll(site, site_node_tasks=failing_on(tmp_path, FIRST), roll_nodes_max_failures=2)
    assert run.returncode != 0
    assert f"1 of 2 nodes of pool worker may be unavailable, and {FIRST} is unavailable ({REASON})" in run.stdout
    assert list(site.journal()) == [FIRST]


def test_a_node_that_somebody_left_out_is_not_touched_and_it_is_known_who_and_why(
    site: ObjectSite, tmp_path: Path
) -> None:
    leave_out = {
        "rollout": {"id": site.name, "target": "", "holder": "{{ roll_nodes_lock.lock.holder }}"},
        "node": SECOND,
        "phase": "skipped",
        "reason": "its disk is being replaced, ticket 4711",
    }
    tasks = tmp_path / "tasks.json"
    tasks.write_text(json.dumps([{"name": "Leave out", "fieldops.openshift.rollout_record": leave_out}]))
    run = roll(site, site_node_tasks=str(tasks))
    assert run.returncode == 0, run.stdout
    assert "1 of 2 nodes are done, 0 remain" in run.stdout
    entry = site.journal()[SECOND]
    assert (entry["phase"], entry["by"], entry["reason"]) == ("skipped", TECHNICIAN, leave_out["reason"])
    assert (site.is_schedulable(SECOND), "changed=0" in roll(site).stdout) == (True, True)


def test_a_host_that_goes_away_in_its_change_is_recorded(site: ObjectSite, tmp_path: Path) -> None:
    """An unreachable host would end the play at once, with the node cordoned and not a word on why."""
    inventory, tasks = tmp_path / "hosts.ini", tmp_path / "tasks.json"
    inventory.write_text(f"{FIRST} ansible_host=127.0.0.1 ansible_port=1\n")
    tasks.write_text(json.dumps([{"name": "Look", "fieldops.openshift.os_image_info": {}, "delegate_to": FIRST}]))
    run = roll(site, "-i", str(inventory), site_node_tasks=str(tasks))
    assert run.returncode != 0
    entry = site.journal()[FIRST]
    assert (entry["phase"], entry["failed_in"]) == ("failed", "changing"), run.stdout
    assert "port 1" in entry["reason"]
    assert (site.is_schedulable(FIRST), list(site.journal())) == (False, [FIRST])


@pytest.fixture
def kured(site: ObjectSite) -> Iterator[None]:
    """kured with its lock, as long as it reboots a node."""
    locked = {"weave.works/kured-node-lock": json.dumps({"nodeID": "worker-9", "created": "2026-11-20T08:00:00Z"})}
    pods = {"metadata": {"labels": {"name": "kured"}}, "spec": {"containers": [{"name": "kured", "image": "kured"}]}}
    kured = {
        "apiVersion": "apps/v1",
        "kind": "DaemonSet",
        "metadata": {"name": "kured", "namespace": "kube-system", "annotations": locked},
        "spec": {"selector": {"matchLabels": {"name": "kured"}}, "template": pods},
    }
    site.rest.apply(kured)
    yield
    site.rest.delete(KURED)


@pytest.mark.usefixtures("kured")
def test_while_kured_reboots_a_node_none_is_begun(site: ObjectSite) -> None:
    site.rest.delete(POOLS)
    run = roll(site)
    assert "kured is rebooting worker-9 (its lock is on DaemonSet kube-system/kured)" in run.stdout
    assert (run.returncode != 0, site.journal()) == (True, {})


@pytest.mark.usefixtures("kured")
def test_where_the_machine_config_operator_reboots_nodes_the_lock_of_kured_is_not_asked_for(site: ObjectSite) -> None:
    run = roll(site)
    assert run.returncode == 0, run.stdout
    assert {entry["phase"] for entry in site.journal().values()} == {"done"}


def test_a_gate_of_the_site_keeps_a_node_until_it_opens(site: ObjectSite) -> None:
    storage = {"name": f"storage-{site.name}"[:50].rstrip("-"), "namespace": NAMESPACE}
    made = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": storage, "data": {"health": "degraded"}}
    site.rest.apply(made)
    gate = {
        "title": "the storage is healthy",
        "api_version": "v1",
        "kind": "ConfigMap",
        **storage,
        "expression": "data.health",
        "expected": "whole",
    }
    failed = roll(site, site_gates=[gate], roll_nodes_ready_timeout=3)
    assert failed.returncode != 0
    assert "gate the storage is healthy" in site.journal()[FIRST]["reason"]
    assert (site.is_schedulable(FIRST), SECOND in site.journal()) == (False, False)
    site.rest.apply({**made, "data": {"health": "whole"}})
    repaired = roll(site, site_gates=[gate])
    assert repaired.returncode == 0, repaired.stdout
    assert "2 of 2 nodes are done, 0 remain" in repaired.stdout


def test_a_lock_of_a_dead_job_elsewhere_is_broken_with_a_reason_only(site: ObjectSite) -> None:
    lease = {
        "apiVersion": "coordination.k8s.io/v1",
        "kind": "Lease",
        "metadata": {"name": "rollout", "namespace": NAMESPACE},
        "spec": {
            "holderIdentity": "job 7/4711-1",
            "leaseDurationSeconds": 900,
            "renewTime": "2099-11-21T22:00:00.000000Z",
        },
    }
    if site.rest.exists(LEASE):
        site.rest.delete(LEASE)
    site.rest.apply(lease)
    refused = roll(site)
    assert refused.returncode != 0
    assert "job 7/4711-1 has held it since" in refused.stdout
    assert site.journal() == {}
    broken = {"playbook": "abort_rollout", "site_break_lock_reason": "its pod was deleted"}
    assert finish(site.start("direct", **broken)).returncode == 0
    assert roll(site).returncode == 0
