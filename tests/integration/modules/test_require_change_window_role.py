# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The guard and the calendar as plays use them: one play for all stanzas, one for a cluster."""

from __future__ import annotations

import json
import re
import typing as t
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.enforce import carry_out
from ansible_collections.fieldops.openshift.tests.integration.modules.change_sites import (
    CONFIG_MAPS,
    WHY,
    Json,
    by_policy,
    client_of,
    closed_now,
    open_now,
    task,
)
from ansible_collections.fieldops.openshift.tests.integration.play_processes import run_ansible_playbook
from ansible_collections.fieldops.openshift.tests.integration.plays import environment_for
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.seed.healthy import healthy_cluster, plant

ROLE = "fieldops.openshift.require_change_window"


def guarded(name: str, variables: Json) -> Json:
    """Return tasks that include the guard and keep what came of it under ``name``."""
    variables = {f"require_change_window_{key}": value for key, value in variables.items()}
    kept = {name: {"verdict": "{{ require_change_window_verdict }}", "state": "{{ require_change_window_state }}"}}
    return {
        "block": [
            {"ansible.builtin.include_role": {"name": ROLE}, "vars": variables},
            {"ansible.builtin.set_fact": {"passed": "{{ passed | default([]) + ['" + name + "'] }}"}},
        ],
        "rescue": [
            {
                "ansible.builtin.set_fact": {
                    "refused": "{{ refused | default({}) | combine({'" + name + "': "
                    "ansible_failed_result.msg | string}) }}"
                }
            }
        ],
        "always": [{"ansible.builtin.set_fact": kept}],
    }


def play(folder: Path, tasks: list[Json], names: list[str], **settings: t.Any) -> tuple[str, Json]:
    """Run tasks as one play and return its output and the facts called ``names``."""
    facts = "{{ {" + ", ".join(f"'{name}': {name} | default(none)" for name in [*names, "passed", "refused"]) + "} }}"
    keep = {"ansible.builtin.copy": {"content": facts, "dest": str(folder / "facts.json"), "mode": "0600"}}
    whole = [
        {
            "hosts": "localhost",
            "gather_facts": False,
            "connection": "local",
            "vars": {"ansible_python_interpreter": "{{ ansible_playbook_python }}"},
            "tasks": [*tasks, keep],
            **settings,
        }
    ]
    (folder / "play.yml").write_text(json.dumps(whole))
    output = run_playbook(folder, str(folder / "play.yml"))
    return output, json.loads((folder / "facts.json").read_text())


def run_playbook(folder: Path, *words: str, fails: bool = False) -> str:
    done = run_ansible_playbook(["-i", "localhost,", *words], environment_for(folder, {}))
    assert (done.returncode != 0) is fails, done.stdout
    return done.stdout


def pause(seconds: int) -> Json:
    until = datetime.now(timezone.utc) + timedelta(seconds=seconds)
    return {"strategy": "RestrictiveUntil", "restrictiveUntil": f"{until:%Y-%m-%dT%H:%M:%SZ}"}


@pytest.fixture(scope="module")
def site() -> Iterator[ApiServer]:
    with ApiServer.start_openshift() as server:
        plant(server.rest, healthy_cluster("4.21.3", control_plane=1, workers=1))
        yield server


