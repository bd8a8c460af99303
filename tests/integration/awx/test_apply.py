# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""extensions/awx: applied to AWX by the real modules of awx.awx, and again, which changes nothing."""

from __future__ import annotations

import json
import os
import re
import subprocess
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.awx.awxkit_fields import fields_of
from ansible_collections.fieldops.openshift.tests.integration.awx.controller_api import (
    LINKS,
    TOKEN,
    Controller,
    ControllerServer,
)
from ansible_collections.fieldops.openshift.tests.integration.play_processes import PROGRAM
from ansible_collections.fieldops.openshift.tests.integration.plays import COLLECTIONS, environment_for
from ansible_collections.fieldops.openshift.tests.lab.peer_packages import peer_package
from ansible_collections.fieldops.openshift.tests.structure.source_tree import ROOT

DIGEST = f"sha256:{'3f' * 32}"
SATURDAYS = {
    "spec": {
        "strategy": "MaintenanceSchedule",
        "maintenanceSchedule": {
            "permit": {
                "recurrence": {"frequency": "Weekly", "weekly": {"interval": 1, "daysOfWeek": ["Saturday"]}},
                "startTime": "20:00",
                "duration": "6h",
            }
        },
    }
}
SITE = {
    "awx_site": "plant-7",
    "awx_project_url": "https://git.example.com/fieldops/openshift.git",
    "awx_kubeconfig_credential": "plant-7 kubeconfig",
    "awx_other_credentials": ["plant-7 keys"],
    "awx_instance_groups": ["edge"],
    "awx_site_variables": {"site_node_seconds": 900},
    "site_change_policies": {"saturday": SATURDAYS, "frozen": {"spec": {"strategy": "Restrictive"}}},
    "awx_update_digest": DIGEST,
}

NOT_IN_AWXKIT = {
    "inventory_sources": {"execution_environment"},
    "schedules": {"unified_job_template"},
    "workflow_job_template_nodes": {"type"},
}
"""What awx.awx writes and awxkit does not: AWX's serializers have the first two, and ignore the third."""
NO_OTHERS: dict[str, list[str]] = {
    f"controller_{kind}": []
    for kind in (
        *("labels", "credential_types", "execution_environments", "projects", "inventories", "inventory_sources"),
        *("notifications", "templates", "workflows"),
    )
}
"""All kinds of objects but schedules."""


