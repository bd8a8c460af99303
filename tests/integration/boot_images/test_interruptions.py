# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What happens between: other writers, deletions, kills, outages, and answers that get lost."""

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.errors import BootImageRefusedError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.tests.integration.boot_images.meddling import (
    Killed,
    killed_after,
    lossy,
    meddled,
)
from ansible_collections.fieldops.openshift.tests.integration.boot_images.sites import (
    MACHINE_SETS,
    OLD,
    RIGHT,
    VOUCHED,
    Site,
    codes,
    outcomes,
)
from ansible_collections.fieldops.openshift.tests.lab.seed import boot_images


def test_who_keeps_writing_is_named_and_wins(site: Site) -> None:
    site.add("site-a")
    for _round in range(3):
        site.change(**VOUCHED)
        site.overwrite("site-a")
    found = site.look()["machine_resources"][0]
    assert (found["overwritten"], found["writers"][0]["manager"], found["would_update"]) == (
        3,
        "argocd-controller",
        False,
    )
    with pytest.raises(BootImageRefusedError, match="argocd-controller"):
        site.change(**VOUCHED)
    assert site.images() == {"site-a": OLD}
    site.change(even_if_overwritten=True, **VOUCHED)
    assert site.images() == {"site-a": RIGHT}


def test_a_change_of_the_status_meanwhile_is_no_conflict(three: Site) -> None:
    def scale(name: str) -> None:
        three.rest.merge(f"{MACHINE_SETS}/{name}", {"metadata": {"annotations": {"machine.openshift.io/vCPU": "4"}}})

    three.change(client=meddled(three, scale), **VOUCHED)
    assert set(three.images().values()) == {RIGHT}


def test_a_change_of_the_image_meanwhile_is_a_conflict(three: Site) -> None:
    def meddle(name: str) -> None:
        if name == "site-b":
            three.overwrite(name, ami="ami-of-somebody")

    with pytest.raises(BootImageRefusedError, match="site-b") as caught:
        three.change(client=meddled(three, meddle), keep_going=True, **VOUCHED)
    assert codes(caught.value.partial)["site-b"] == "conflict"
    assert three.images() == {"site-a": RIGHT, "site-b": "ami-of-somebody", "site-c": RIGHT}
    assert {entry["resource"] for entry in three.history()} == {"MachineSet/site-a", "MachineSet/site-c"}


def test_one_that_is_deleted_meanwhile(three: Site) -> None:
    def meddle(name: str) -> None:
        if name == "site-b":
            three.rest.delete(f"{MACHINE_SETS}/{name}")

    with pytest.raises(BootImageRefusedError, match="site-b") as caught:
        three.change(client=meddled(three, meddle), keep_going=True, **VOUCHED)
    assert codes(caught.value.partial)["site-b"] == "deleted"
    assert set(three.images().values()) == {RIGHT}


@pytest.mark.parametrize("point", range(1, 8))
def test_a_run_that_is_killed_anywhere_is_taken_up_again(three: Site, point: int) -> None:
    three.rest.apply(boot_images.user_data("2.2.0"))
    old = three.stub()
    with pytest.raises(Killed):
        three.change(client=killed_after(three, point), **VOUCHED)
    three.change(**VOUCHED)
    assert set(three.images().values()) == {RIGHT}
    three.change(state="reverted", revert_to="original")
    assert set(three.images().values()) == {OLD}
    assert three.stub() == old


@pytest.mark.parametrize("lost", ["request", "answer"])
def test_what_got_lost_on_the_way_is_looked_up(three: Site, lost: str) -> None:
    done = three.change(client=lossy(three, lost), **VOUCHED)
    assert outcomes(done.objects) == dict.fromkeys(("site-a", "site-b", "site-c"), "updated")
    assert set(three.images().values()) == {RIGHT}
    assert all(entry["applied"] for entry in three.history())


def test_an_outage_between_is_an_error_and_running_again_ends_well(three: Site) -> None:
    def stop(name: str) -> None:
        if name == "site-b":
            three.server.stop()

    try:
        with pytest.raises(FieldOpsError):
            three.change(client=meddled(three, stop), **VOUCHED)
    finally:
        three.server.start()
    three.change(**VOUCHED)
    assert set(three.images().values()) == {RIGHT}
    three.change(state="reverted", revert_to="original")
    assert set(three.images().values()) == {OLD}
