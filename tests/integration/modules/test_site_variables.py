# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The first task of playbooks, on every supported core: what a site sets is checked before anything is contacted."""

from __future__ import annotations

import json
import subprocess
import sys
import time
import typing as t
from pathlib import Path

import pytest
import yaml

from ansible_collections.fieldops.openshift.tests.integration.play_processes import PROGRAM, run_ansible_playbook
from ansible_collections.fieldops.openshift.tests.integration.plays import COLLECTIONS, environment_for
from ansible_collections.fieldops.openshift.tests.integration.terminal import Terminal, run_in_terminal

Run = subprocess.CompletedProcess[str]

CHECK = "TASK [Check the variables of the site]"
PLAYBOOKS = COLLECTIONS / "ansible_collections/fieldops/openshift/playbooks"
CANARY = "canary-7f3a9c"
UPDATE = {"site_bundle": "/nonexistent", "site_bundle_digest": "sha256:0"}


def run(folder: Path, playbook: str, given: dict[str, t.Any], inventory: dict[str, t.Any] | None = None) -> Run:
    """Run a playbook as a job template does: with a file of extra variables."""
    (folder / "site.yml").write_text(yaml.safe_dump(given))
    here = {"ansible_connection": "local", "ansible_python_interpreter": sys.executable, **(inventory or {})}
    (folder / "hosts.json").write_text(json.dumps({"all": {"hosts": {"localhost": here}}}))
    words = ["-i", str(folder / "hosts.json"), f"fieldops.openshift.{playbook}", "-e", f"@{folder / 'site.yml'}"]
    return run_ansible_playbook(words, environment_for(folder, {}))


def refusal(done: Run) -> str:
    """Return what the first task says, which has to have ended the play."""
    assert done.returncode == 2, done.stdout
    assert [line.partition("]")[0] + "]" for line in done.stdout.splitlines() if line.startswith("TASK")] == [CHECK]
    (failed,) = [line for line in done.stdout.splitlines() if line.startswith("fatal: ")]
    said: str = json.loads(failed.partition("=> ")[2])["msg"]
    return said


@pytest.mark.parametrize(
    ("playbook", "given", "said"),
    [
        pytest.param(
            "update_site",
            {**UPDATE, "site_change_stanzas": {"strategy": "Restrictive"}},
            "There is no variable site_change_stanzas; the nearest one is site_change_stanza.",
            id="a misspelt name",
        ),
        pytest.param("create_bundle", {}, "create_bundle needs site_bundle: the folder of the bundle.", id="missing"),
        pytest.param(
            "update_site",
            {**UPDATE, "site_api_patience": "soon"},
            "site_api_patience is soon, and must be a whole number.",
            id="a wrong type, of what modules are told by default",
        ),
        pytest.param(
            "update_site",
            {**UPDATE, "site_rollout_method": "direct"},
            "site_rollout_method is direct, and must be node_by_node or pool.",
            id="no choice",
        ),
        pytest.param(
            "update_site",
            {**UPDATE, "site_phases": "images, node"},
            "must be a list of preflight, images, release, nodes, boot_images or clean_up, without node.",
            id="no phase, from a survey",
        ),
        pytest.param(
            "stage_bundle",
            {"site_nodes": "{{ elsewhere }}", "site_bundle_digest": "sha256:0"},
            "site_nodes cannot be read: 'elsewhere' is undefined",
            id="a template of something that is not there",
        ),
        pytest.param(
            "create_bundle",
            {"site_bundle": "/x", "site_release": 4.2},
            "site_release is 4.2, and must be text: write it in quotes",
            id="a version that YAML reads as a number",
        ),
    ],
)
def test_what_is_wrong_ends_the_play_at_once(tmp_path: Path, playbook: str, given: dict[str, t.Any], said: str) -> None:
    assert said in refusal(run(tmp_path, playbook, given))


def test_an_update_needs_what_to_verify_its_bundle_with(tmp_path: Path) -> None:
    done = run(tmp_path, "update_site", {"site_bundle": "/x"})
    assert done.returncode == 2, done.stdout
    assert "update_site needs site_bundle_digest or site_trusted_keys." in done.stdout
    assert "TASK [Run the phases" not in done.stdout
    assert "Verify the index" not in done.stdout