class Awx:
    """AWX with what exists before: an organization, an instance group and the credentials of the site."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.controller = Controller()
        self.controller.add("organizations", name="Default")
        self.controller.add("instance_groups", name="edge")
        for number, name in enumerate(("plant-7 kubeconfig", "plant-7 keys")):
            self.controller.add("credentials", name=name, credential_type=number)

    def apply(self, **changed: t.Any) -> str:
        """Apply the objects of the site, and return the output."""
        (self.folder / "site.json").write_text(json.dumps({**SITE, **changed}))
        return self.run("apply.yml", "-e", f"@{self.folder / 'site.json'}")

    def run(self, playbook: str, *words: str) -> str:
        """Run a playbook of extensions/awx, and return the output."""
        paths = [str(COLLECTIONS), str(peer_package("awx.awx"))]
        with ControllerServer(self.controller) as server:
            settings = {"CONTROLLER_HOST": server.url, "CONTROLLER_OAUTH_TOKEN": TOKEN}
            environment = environment_for(self.folder, settings)
            environment["ANSIBLE_COLLECTIONS_PATH"] = os.pathsep.join(paths)
            command: list[str | Path] = [PROGRAM, ROOT / "extensions" / "awx" / playbook, *words]
            done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        return done.stdout + done.stderr

    def named(self, kind: str, name: str) -> dict[str, t.Any]:
        """Return one object."""
        return self.controller.named(kind)[name]


@pytest.fixture(scope="module")
def awx(tmp_path_factory: pytest.TempPathFactory) -> Awx:
    one = Awx(tmp_path_factory.mktemp("awx"))
    output = one.apply()
    assert re.search(r"failed=0 .*", output), output
    return one


@pytest.mark.long
def test_applied_again_it_changes_nothing(awx: Awx) -> None:
    before = awx.controller.changes
    output = awx.apply()
    assert re.search(r"changed=0 .*failed=0", output), output
    assert awx.controller.changes == before


def test_awx_has_each_field_that_is_written(awx: Awx) -> None:
    unknown = {kind: fields - fields_of(kind) for kind, fields in awx.controller.written.items()}
    assert {kind: fields for kind, fields in unknown.items() if fields} == NOT_IN_AWXKIT


def test_each_job_has_a_template(awx: Awx) -> None:
    jobs = ("check", "stage", "update", "status", "calendar", "enforce", "stop", "permit", "boot images", "gather")
    assert {f"plant-7 {job}" for job in (*jobs, "report")} == set(awx.controller.named("job_templates"))


def test_each_job_asks_by_a_survey_but_the_one_without_questions(awx: Awx) -> None:
    templates = awx.controller.named("job_templates")
    assert [name for name, one in templates.items() if not one["survey_enabled"]] == ["plant-7 enforce"]
    assert templates["plant-7 stage"]["extra_vars"] == json.dumps({"site_phases": ["preflight", "images"]})


def test_jobs_and_workflows_have_the_labels_of_the_site(awx: Awx) -> None:
    labels = {one["id"]: name for name, one in awx.controller.named("labels").items()}
    for kind in ("job_templates", "workflow_job_templates"):
        for name, one in awx.controller.named(kind).items():
            linked = {labels[its] for its in awx.controller.links(kind, one["id"], "labels")}
            assert linked == {"fieldops.openshift", "plant-7"}, name


def test_a_person_is_notified_of_errors_and_before_an_approval(awx: Awx) -> None:
    notification = awx.named("notification_templates", "plant-7 needs a person")
    assert notification["messages"]["error"]["message"] == "{{ job.name }} needs a person: {{ url }}"
    approval = notification["messages"]["workflow_approval"]["running"]
    assert json.loads(approval["body"]) == {"text": approval["message"]}
    notified = {
        (name, event)
        for name, one in awx.controller.named("workflow_job_templates").items()
        for event in ("started", "success", "error", "approvals")
        if awx.controller.links("workflow_job_templates", one["id"], f"notification_templates_{event}")
    }
    assert notified == {
        ("plant-7 update with approval", "error"),
        ("plant-7 update with approval", "approvals"),
        ("plant-7 fleet update", "error"),
    }


def test_the_workflow_follows_the_endings(awx: Awx) -> None:
    nodes = awx.controller.named("workflow_job_template_nodes")
    names = {node["id"]: name for name, node in nodes.items()}
    followed = {
        (name, relation, names[its])
        for name, node in nodes.items()
        for relation in LINKS
        for its in awx.controller.links("workflow_job_template_nodes", node["id"], relation)
    }
    assert followed == {
        ("check", "success_nodes", "stage"),
        ("stage", "success_nodes", "approve"),
        ("approve", "success_nodes", "update"),
        ("update", "always_nodes", "report"),
        ("fleet_update", "always_nodes", "fleet_report"),
    }
    assert nodes["fleet_report"]["extra_data"] == nodes["report"]["extra_data"]
    assert nodes["report"]["extra_data"] == {"site_expected_endings": ["done", "nothing_to_do", "waits_for_window"]}
    assert awx.controller.named("workflow_approval_templates")["plant-7 approval of the update"]["timeout"] == 604800


def test_each_policy_with_windows_starts_the_update(awx: Awx) -> None:
    schedules = awx.controller.named("schedules")
    assert set(schedules) == {
        "plant-7 enforce every ten minutes",
        "plant-7 check every day",
        "plant-7 update in window saturday",
    }
    window = schedules["plant-7 update in window saturday"]
    assert window["rrule"] == "DTSTART:20260103T200000Z RRULE:FREQ=WEEKLY;INTERVAL=1;BYDAY=SA"
    assert window["unified_job_template"] == awx.named("job_templates", "plant-7 update")["id"]
    assert (window["enabled"], window["extra_data"]) == (True, {"site_bundle_digest": DIGEST})


def test_the_inventory_has_the_variables_of_the_site(awx: Awx) -> None:
    variables = json.loads(awx.named("inventories", "plant-7")["variables"])
    assert variables == {
        "site_report": "/var/lib/fieldops",
        "site_support_path": "/var/lib/fieldops",
        "site_node_seconds": 900,
        "site_change_policies": SITE["site_change_policies"],
    }


def test_without_a_digest_no_window_starts_an_update(awx: Awx) -> None:
    window = awx.named("schedules", "plant-7 update in window saturday")
    for digest in ("", DIGEST):
        output = awx.apply(**NO_OTHERS, awx_update_digest=digest)
        assert "failed=0" in output, output
        assert window["enabled"] == bool(digest)


def test_what_awx_refuses_ends_the_play(tmp_path: Path) -> None:
    output = Awx(tmp_path).apply(awx_notification_configuration={"headers": {}})
    assert "Missing required fields for Notification Configuration: url" in output
    assert "failed=1" in output
