# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Role update_cluster as a play includes it, with the shipped rights: guard, lock, pause and restoration."""

from __future__ import annotations

import json
import typing as t
from collections.abc import Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.cluster_update.autoscaling import (
    HEALTH_CHECKS,
    MACHINE_AUTOSCALERS,
    health_check,
    machine_autoscaler,
    machine_set,
)
from ansible_collections.fieldops.openshift.tests.integration.cluster_update.releases import Releases
from ansible_collections.fieldops.openshift.tests.integration.cluster_update.role_runs import RolePlay
from ansible_collections.fieldops.openshift.tests.integration.cluster_update.updates import (
    NEXT,
    POOLS,
    VERSION,
    await_that,
    everything,
    requested,
)
from ansible_collections.fieldops.openshift.tests.integration.shipped_rights import grant
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.rest import Json
from ansible_collections.fieldops.openshift.tests.lab.seed.cluster import release_image

CLOSED: dict[str, t.Any] = {"stanza": {"strategy": "RestrictiveUntil", "restrictiveUntil": "2099-01-01T00:00:00Z"}}
PREPARED = "prepared"


@pytest.fixture(scope="module", autouse=True)
def _rights(own_server: ApiServer) -> None:
    grant(own_server.rest, "technician", "cluster-update.yml", "change-management-reader.yml", "rollout.yml")


@pytest.fixture
def wanted(signature: Json) -> dict[str, t.Any]:
    """The variables of the role that ask for the next release."""
    return {
        "update_cluster_image": release_image(NEXT),
        "update_cluster_version": NEXT,
        "update_cluster_signature_config_map": signature,
        "update_cluster_timeout": 300,
    }


@pytest.fixture
def role(site: ApiServer, tmp_path: Path) -> Iterator[RolePlay]:
    clear_automation(site)
    site.rest.apply_all([machine_set("a", 3), machine_autoscaler("a", 1, 6), health_check("worker")])
    yield RolePlay(tmp_path, site.kubeconfig_for("technician"), "update_cluster", ["update_cluster_summary"])
    # Some leave the update under way, and machines held.
    clear_automation(site)


def clear_automation(site: ApiServer) -> None:
    site.rest.delete(MACHINE_AUTOSCALERS)
    site.rest.delete(HEALTH_CHECKS)


@pytest.fixture
def preparation(tmp_path: Path) -> Path:
    """Tasks that note where the release stands when they are done."""
    release = {"image": release_image(NEXT), "version": NEXT}
    note = {"argv": ["tee", "-a", str(tmp_path / PREPARED)], "stdin": "{{ seen.release.state }}"}
    tasks = [
        {"name": "See it", "fieldops.openshift.cluster_update_info": release, "register": "seen"},
        {"name": "Note it", "ansible.builtin.command": note},
    ]
    path = tmp_path / "prepare.yml"
    path.write_text(json.dumps(tasks))
    return path


def noted(preparation: Path) -> list[str]:
    """Return where the release stood each time that the cluster was prepared for it."""
    notes = preparation.with_name(PREPARED)
    return notes.read_text().split() if notes.exists() else []


def limits(site: ApiServer) -> tuple[int, int]:
    spec = site.rest.get(f"{MACHINE_AUTOSCALERS}/a")["spec"]
    return spec["minReplicas"], spec["maxReplicas"]


def test_a_run_that_is_killed_is_gone_on_with_to_the_end(
    site: ApiServer, role: RolePlay, wanted: dict[str, t.Any], releases: Releases
) -> None:
    killed = role.start(**wanted)
    await_that(lambda: bool(requested(site.rest)) or killed.poll() is not None, "the release is asked for")
    killed.kill()
    output = killed.communicate()[0]
    assert requested(site.rest)["version"] == NEXT, output
    assert limits(site) == (3, 3), "machines are held before the release is asked for"
    with releases.operators(site):
        run = role.run(**wanted)
    summary = run.facts["update_cluster_summary"]
    assert (run.status, summary["outcome"], summary["state"]) == (0, "done", "completed"), run.output
    assert (summary["machines_held"], summary["left"], limits(site)) == (False, [], (1, 6))
    again = role.run(**wanted)
    assert "changed=0" in again.output
    assert again.facts["update_cluster_summary"]["outcome"] == "done"


@pytest.mark.parametrize("words", [(), ("--check",)], ids=["run", "check mode"])
def test_outside_the_window_nothing_is_changed(
    site: ApiServer, role: RolePlay, wanted: dict[str, t.Any], preparation: Path, words: tuple[str, ...]
) -> None:
    before = everything(site.rest)
    run = role.run(*words, **wanted, update_cluster_guard=CLOSED, update_cluster_prepare_tasks=str(preparation))
    assert everything(site.rest) == before
    summary = run.facts["update_cluster_summary"]
    assert (run.status, summary["outcome"], summary["next_permitted"]) == (0, "restricted", "2099-01-01T00:00:00Z")
    assert summary["reason"] in summary["sentence"]
    assert "until 2099-01-01" in summary["reason"]
    assert "changed=0" in run.output
    assert "Acquire the lock" not in run.output
    assert not noted(preparation)


