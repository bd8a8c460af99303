# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""boot_image against a real API server: what is selected is brought to the right image, and only that."""

from __future__ import annotations

import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.tests.integration.boot_images.sites import (
    CONFIGURATION,
    MACHINE_SETS,
    OLD,
    RIGHT,
    VOUCHED,
    Site,
    outcomes,
)
from ansible_collections.fieldops.openshift.tests.integration.plays import run_play
from ansible_collections.fieldops.openshift.tests.lab.seed import boot_images

Json = dict[str, t.Any]


def test_all_are_brought_to_the_right_image(three: Site) -> None:
    done = three.change(**VOUCHED)
    assert done.changed is True
    assert outcomes(done.objects) == dict.fromkeys(("site-a", "site-b", "site-c"), "updated")
    assert set(three.images().values()) == {RIGHT}


def test_only_the_image_is_written(three: Site) -> None:
    before = three.provider("site-a")
    three.change(**VOUCHED)
    assert three.provider("site-a") == {**before, "ami": {"id": RIGHT}}


def test_again_changes_nothing(three: Site) -> None:
    three.change(**VOUCHED)
    mark = three.server.audit.mark()
    done = three.change(**VOUCHED)
    assert (done.changed, set(outcomes(done.objects).values())) == (False, {"unchanged"})
    assert three.server.audit.count(mark, verb="patch") == 0


def test_the_selection_is_kept_to(three: Site) -> None:
    three.change(names=["site-b"], **VOUCHED)
    assert three.images() == {"site-a": OLD, "site-b": RIGHT, "site-c": OLD}


def test_labels_select(three: Site) -> None:
    three.rest.merge(f"{MACHINE_SETS}/site-c", {"metadata": {"labels": {"site": "edge"}}})
    three.change(labels={"site": "edge"}, **VOUCHED)
    assert three.images() == {"site-a": OLD, "site-b": OLD, "site-c": RIGHT}


@pytest.mark.parametrize(
    "options",
    [{"all": False}, {"names": ["site-a"], "all": True}, {"names": ["nobody"]}],
    ids=["none", "both", "other"],
)
def test_a_vague_selection_is_refused(three: Site, options: Json) -> None:
    with pytest.raises(InvalidInputError, match="select machine resources"):
        three.change(**options)


def test_check_mode_is_tried_by_the_server_and_keeps_nothing(three: Site) -> None:
    versions = three.rest.get(MACHINE_SETS)["metadata"]["resourceVersion"]
    done = three.change(client=three.client(dry_run=True), **VOUCHED)
    assert done.changed is True
    assert done.diff is not None
    assert done.diff["after"]["MachineSet/site-a"] == {"ami": {"id": RIGHT}}
    assert set(three.images().values()) == {OLD}
    assert three.history() == []
    assert versions


def test_a_canary_first_and_the_others_when_it_is_proved(three: Site) -> None:
    first = three.change(canary=True, **VOUCHED).objects
    assert (first["canaries"], first["remaining"]) == (
        ["MachineSet/site-a"],
        ["MachineSet/site-b", "MachineSet/site-c"],
    )
    assert outcomes(first) == {"site-a": "updated", "site-b": "deferred", "site-c": "deferred"}
    again = three.change(canary=True, **VOUCHED)
    assert (again.changed, again.objects["canaries"]) == (False, ["MachineSet/site-a"])
    three.change(**VOUCHED)
    assert set(three.images().values()) == {RIGHT}


def test_what_the_operator_keeps_is_left_to_it(three: Site) -> None:
    three.change(names=["site-a"], **VOUCHED)
    managed = boot_images.managed_boot_images()
    three.rest.apply({**boot_images.machine_configuration(), "status": {"managedBootImagesStatus": managed}})
    noted, done = three.change(**VOUCHED), three.change(**VOUCHED)
    assert {action["kind"] for action in noted.actions or ()} <= {"ConfigMap"}, "only what is there is noted"
    assert (done.changed, outcomes(done.objects)["site-b"]) == (False, "left_to_operator")
    three.overwrite("site-a", ami="ami-strange")
    three.rest.delete(CONFIGURATION)


def test_as_a_user_runs_it(three: Site, tmp_path: Path) -> None:
    options = {"kubeconfig": str(three.server.kubeconfig), "names": ["site-a"], **VOUCHED}
    tried = run_play(tmp_path, {"fieldops.openshift.boot_image": options}, "--check", "--diff")
    assert (tried.result["changed"], three.images()["site-a"]) == (True, OLD)
    assert RIGHT in tried.output
    done = run_play(tmp_path, {"fieldops.openshift.boot_image": options}).result
    assert outcomes(done) == {"site-a": "updated"}
    assert [action["name"] for action in done["actions"] if action["kind"] == "MachineSet"] == ["site-a"]
    assert run_play(tmp_path, {"fieldops.openshift.boot_image": options}).result["changed"] is False
