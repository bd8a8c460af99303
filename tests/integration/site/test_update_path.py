# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Three releases from one bundle, taken by the real operators one after another. The tests build on one another."""

from __future__ import annotations

import json
import typing as t
from collections.abc import Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.demo.stage import Stage
from ansible_collections.fieldops.openshift.tests.integration.site.playbook_runs import run
from ansible_collections.fieldops.openshift.tests.lab.cluster_version_operator import VERSION
from ansible_collections.fieldops.openshift.tests.lab.operated import FOLLOWING, RUNNING

pytestmark = pytest.mark.long
CLOSED = {"strategy": "RestrictiveUntil", "restrictiveUntil": "2099-01-01T00:00:00Z"}
PATH = (FOLLOWING, "4.21.5", "4.22.1")
RISK = "PodsMayRestart"
NODES = ("master-0", "worker-0")


@pytest.fixture(scope="module")
def stage() -> Iterator[Stage]:
    with Stage(control_plane=1, workers=1) as stage:
        for version in PATH[1:]:
            stage.publish(version)
        yield stage


def write_graph(stage: Stage, file: Path) -> Path:
    """Write the update graph of the channel: the last update has a known risk."""
    versions = (RUNNING, *PATH)
    nodes = [{"version": one, "payload": str(stage.releases[one].reference.by_digest())} for one in versions]
    risk = {
        "name": RISK,
        "message": "Pods may restart.",
        "url": "https://issues.example/PodsMayRestart",
        "matchingRules": [{"type": "PromQL", "promql": {"promql": "vector(1)"}}],
    }
    conditional = {"edges": [{"from": PATH[1], "to": PATH[2]}], "risks": [risk]}
    file.write_text(
        json.dumps({"version": 1, "nodes": nodes, "edges": [[0, 1], [1, 2]], "conditionalEdges": [conditional]})
    )
    return file


def variables(stage: Stage, **more: t.Any) -> dict[str, t.Any]:
    return {**stage.update_site(), "site_accepted_risks": [RISK], **more}


def history(stage: Stage) -> list[tuple[str, str]]:
    """Return versions and states, the oldest first."""
    found = stage.lab.api.rest.get(VERSION)["status"]["history"]
    return [(one["version"], one["state"]) for one in reversed(found)]


def test_one_bundle_has_the_path_and_says_its_risk(stage: Stage) -> None:
    given = {
        **stage.create_bundle(),
        "site_release": PATH[-1],
        "site_update_from": [RUNNING],
        "site_update_graph": str(write_graph(stage, stage.folder / "graph.json")),
    }
    built = run(stage.command("create_bundle", given))
    assert built.status == 0, built.output
    assert f"the bundle of {', '.join(PATH)} is complete" in built.output
    assert f"risk {RISK} may apply" in built.output
    stage.lab.cut_registry()


def test_a_risk_that_is_not_accepted_stops_before_anything_is_staged(stage: Stage) -> None:
    before = stage.images_on(NODES[1])
    refused = run(stage.command("update_site", stage.update_site()))
    assert refused.status != 0
    assert f"risk {RISK}" in refused.output
    assert "Nothing was staged" in refused.output
    assert stage.images_on(NODES[1]) == before


def test_a_closed_window_leaves_all_images_of_the_path_on_the_nodes(stage: Stage) -> None:
    stopped = run(stage.command("update_site", variables(stage, site_change_stanza=CLOSED)))
    assert stopped.status != 0
    assert "It can continue at 2099-01-01 00:00:00 UTC" in stopped.output
    assert history(stage) == [(RUNNING, "Completed")]
    for node in NODES:
        held = stage.images_on(node)
        for version in PATH:
            names = [str(one.reference.by_digest()) for one in stage.releases[version].images]
            assert [held.get(name) for name in names] == [True] * len(names)


def test_one_run_takes_all_updates(stage: Stage) -> None:
    ended = run(stage.command("update_site", variables(stage)))
    assert ended.status == 0, ended.output
    assert "Nothing remains." in ended.output
    assert history(stage) == [(version, "Completed") for version in (RUNNING, *PATH)]


def test_the_worker_has_waited_and_was_rebooted_once(stage: Stage) -> None:
    boots = {name: host.boots for name, host in stage.lab.hosts.items()}
    assert boots == {"master-0": len(PATH), "worker-0": 1}


def test_one_more_run_changes_nothing(stage: Stage) -> None:
    again = run(stage.command("update_site", variables(stage)))
    assert (again.status, again.changed) == (0, 0), again.output


def test_the_inventory_lists_what_all_nodes_hold(stage: Stage) -> None:
    file = stage.folder / "inventory.json"
    command = stage.command("export_inventory", {"site_inventory": str(file)})
    written = run(command)
    assert written.status == 0, written.output
    document = json.loads(file.read_text())
    assert (document["version"], document["nodes"]) == (PATH[-1], [*NODES])
    held = {digest for group in document["groups"] if group["nodes"] == [*NODES] for digest in group["blobs"]}
    assert held >= {blob.digest.hex for blob in stage.releases[PATH[-1]].blobs}
    again = run(command)
    assert (again.status, again.changed) == (0, 0), again.output