def test_the_cluster_is_prepared_once_it_has_accepted_the_release(
    site: ApiServer, role: RolePlay, wanted: dict[str, t.Any], releases: Releases, preparation: Path
) -> None:
    told = {**wanted, "update_cluster_wait_for": "accepted", "update_cluster_prepare_tasks": str(preparation)}
    with releases.version_operator(site):
        assert role.run(**told).status == 0
        assert noted(preparation) == ["partial"]
        assert role.run(**told, update_cluster_guard=CLOSED).status == 0
    assert noted(preparation) == ["partial", "partial"], "a run after that prepares what came since"


def test_a_request_that_is_left_standing_is_taken_back_where_change_is_restricted(
    site: ApiServer, role: RolePlay, wanted: dict[str, t.Any], preparation: Path
) -> None:
    request = {"image": release_image(NEXT), "version": NEXT}
    site.rest.merge(VERSION, {"spec": {"desiredUpdate": request}})
    told = {**wanted, "update_cluster_restore": False, "update_cluster_prepare_tasks": str(preparation)}
    run = role.run(**told, update_cluster_guard=CLOSED)
    summary = run.facts["update_cluster_summary"]
    assert (run.status, summary["outcome"], summary["state"]) == (0, "restricted", "none"), run.output
    assert (requested(site.rest), noted(preparation)) == ({}, [])


def test_what_has_begun_although_change_became_restricted_is_not_left_alone(
    site: ApiServer, role: RolePlay, wanted: dict[str, t.Any], releases: Releases
) -> None:
    with releases.version_operator(site):
        assert role.run(**wanted, update_cluster_wait_for="accepted").status == 0
        restriction = {"outcome": "restricted", "reason": "it has closed", "next_permitted": ""}
        known = {"update_cluster_restriction": restriction, "update_cluster_found": {"preconditions": []}}
        left = {"update_cluster_reached": False, "update_cluster_left": []}
        run = role.run(tasks_from="end.yml", **wanted, **known, **left)
    assert run.status == 2
    assert "it has closed. The update has started nevertheless." in run.output


def test_a_refused_release_is_not_left_to_begin_by_itself_and_nothing_is_left_of_it(
    site: ApiServer, role: RolePlay, wanted: dict[str, t.Any], releases: Releases, preparation: Path
) -> None:
    unsigned = {
        **wanted,
        "update_cluster_signature_config_map": {},
        "update_cluster_restore": False,
        "update_cluster_patience": 0,
    }
    with releases.version_operator(site):
        run = role.run(**unsigned, update_cluster_prepare_tasks=str(preparation))
    summary = run.facts["update_cluster_summary"]
    assert (run.status, summary["outcome"], summary["state"]) == (2, "failed", "none"), run.output
    assert "The update cannot be verified: unable to verify sha256:" in run.output
    assert "was withdrawn before the update started" in summary["sentence"]
    assert (requested(site.rest), limits(site), noted(preparation)) == ({}, (1, 6), [])


def test_what_blocks_is_said_before_anything_is_changed(
    site: ApiServer, role: RolePlay, wanted: dict[str, t.Any]
) -> None:
    run = role.run(**wanted, update_cluster_nodes_without_images=["worker-1"])
    assert run.status == 2
    assert "not pinned on worker-1" in run.output
    assert "changed=0" in run.output
    assert (requested(site.rest), limits(site)) == ({}, (1, 6))


def test_machines_are_held_until_the_nodes_are_done_as_well(
    site: ApiServer, role: RolePlay, wanted: dict[str, t.Any], releases: Releases
) -> None:
    site.rest.merge(f"{POOLS}/master", {"spec": {"paused": True}})
    with releases.operators(site):
        first = role.run(**wanted, update_cluster_wait_for="operators").facts["update_cluster_summary"]
        held = limits(site)
        site.rest.merge(f"{POOLS}/master", {"spec": {"paused": False}})
        closed = role.run(**wanted, update_cluster_guard=CLOSED, update_cluster_restore=False)
        still = limits(site)
    given_back = role.run(tasks_from="restore.yml")
    assert (first["outcome"], first["waits_for_nodes"], first["machines_held"]) == ("done", True, True)
    assert held == (3, 3)
    second = closed.facts["update_cluster_summary"]
    assert (second["outcome"], second["state"]) == ("done", "completed"), "what was begun needs no permission again"
    assert (still, given_back.status, limits(site)) == ((3, 3), 0, (1, 6))


def test_check_mode_says_what_would_be_asked_for(site: ApiServer, role: RolePlay, wanted: dict[str, t.Any]) -> None:
    run = role.run("--check", "--diff", **wanted)
    assert (run.status, run.facts["update_cluster_summary"]["outcome"]) == (0, "planned"), run.output
    assert (requested(site.rest), limits(site)) == ({}, (1, 6))