def test_a_person_is_asked_for_the_digest(tmp_path: Path) -> None:
    (tmp_path / "hosts.json").write_text('{"all": {"hosts": {"localhost": {"ansible_connection": "local"}}}}')
    words = ["-i", str(tmp_path / "hosts.json"), "fieldops.openshift.update_site", "-e", "site_bundle=/nonexistent"]
    environment = {**environment_for(tmp_path, {}), "TERM": "xterm"}

    typed = [0.0]

    def answer(text: str, terminal: Terminal) -> None:
        # Ansible shows the question before it discards what was typed earlier, so a person may have to type again.
        if "person who built it:" in text and "TASK [Require a digest" not in text and time.monotonic() > typed[-1] + 2:
            typed.append(time.monotonic())
            terminal.type(f"sha256:{'0' * 64}\r")

    status, text = run_in_terminal([PROGRAM, *words], environment, tmp_path, (120, 30), answer)
    assert status == 2, text
    assert "Digest of the bundle (sha256:...) or its words" in text
    assert "TASK [fieldops.openshift.verify_bundle : Verify the index" in text
    assert "needs site_bundle_digest" not in text


def test_all_is_said_at_once_and_no_secret_is_shown(tmp_path: Path) -> None:
    given = {"site_signing_passphrase": [CANARY], "site_bundel": "/x", "site_bundle_timeout": "soon"}
    done = run(tmp_path, "create_bundle", given)
    said = refusal(done)
    for part in ("needs site_bundle", "needs site_release", "site_signing_passphrase must", "site_bundel;", "is soon"):
        assert part in said
    assert CANARY not in done.stdout


def test_the_inventory_is_checked_as_well(tmp_path: Path) -> None:
    given = {"site_code": "b7", "site_rolloutt": "x"}
    assert "There is no variable site_code" in refusal(run(tmp_path, "roll_nodes", {}, given))
    named = refusal(run(tmp_path, "roll_nodes", {"site_own_variables": "site_code"}, given))
    assert "site_code" not in named
    assert "site_rolloutt; the nearest one is site_rollout." in named


def test_one_file_serves_playbooks_that_read_other_variables(tmp_path: Path) -> None:
    given = {**UPDATE, "site_canary": "proof", "site_image_mode_pool": "infra", "site_calendar_days": "soon"}
    done = run(tmp_path, "update_site", given)
    assert f"{CHECK} " in done.stdout
    assert "ok: [localhost]" in done.stdout.partition(CHECK)[2].partition("TASK")[0], done.stdout
    assert "Could not read a vetted digest on 'sha256:0'" in done.stdout
    shown = refusal(run(tmp_path, "show_maintenance_calendar", given))
    assert shown == "site_calendar_days is soon, and must be a whole number."


def test_texts_of_a_survey_are_what_the_playbook_uses(tmp_path: Path) -> None:
    given = {
        "site_nodes": "{{ ['worker-' ~ 0, 'worker-1'] }}",
        "site_pools": "infra, worker\n",
        "site_gates": '[{"title": "shop"}]',
        "site_change_stanza": "strategy: RestrictiveUntil\nrestrictiveUntil: 2099-01-01T00:00:00Z\n",
        "site_node_seconds": "60",
        "site_pipelining": "no",
        "site_kubeconfig": "",
        "site_rollout": "kernel-fix",
    }
    (play,) = yaml.safe_load((PLAYBOOKS / "roll_nodes.yml").read_text())
    names = ("nodes", "pools", "gates", "guard", "node_seconds", "pipelining", "kubeconfig", "node_change", "problems")
    # What is used in an expression has its type on every core.
    shown = "{{ {" + ", ".join(f"'{name}': site_settings.{name}" for name in names) + "} | to_json }}"
    task = {"ansible.builtin.debug": {"msg": f"said={shown}=said"}}
    show = [{"hosts": "localhost", "gather_facts": False, "vars": play["vars"], "tasks": [task]}]
    (tmp_path / "show.yml").write_text(json.dumps(show))
    (tmp_path / "site.yml").write_text(yaml.safe_dump(given))
    words = [str(tmp_path / "show.yml"), "-e", f"@{tmp_path / 'site.yml'}"]
    done = run_ansible_playbook(words, environment_for(tmp_path, {}))
    assert done.returncode == 0, done.stdout
    said = done.stdout.partition("said=")[2].partition("=said")[0]
    assert json.loads(json.loads(f'"{said}"')) == {
        "nodes": ["worker-0", "worker-1"],
        "pools": ["infra", "worker"],
        "gates": [{"title": "shop"}],
        "guard": {
            "stanza": {"strategy": "RestrictiveUntil", "restrictiveUntil": "2099-01-01T00:00:00+00:00"},
            "policies": {},
        },
        "node_seconds": 60,
        "pipelining": False,
        "kubeconfig": None,
        "node_change": "direct",
        "problems": [],
    }
