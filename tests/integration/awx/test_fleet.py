# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""extensions/awx/fleet: applied to AWX, and waves that begin updates there, wait, stop and continue."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.awx.test_apply import Awx

RELEASE = "4.21.5"
FLEET = {
    "fleet_release": RELEASE,
    "fleet_bundle_digest": f"sha256:{'3f' * 32}",
    "fleet_rings": [{"name": "canary", "most_failed": 0}, {"name": "all"}],
    "fleet_at_once": 2,
    "fleet_most_failed": 1,
}
SITES = {"c1": "canary", **{f"s{number}": "all" for number in range(4)}}


class Fleet:
    """AWX with the workflows of five sites, and an inventory of their clusters."""

    def __init__(self, folder: Path) -> None:
        self.awx = Awx(folder)
        self.folder = folder
        names = ("fieldops.openshift", "fieldops.openshift fleet")
        for name in names:
            self.awx.controller.add("execution_environments", name=name, organization=1)
        self.awx.controller.add("projects", name="fieldops.openshift", organization=1)
        for number, name in enumerate(("hub kubeconfig", "fleet launcher")):
            self.awx.controller.add("credentials", name=name, credential_type=number + 7)
        asked = {"ask_variables_on_launch": True, "survey_enabled": False}
        for site in SITES:
            self.awx.controller.add("workflow_job_templates", name=f"{site} fleet update", **asked)
        self.versions = dict.fromkeys(SITES, "4.21.3")
        (folder / "fleet.json").write_text(json.dumps(FLEET))

    def apply(self) -> str:
        return self.awx.run("fleet/apply.yml", "-e", f"@{self.folder / 'fleet.json'}")

    def wave(self) -> str:
        """Run the job with the variables that its template has in AWX."""
        given = json.loads(self.awx.named("job_templates", "fleet wave")["extra_vars"])
        (self.folder / "given.json").write_text(json.dumps(given))
        shared = {"cluster_state": "available", "cluster_window": "", "cluster_blocks": []}
        hosts = {
            name: {"cluster_name": name, "cluster_ring": SITES[name], "cluster_version": version, **shared}
            for name, version in self.versions.items()
        }
        inventory = self.folder / "hosts.json"
        inventory.write_text(json.dumps({"managed_clusters": {"hosts": hosts}}))
        return self.awx.run("fleet/wave.yml", "-i", str(inventory), "-e", f"@{self.folder / 'given.json'}")

    def running(self) -> list[str]:
        jobs = self.awx.controller.objects.get("workflow_jobs", {}).values()
        return [one["name"].removesuffix(" fleet update") for one in jobs if one["status"] == "pending"]

    def end(self, site: str, status: str) -> None:
        jobs = self.awx.controller.objects["workflow_jobs"].values()
        (job,) = [one for one in jobs if one["name"] == f"{site} fleet update" and one["status"] == "pending"]
        job.update(status=status, finished="2026-11-27T01:00:00.0Z")
        if status == "successful":
            self.versions[site] = RELEASE


@pytest.fixture
def fleet(tmp_path: Path) -> Fleet:
    one = Fleet(tmp_path)
    output = one.apply()
    assert re.search(r"failed=0 .*", output), output
    return one


def test_applied_again_it_changes_nothing(fleet: Fleet) -> None:
    output = fleet.apply()
    assert re.search(r"changed=0 .*failed=0", output), output
    schedule = fleet.awx.named("schedules", "fleet wave every ten minutes")
    assert (schedule["enabled"], set(fleet.awx.controller.named("job_templates"))) == (
        True,
        {"fleet status", "fleet wave"},
    )


def test_a_wave_without_clusters_fails(fleet: Fleet) -> None:
    """As if the hub was not read: nothing was updated, which is not the same as nothing to do."""
    fleet.versions.clear()
    assert "The inventory has no clusters." in fleet.wave()
    assert fleet.running() == []


def test_waves_begin_wait_stop_and_continue(fleet: Fleet) -> None:
    assert "Begin 1 of 1 clusters of ring canary." in fleet.wave()
    assert fleet.running() == ["c1"]
    assert "1 are running" in fleet.wave()
    fleet.end("c1", "successful")
    assert "Begin 2 of 4 clusters of ring all." in fleet.wave()
    assert fleet.running() == ["s0", "s1"]
    fleet.end("s0", "failed")
    fleet.end("s1", "failed")
    stopped = fleet.wave()
    assert "Stopped: 2 of the last 3 updates failed, and at most 1 may fail: s0, s1." in stopped
    assert "failed=1" in stopped
    assert fleet.running() == []
    job = next(one for one in fleet.awx.controller.objects["workflow_jobs"].values() if one["name"].startswith("s0"))
    fleet.awx.controller.add("workflow_jobs", **{**job, "status": "pending"})
    fleet.end("s0", "successful")
    assert "Begin 2 of 2 clusters of ring all." in fleet.wave()
    assert fleet.running() == ["s2", "s3"]
