# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""site_report and its playbook on the real API: with the shipped rights, with fewer, and with no API at all."""

from __future__ import annotations

import json
import typing as t
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.accepted_bundles import accept_bundle
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.claim import Claim
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.journal import write_entries
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.micro_time import micro_time
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_record import NodeRecord
from ansible_collections.fieldops.openshift.tests.integration.modules.change_sites import assignments, client_of
from ansible_collections.fieldops.openshift.tests.integration.play_processes import run_ansible_playbook
from ansible_collections.fieldops.openshift.tests.integration.plays import environment_for, run_play
from ansible_collections.fieldops.openshift.tests.integration.shipped_rights import grant
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.page_elements import Elements
from ansible_collections.fieldops.openshift.tests.lab.seed import boot_images
from ansible_collections.fieldops.openshift.tests.lab.seed.healthy import healthy_cluster, plant

Json = dict[str, t.Any]

DIGEST = f"sha256:{'6a27f17a' * 8}"
ROLLOUT = "update-4.21.5-6a27f17a6a27"
RUNS = "/api/v1/namespaces/fieldops-openshift/configmaps/site-runs"
HOSTILE = "</title><script>alert(1)</script>"
CLOSED = {"strategy": "RestrictiveUntil", "restrictiveUntil": "2099-01-01T00:00:00Z"}
ENDED = {"status": "waits_for_window", "sentence": f"Stopped {HOSTILE}", "rollout": ROLLOUT, "version": "4.21.5"}


@pytest.fixture(scope="module")
def site() -> Iterator[ApiServer]:
    """A cluster with a rollout that stopped after one of its nodes."""
    with ApiServer.start_openshift(users={"technician": [], "stranger": []}) as started:
        plant(started.rest, healthy_cluster("4.21.3", control_plane=1, workers=2))
        started.rest.apply_all(boot_images.namespaces())
        started.rest.apply_all([boot_images.coreos_bootimages(), boot_images.machine_set("aws")])
        grant(started.rest, "technician", "site-report.yml")
        started.rest.apply(assignments(worker=CLOSED))
        client = client_of(started)
        accept_bundle(client, {"index_digest": DIGEST, "version": "4.21.5", "architecture": "x86_64", **UNSTAMPED})
        write_entries(client, Claim(ROLLOUT, DIGEST, "technician@laptop/1-1"), {"worker-0": done_node()})
        yield started


UNSTAMPED: Json = {"serial": None, "built": None, "allow_older": False}


def done_node() -> NodeRecord:
    """Return the record of a node that has been away in the last hour."""
    start = datetime.now(timezone.utc) - timedelta(hours=1)
    phases = ("draining", "drained", "changing", "rebooting", "done")
    times = {phase: micro_time(start + timedelta(minutes=5 * number)) for number, phase in enumerate(phases)}
    return NodeRecord("done", times["done"], rollout=ROLLOUT, target=DIGEST, times=times)


def write(site: ApiServer, folder: Path, *words: str, user: str = "technician", **options: t.Any) -> Json:
    access = {"host": site.url, "ca_cert": str(site.ca_file), "api_key": site.token_of(user)}
    task = {"fieldops.openshift.site_report": {**access, "path": str(folder / "reports"), **options}}
    return run_play(folder, task, *words).result


def test_a_report_of_what_is_recorded(site: ApiServer, tmp_path: Path) -> None:
    result = write(site, tmp_path)
    report = json.loads((tmp_path / "reports" / f"site-report-{ROLLOUT}.json").read_text())
    assert report == result["report"]
    assert report["missing"] == [], "the shipped rights suffice"
    asked = report["asked"]
    assert (asked["version"], asked["bundle_digest"], asked["accepted_by"]) == ("4.21.5", DIGEST, "system:admin")
    (worker,) = (one for one in report["nodes"] if one["name"] == "worker-0")
    assert [one["phase"] for one in worker["segments"]] == ["drain", "change", "reboot"]
    assert report["versions"]["now"] == "4.21.3"
    assert [one["name"] for one in report["changes"] if not one["permitted"]] == ["worker"]
    assert [one["name"] for one in report["boot_images"]["resources"]] != []
    page = Elements((tmp_path / "reports" / f"site-report-{ROLLOUT}.html").read_text())
    assert page.open == []
    assert "worker-0" in page.words
    assert "svg" in page.seen


