# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Jobs on the execution plane of AWX: how they end, and how the site goes on when one is killed, canceled or lost.

The jobs update a site without hosts that is in the middle of a release. They wait under its lock until its control
plane has the configuration of the release.
"""

from __future__ import annotations

import itertools
import subprocess
import typing as t
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.gates.virtual_environments import virtual_environment
from ansible_collections.fieldops.openshift.tests.gates.workplace import Workplace
from ansible_collections.fieldops.openshift.tests.integration.awx.execution_plane import (
    EXECUTION,
    ExecutionPlane,
    Job,
    Programs,
    kill_play,
    processes_of,
)
from ansible_collections.fieldops.openshift.tests.integration.awx.test_execution_environment import path_of_jobs
from ansible_collections.fieldops.openshift.tests.integration.lab.waiting import wait_for
from ansible_collections.fieldops.openshift.tests.integration.node_images.bundles import WrittenBundle
from ansible_collections.fieldops.openshift.tests.integration.site_phases.phase_site import PhaseSite
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.go import program
from ansible_collections.fieldops.openshift.tests.lab.workspace import Workspace
from ansible_collections.fieldops.openshift.tests.structure.source_tree import ROOT

FIRST, SECOND = EXECUTION
LOCK_SECONDS = 900


@pytest.fixture(scope="module")
def server() -> Iterator[ApiServer]:
    with ApiServer.start_openshift() as started:
        yield started


@pytest.fixture(scope="module")
def plane(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ExecutionPlane]:
    place, workspace = Workplace.here(), Workspace("awx")
    environment = virtual_environment(place, "execution-environment") / "bin"
    path = path_of_jobs(environment, tmp_path_factory.mktemp("programs"))
    try:
        control = virtual_environment(place, "control-node") / "bin"
        yield ExecutionPlane(workspace, Programs(program("receptor"), control, path))
    finally:
        workspace.close()


class AwxSite(PhaseSite):
    """A site in the middle of a release, with the jobs of its job templates."""

    def __init__(self, server: ApiServer, bundle: WrittenBundle, folder: Path) -> None:
        super().__init__(server, bundle, folder, control_plane=1, workers=1)
        self._numbers = itertools.count(41)
        self.begin_release()

    def job(self, playbook: str = "update_site", **variables: t.Any) -> Job:
        """Return the next job: the update, or that of another playbook."""
        given = {**(self.variables(["release"]) if playbook == "update_site" else {}), **variables}
        path = ROOT / "playbooks" / f"{playbook}.yml"
        return Job.create(next(self._numbers), self._folder, path, given, self._server.kubeconfig)

    def wait_for_job(self) -> None:
        """Wait until a job waits under the lock."""
        wait_for(lambda: self.is_locked() and self.is_paused("worker"), 90)

    def let_lock_expire(self) -> None:
        """Let the clock of the API server pass the end of the lock. That of the execution nodes stays."""
        self._server.workspace.clock.advance(LOCK_SECONDS + 1)


@pytest.fixture
def site(server: ApiServer, bundle: WrittenBundle, tmp_path: Path) -> AwxSite:
    return AwxSite(server, bundle, tmp_path)


def test_a_job_hands_its_ending_to_the_next_job_of_the_workflow(
    plane: ExecutionPlane, site: AwxSite, tmp_path: Path
) -> None:
    site.render("master")
    update = plane.run(FIRST, site.job())
    assert (update.status, update.artifacts["fieldops_ending"]) == ("successful", "done"), update.output
    assert "WARNING" not in update.output
    given = {"site_report": str(tmp_path), "site_expected_endings": ["nothing_to_do"], **update.artifacts}
    report = plane.run(SECOND, site.job("report_site", **given))
    assert report.status == "failed", report.output
    assert "The update ended with done." in report.output


def test_work_without_a_signature_is_refused(plane: ExecutionPlane, site: AwxSite) -> None:
    with pytest.raises(subprocess.CalledProcessError) as refused:
        plane.submit(FIRST, site.job(), signed=False)
    assert "signature" in refused.value.stderr


def kill(plane: ExecutionPlane, job: Job, unit: str) -> str:
    kill_play(job)
    return plane.process(job, unit).status


def cancel(plane: ExecutionPlane, job: Job, unit: str) -> str:
    """AWX then no longer reads what comes back (awx/main/tasks/receptor.py, cancel_watcher)."""
    plane.receptorctl("work", "cancel", unit)
    wait_for(lambda: not processes_of(job))
    return str(plane.status(unit)["Detail"])


def lose(plane: ExecutionPlane, job: Job, unit: str) -> str:
    """AWX gives up the jobs of a node that no longer reports (awx/main/tasks/system.py, cluster_node_heartbeat)."""
    plane.lose(FIRST)
    plane.receptorctl("work", "release", "--force", unit)
    status = plane.process(job, unit).status
    plane.start(FIRST)
    return status


@pytest.mark.parametrize(
    ("interrupt", "status"),
    [
        pytest.param(kill, "failed", id="its play is killed"),
        pytest.param(cancel, "Canceled", id="it is canceled", marks=pytest.mark.long),
        pytest.param(lose, "error", id="its execution node is lost", marks=pytest.mark.long),
    ],
)
def test_the_next_job_goes_on_where_a_job_was_interrupted(
    plane: ExecutionPlane, site: AwxSite, interrupt: Callable[[ExecutionPlane, Job, str], str], status: str
) -> None:
    job = site.job()
    unit = plane.submit(FIRST, job)
    site.wait_for_job()
    assert interrupt(plane, job, unit) == status
    assert site.is_locked()
    site.let_lock_expire()
    site.render("master")
    following = plane.run(SECOND, site.job())
    assert following.status == "successful", following.output
    assert not site.is_locked()


@pytest.mark.long
def test_no_job_comes_between_while_a_node_that_is_cut_off_goes_on(plane: ExecutionPlane, site: AwxSite) -> None:
    job = site.job()
    unit = plane.submit(FIRST, job)
    site.wait_for_job()
    with plane.cut_off(FIRST):
        refused = plane.run(SECOND, site.job(site_lock_wait_timeout=0))
        assert refused.status == "failed", refused.output
        assert f"job {job.number}/" in refused.output
        site.render("master")
        wait_for(lambda: not site.is_locked(), 180)
    ended = plane.process(job, unit)
    assert (ended.status, ended.artifacts["fieldops_ending"]) == ("successful", "done"), ended.output