@pytest.mark.long
def test_the_guard_with_a_stanza_of_the_play(site: ApiServer, tmp_path: Path) -> None:
    nights = {"guard": {"stanza": by_policy("nights"), "policies": {"nights": closed_now()}}}
    days = {"stanza": by_policy("days"), "policies": {"days": open_now()}}
    cases: dict[str, Json] = {
        "awaited": {"guard": {"stanza": pause(20)}, "wait": 300, "jitter": 1},
        "emptied": {"guard": {"stanza": {}}},
        "closed": nights,
        "told": {**nights, "required": False},
        "far": {**nights, "wait": 600},
        "open": {"guard": {**days, "estimate": 60}},
        "short": {"guard": {**days, "estimate": 9000}, "wait": 600},
        "hopeless": {"guard": {**days, "estimate": 36000}},
    }
    defaults = {"group/fieldops.openshift.cluster": {"kubeconfig": str(site.kubeconfig)}}
    tasks = [guarded(name, case) for name, case in cases.items()]
    _output, facts = play(tmp_path, tasks, list(cases), module_defaults=defaults)
    assert facts["passed"] == ["awaited", "told", "open"]
    assert "change is restricted: the maintenance schedule of policy nights is closed" in facts["refused"]["closed"]
    assert "until 20" in facts["refused"]["closed"], "until when, in UTC"
    assert "it may take 2h 30m" in facts["refused"]["short"]
    assert "the longest window within two years lasts 3h" in facts["refused"]["hopeless"]
    assert "is not a stanza" in facts["refused"]["emptied"]
    told = facts["told"]["verdict"]
    assert (told["permitted"], told["next_permitted"]) == (False, facts["told"]["state"]["next_transition"])
    assert facts["open"]["verdict"]["next_permitted"] == ""
    assert facts["short"]["verdict"]["next_permitted"] > facts["short"]["state"]["next_transition"]


def test_the_guard_asks_the_cluster(site: ApiServer, tmp_path: Path) -> None:
    worker = {"kind": "MachineConfigPool", "name": "worker"}
    until = datetime.now(timezone.utc) + timedelta(seconds=30)
    stop = {"strategy": "Restrictive", "until": f"{until:%Y-%m-%dT%H:%M:%SZ}", "reason": WHY}
    tasks = [
        guarded("before", worker),
        task(site, "change_override", **worker, **stop),
        guarded("stopped", worker),
        guarded("awaited", {**worker, "wait": 200}),
    ]
    defaults = {"group/fieldops.openshift.cluster": {"kubeconfig": str(site.kubeconfig)}}
    output, facts = play(tmp_path, tasks, ["awaited"], module_defaults=defaults)
    assert facts["passed"] == ["before", "awaited"]
    assert WHY in facts["refused"]["stopped"]
    assert facts["awaited"]["verdict"]["permitted"] is True
    assert "change is permitted for MachineConfigPool worker" in output, "waiting shows how things go on"


def test_the_calendar_as_text_page_and_metrics(site: ApiServer, tmp_path: Path) -> None:
    page, metrics = tmp_path / "calendar.html", tmp_path / "change_management.prom"
    feed = tmp_path / "calendar.ics"
    interpreter = "ansible_python_interpreter={{ ansible_playbook_python }}"
    words = [
        interpreter,
        f"site_kubeconfig={site.kubeconfig}",
        f"site_calendar_page={page}",
        f"site_metrics_file={metrics}",
        f"site_calendar_feed={feed}",
        "site_time_zone=Europe/Oslo",
    ]
    extra = [word for given in words for word in ("-e", given)]
    output = run_playbook(tmp_path, "fieldops.openshift.show_maintenance_calendar", *extra)
    assert "MachineConfigPool worker" in output
    content = page.read_text()
    assert content.startswith("<!DOCTYPE html>")
    assert "<script" not in content
    assert "http://" not in content.replace("http-equiv", "")
    assert "https://" not in content
    assert feed.read_bytes().startswith(b"BEGIN:VCALENDAR\r\n"), "its lines end as the format has it"
    lines = metrics.read_text().splitlines()
    assert 'change_management_next_change_eta{kind="ClusterVersion",object="version",system="control-plane"} 0' in lines
    assert sum(line.startswith("# TYPE") for line in lines) == 11


