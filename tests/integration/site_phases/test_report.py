# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""update_site writes the report of each of its endings, and no report changes how a run ends."""

from __future__ import annotations

import json
import subprocess
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.site_phases.conftest import MakeSite
from ansible_collections.fieldops.openshift.tests.integration.site_phases.phase_site import PhaseSite
from ansible_collections.fieldops.openshift.tests.integration.site_phases.played_site import (
    CLOSED,
    CONFIG_MAPS,
    PlayedSite,
    last_lines,
)

RUNS = f"{CONFIG_MAPS}/site-runs"


@pytest.fixture
def site(make_site: MakeSite) -> PhaseSite:
    """A site of two nodes on its way to the release, without a recorded run."""
    made = make_site(1, 1)
    if made.rest.exists(RUNS):
        made.rest.delete(RUNS)
    made.begin_release()
    made.pause("master", "worker")
    made.render("master", "worker")
    return made


def report_of(site: PlayedSite, run: subprocess.CompletedProcess[str], folder: Path) -> dict[str, t.Any]:
    """Return the report that a run wrote, the only one."""
    page = folder / f"site-report-{site.rollout}.html"
    assert f"Wrote {page}." in run.stdout, run.stdout
    assert page.read_text().startswith("<!DOCTYPE html>")
    found: dict[str, t.Any] = json.loads(page.with_suffix(".json").read_text())
    assert found["missing"] == []
    return found


def test_a_closed_window_and_then_the_end(site: PhaseSite, tmp_path: Path) -> None:
    folder = tmp_path / "reports"
    site.bring("master-0")
    waiting = site.update(["nodes"], site_change_stanza=CLOSED, site_report=str(folder))
    assert waiting.returncode != 0, waiting.stdout
    found = report_of(site, waiting, folder)
    assert found["outcome"]["status"] == "waits_for_window"
    assert found["outcome"]["sentence"] == last_lines(waiting)[-1]
    assert found["outcome"]["remaining"] == ["worker-0"]
    with site.operator():
        done = site.update(["nodes"], site_report=str(folder))
    assert done.returncode == 0, done.stdout
    found = report_of(site, done, folder)
    assert (found["outcome"]["status"], found["outcome"]["sentence"]) == ("done", "Nothing remains.")
    assert [one["status"] for one in found["runs"]] == ["done", "waits_for_window"]
    assert {one["name"]: one["standing"] for one in found["nodes"]} == {"master-0": "done", "worker-0": "done"}
    (worker,) = (one for one in found["nodes"] if one["name"] == "worker-0")
    assert [one["phase"] for one in worker["segments"]] == ["drain", "change", "reboot"]
    assert found["asked"]["accepted_by"] == "system:admin"


def test_a_failure(site: PhaseSite, tmp_path: Path) -> None:
    failed = site.update(["nodes"], site_pools=["unknown"], site_report=str(tmp_path / "reports"))
    assert failed.returncode != 0, failed.stdout
    found = report_of(site, failed, tmp_path / "reports")
    assert found["outcome"]["status"] == "needs_person"
    assert found["asked"]["version"] == site.request["version"]
    assert found["asked"]["bundle_bytes"] > 0
    assert found["runs"][0]["digest"] == found["asked"]["bundle_digest"]


@pytest.mark.long
def test_a_report_that_cannot_be_written_leaves_the_ending(site: PhaseSite, tmp_path: Path) -> None:
    folder = tmp_path / "reports"
    folder.write_text("a file is here")
    site.bring("master-0")
    run = site.update(["nodes"], site_change_stanza=CLOSED, site_report=str(folder))
    assert "The report was not written: " in run.stdout, run.stdout
    assert '"fieldops_ending": "waits_for_window"' in run.stdout
    with site.operator():
        done = site.update(["nodes"], site_report=str(folder))
    assert done.returncode == 0, done.stdout


def test_check_mode_writes_none(site: PhaseSite, tmp_path: Path) -> None:
    site.rehearse(["nodes"], site_report=str(tmp_path / "reports"))
    assert not (tmp_path / "reports").exists()
    assert not site.rest.exists(RUNS)