def test_a_run_is_recorded_and_listed_in_later_reports(site: ApiServer, tmp_path: Path) -> None:
    if site.rest.exists(RUNS):
        site.rest.delete(RUNS)
    trial = write(site, tmp_path, "--check", run=ENDED)
    assert trial["changed"]
    assert not site.rest.exists(RUNS)
    assert not (tmp_path / "reports").exists()
    write(site, tmp_path, run=ENDED)
    write(site, tmp_path, run={**ENDED, "status": "done", "sentence": "Nothing remains."})
    report = write(site, tmp_path)["report"]
    assert [(one["status"], one["by"]) for one in report["runs"]] == [
        ("done", "technician"),
        ("waits_for_window", "technician"),
    ]
    assert (report["outcome"]["status"], report["outcome"]["sentence"]) == ("done", "Nothing remains.")
    page = Elements((tmp_path / "reports" / f"site-report-{ROLLOUT}.html").read_text())
    assert "script" not in page.seen
    assert HOSTILE in page.words
    assert site.rest.get(RUNS)["metadata"]["labels"] == {"app.kubernetes.io/part-of": "fieldops-openshift"}


def test_a_damaged_history_is_a_missing_part(site: ApiServer, tmp_path: Path) -> None:
    write(site, tmp_path, run=ENDED)
    site.rest.merge(RUNS, {"data": {"runs": "["}})
    report = write(site, tmp_path, run=ENDED)["report"]
    assert [one["part"] for one in report["missing"]] == ["run", "runs"]
    assert "delete it" in report["missing"][0]["reason"]
    assert report["asked"]["rollout"] == ROLLOUT
    site.rest.delete(RUNS)


def test_without_rights_the_report_says_what_is_missing(site: ApiServer, tmp_path: Path) -> None:
    report = write(site, tmp_path, user="stranger")["report"]
    assert {"runs", "rollouts", "health", "boot_images"} <= {one["part"] for one in report["missing"]}
    assert report["outcome"]["status"] == "unknown"
    assert all("forbidden" in one["reason"] for one in report["missing"])


def test_without_an_api_it_is_tried_once(tmp_path: Path) -> None:
    task = {"host": "https://127.0.0.1:1", "api_key": "none", "api_patience": 1, "path": str(tmp_path / "reports")}
    report = run_play(tmp_path, {"fieldops.openshift.site_report": task}).result["report"]
    assert report["missing"][0]["part"] == "user"
    assert {one["reason"] for one in report["missing"][1:]} == {"the API did not respond before"}
    assert (tmp_path / "reports" / "site-report.html").exists()


def test_the_playbook(site: ApiServer, tmp_path: Path) -> None:
    known = {"site_kubeconfig": str(site.kubeconfig), "site_report": str(tmp_path / "reports")}
    words = ["fieldops.openshift.report_site", "-e", json.dumps(known)]
    done = run_ansible_playbook(words, environment_for(tmp_path, {}))
    assert done.returncode == 0, done.stdout
    assert f"Wrote {tmp_path}/reports/site-report-{ROLLOUT}.html." in done.stdout


@pytest.mark.parametrize(
    ("handed", "words"),
    [
        ({"fieldops_ending": "waits_for_window"}, ""),
        ({"fieldops_ending": "needs_person"}, "The update ended with needs_person."),
        ({}, "The update ended with needs_person. The run stopped without an ending."),
    ],
    ids=["an ending that is expected", "another", "a job that was killed"],
)
def test_the_playbook_ends_a_workflow_as_its_update_did(
    site: ApiServer, tmp_path: Path, handed: Json, words: str
) -> None:
    site.rest.apply(assignments())
    known = {"site_kubeconfig": str(site.kubeconfig), "site_report": str(tmp_path), "site_rollout": ROLLOUT}
    expected = {"site_expected_endings": ["done", "nothing_to_do", "waits_for_window"]}
    given = json.dumps({**known, **expected, **handed})
    done = run_ansible_playbook(["fieldops.openshift.report_site", "-e", given], environment_for(tmp_path, {}))
    assert done.returncode == (2 if words else 0), done.stdout
    assert words in done.stdout
    assert (tmp_path / f"site-report-{ROLLOUT}.html").exists()