def test_stop_and_permit_are_one_command(site: ApiServer, tmp_path: Path) -> None:
    given = {"site_kubeconfig": str(site.kubeconfig), "site_time_zone": "Europe/Berlin"}
    interpreter = "ansible_python_interpreter={{ ansible_playbook_python }}"
    known = ["-e", json.dumps(given), "-e", interpreter]
    why = ["-e", "reason='nodes do not come back'"]

    def kept() -> Json:
        path = f"{CONFIG_MAPS}/change-overrides"
        return site.rest.get(path)["data"] if site.rest.exists(path) else {}

    before = kept()
    checked = run_playbook(tmp_path, "--check", "fieldops.openshift.stop_changes", *known, *why)
    assert checked.count("change is restricted: system:admin set it restrictive: nodes do not come back") == 3
    assert kept() == before, "nothing is written"
    stopped = run_playbook(tmp_path, "fieldops.openshift.stop_changes", *known, *why)
    for title in ("ClusterVersion version", "MachineConfigPool master", "MachineConfigPool worker"):
        said = f"{title}: change is restricted: system:admin set it restrictive: nodes do not come back"
        assert said in stopped, "what is in force"
    permitted = run_playbook(tmp_path, "fieldops.openshift.permit_changes", *known, *why, "-e", "for=4h")
    assert permitted.count("change is permitted: system:admin set it permissive: nodes do not come back") == 3
    ended = run_playbook(tmp_path, "fieldops.openshift.permit_changes", *known, *why, "-e", "end=true")
    assert ended.count("the resource has no change management") == 3
    one = run_playbook(tmp_path, "fieldops.openshift.stop_changes", *known, *why, "-e", "pools=worker", "-e", "for=1h")
    assert one.count("change is restricted: system:admin") == 1
    assert re.search(r"until 20\S+Z \(\w{3} 20\S+ \d\d:\d\d CES?T\), for", one), "local time beside UTC"
    run_playbook(tmp_path, "fieldops.openshift.stop_changes", *known, *why, "-e", "pools=worker", "-e", "end=true")
    kept_before = kept()
    refused = run_playbook(tmp_path, "fieldops.openshift.stop_changes", *known, *why, "-e", "pool=worker", fails=True)
    assert "There is no variable pool of stop_changes; the nearest one is pools." in refused
    assert kept() == kept_before, "a misspelled word restricts nothing"


def test_what_the_inventory_restricts_stays_enforced_when_a_stop_begins_and_ends(
    site: ApiServer, tmp_path: Path
) -> None:
    given = {
        "site_kubeconfig": str(site.kubeconfig),
        "site_change_stanza": {"strategy": "Restrictive"},
        "site_change_lifetime": "3h",
    }
    known = ["-e", json.dumps(given), "-e", "ansible_python_interpreter={{ ansible_playbook_python }}"]
    stop = ["fieldops.openshift.stop_changes", *known, "-e", "reason='nodes do not come back'", "-e", "pools=worker"]
    pools = "/apis/machineconfiguration.openshift.io/v1/machineconfigpools"
    state = f"{CONFIG_MAPS}/change-state"

    def enforced() -> list[Json]:
        return [
            {"paused": pool["spec"]["paused"], "mark": pool["metadata"]["labels"].get("fieldops.openshift/enforced")}
            for pool in (site.rest.get(f"{pools}/{name}") for name in ("master", "worker"))
        ]

    def published_hours() -> float:
        moments = [datetime.fromisoformat(site.rest.get(state)["data"][key][:-1]) for key in ("published", "expires")]
        return (moments[1] - moments[0]).total_seconds() / 3600

    run_playbook(tmp_path, "fieldops.openshift.enforce_changes", *known)
    try:
        closed = enforced()
        assert closed == [{"paused": True, "mark": "paused"}] * 2
        output = run_playbook(tmp_path, *stop)
        assert (enforced(), published_hours()) == (closed, 3)
        assert output.count("change is restricted: the resource is restrictive") == 2, "both of the control plane"
        run_playbook(tmp_path, *stop, "-e", "end=true")
        assert enforced() == closed
    finally:
        with client_of(site) as client:
            carry_out(client, {"state": "absent", "guard": None, "lifetime": "1h", "if_enforced": False})
