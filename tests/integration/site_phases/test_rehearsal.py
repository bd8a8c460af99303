# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""An update is rehearsed: it is said when each step starts and ends, and nothing is changed.

On site, from a support archive of it, and on another control plane that was given the objects of the archive.
"""

from __future__ import annotations

import tarfile
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._support.do.archived_site import read_archived_site
from ansible_collections.fieldops.openshift.tests.integration.site_phases.conftest import MakeSite
from ansible_collections.fieldops.openshift.tests.integration.site_phases.phase_site import PhaseSite
from ansible_collections.fieldops.openshift.tests.integration.site_phases.played_site import (
    CLOSED,
    NODES,
    last_lines,
)
from ansible_collections.fieldops.openshift.tests.lab.seed.healthy import plant

BEGINS = "2026-11-28T20:00:00Z"
CANARY = "cAnArY0123456789xYz"
SEEN_BY_SERVER = ("resourceVersion", "uid", "creationTimestamp", "generation")


def test_steps_are_the_release_and_then_each_worker_in_its_window(make_site: MakeSite) -> None:
    site = make_site(1, 2)
    before = site.rest.get(NODES)
    permit = {
        "recurrence": {"frequency": "Daily", "daily": {"interval": 1}},
        "startTime": "22:00",
        "duration": "2h",
    }
    nights = {"strategy": "MaintenanceSchedule", "maintenanceSchedule": {"permit": permit}}
    run = site.rehearse_update(
        site_change_stanza={"strategy": "ByPolicy", "byPolicy": {"name": "nights"}},
        site_change_policies={"nights": nights},
        site_rehearsal_begins=BEGINS,
        site_release_seconds=3600,
        site_node_seconds=1800,
    )
    assert run.returncode == 0, run.stdout
    said = " ".join(run.stdout.split())
    for step in (
        "release and control plane 2026-11-28 22:00:00 to 23:00:00 UTC: ",
        "worker-0 2026-11-28 23:00:00 to 23:30:00 UTC: ",
        "worker-1 2026-11-28 23:30:00 to 2026-11-29 00:00:00 UTC: ",
    ):
        assert step in said, run.stdout
    said = last_lines(run, "Show the summary")[-1]
    assert said == "3 steps; done at 2026-11-29 00:00:00 UTC, after 4h in 2 runs; space was not compared"
    assert [one["metadata"]["resourceVersion"] for one in site.rest.get(NODES)["items"]] == [
        one["metadata"]["resourceVersion"] for one in before["items"]
    ]


def test_an_update_that_never_may_start_says_why(make_site: MakeSite) -> None:
    site = make_site(1, 1)
    run = site.rehearse_update(site_change_stanza={"strategy": "Restrictive"}, site_rehearsal_begins=BEGINS)
    assert run.returncode == 0, run.stdout
    assert "2 steps; release and control plane never starts: " in "\n".join(last_lines(run, "Show the summary"))


def test_a_site_that_is_closed_for_long_waits(make_site: MakeSite) -> None:
    run = make_site(1, 1).rehearse_update(site_change_stanza=CLOSED, site_rehearsal_begins=BEGINS)
    assert "release and control plane  2099-01-01 00:00:00 to" in run.stdout, run.stdout


def exported(site: PhaseSite, folder: Path) -> Path:
    """Rehearse on site, and return the archive that was created of it."""
    run = site.rehearse_update(site_support_path=str(folder), site_rehearsal_begins=BEGINS)
    assert run.returncode == 0, run.stdout
    (path,) = folder.glob("fieldops-support-*.tar.gz")
    assert f"Exported to {path}" in last_lines(run, "Show the summary")
    return path


def test_an_exported_site_is_rehearsed_elsewhere_and_holds_no_secret(make_site: MakeSite, tmp_path: Path) -> None:
    site = make_site(1, 2)
    leak = {"metadata": {"annotations": {"site/note": f"https://admin:{CANARY}@bmc.example/", "token": CANARY}}}
    site.rest.merge(f"{NODES}/worker-0", leak)
    site.cordon("worker-1")
    here = site.rehearse_update(site_rehearsal_begins=BEGINS)
    path = exported(site, tmp_path)
    with tarfile.open(path) as archive:
        for member in archive:
            stream = archive.extractfile(member)
            assert stream is None or CANARY.encode() not in stream.read(), member.name
    away = site.rehearse_update(
        site_kubeconfig=str(tmp_path / "none"), site_rehearsal_archive=str(path), site_rehearsal_begins=BEGINS
    )
    assert away.returncode == 0, away.stdout
    assert last_lines(away, "Show the steps") == last_lines(here, "Show the steps")
    said, health, forecast = last_lines(away, "Show the summary")
    assert said.startswith("The site as it was at 20")
    assert "node_cordoned" in away.stdout, health
    # Who owns which field of an object, and so who has cordoned a node, is not archived.
    known = last_lines(here, "Show the summary")[-1].partition(" (")[0]
    assert forecast.startswith(f"{known} (an unknown user); ")
    assert "worker-1 is held back: " in known


@pytest.mark.long
def test_an_exported_site_is_updated_on_another_control_plane_in_the_foretold_order(
    make_site: MakeSite, tmp_path: Path
) -> None:
    site = make_site(1, 3)
    for number, zone in enumerate("cab"):
        site.rest.merge(f"{NODES}/worker-{number}", {"metadata": {"labels": {"topology.kubernetes.io/zone": zone}}})
    path = exported(site, tmp_path)
    away = site.rehearse_update(site_rehearsal_archive=str(path))
    order = [one.split("  ")[0] for one in last_lines(away, "Show the steps")[1:]]
    assert order == ["worker-1", "worker-2", "worker-0"], away.stdout
    other = make_site(0, 0)
    plant(other.rest, planted(path))
    other.begin_release()
    other.pause("master", "worker")
    other.render("master", "worker")
    other.bring("master-0")
    with other.operator():
        run = other.update(["nodes"])
    assert run.returncode == 0, run.stdout
    started = {name: other.recorded(name).times["draining"] for name in order}
    assert sorted(started, key=started.__getitem__) == order


def planted(path: Path) -> list[dict[str, t.Any]]:
    """Return the objects of an archive as they can be created anew."""
    objects = [(one.kind, found) for one in read_archived_site(path).listings for found in one.objects]
    return [
        {
            **found,
            "apiVersion": kind.api_version,
            "kind": kind.kind,
            "metadata": {name: value for name, value in found["metadata"].items() if name not in SEEN_BY_SERVER},
        }
        for kind, found in objects
    ]
