# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the API server refuses, and what cannot be judged: nothing half done, a reason for each."""

from __future__ import annotations

from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.errors import BootImageRefusedError
from ansible_collections.fieldops.openshift.tests.integration.boot_images.refusals import refusing
from ansible_collections.fieldops.openshift.tests.integration.boot_images.sites import (
    OLD,
    RIGHT,
    VOUCHED,
    Site,
    codes,
    outcomes,
)
from ansible_collections.fieldops.openshift.tests.integration.plays import run_play
from ansible_collections.fieldops.openshift.tests.lab.seed import boot_images, cluster


def test_check_mode_hears_the_server_s_refusal(three: Site) -> None:
    with refusing(three, "site-b"):
        with pytest.raises(BootImageRefusedError, match="site-b") as caught:
            three.change(client=three.client(dry_run=True), **VOUCHED)
        assert codes(caught.value.partial)["site-b"] == "refused"
        assert "the site says no" in str(caught.value)


def test_a_refusal_stops_and_what_is_done_stays_done(three: Site) -> None:
    with refusing(three, "site-b"):
        with pytest.raises(BootImageRefusedError) as caught:
            three.change(**VOUCHED)
        assert outcomes(caught.value.partial) == {"site-a": "updated", "site-b": "failed", "site-c": "failed"}
        assert codes(caught.value.partial)["site-c"] == "not_tried"
        assert three.images() == {"site-a": RIGHT, "site-b": OLD, "site-c": OLD}
        assert [entry["resource"] for entry in three.history()] == ["MachineSet/site-a"]
        with pytest.raises(BootImageRefusedError):
            three.change(keep_going=True, **VOUCHED)
        assert three.images() == {"site-a": RIGHT, "site-b": OLD, "site-c": RIGHT}


def test_nothing_is_changed_while_one_cannot_be_judged(three: Site) -> None:
    three.add("site-d", ami="half written")
    with pytest.raises(BootImageRefusedError, match="site-d") as caught:
        three.change(**VOUCHED)
    assert codes(caught.value.partial)["site-a"] == "not_tried"
    assert set(three.images_of("site-a", "site-b", "site-c")) == {OLD}
    with pytest.raises(BootImageRefusedError, match="site-d"):
        three.change(keep_going=True, **VOUCHED)
    assert set(three.images_of("site-a", "site-b", "site-c")) == {RIGHT}


def test_no_stub_is_converted_for_an_image_that_is_refused(three: Site) -> None:
    three.rest.apply(boot_images.user_data("2.2.0"))
    old = three.stub()
    with refusing(three, "site-a"):
        with pytest.raises(BootImageRefusedError):
            three.change(**VOUCHED)
        assert three.stub() == old


def test_while_the_release_moves_nothing_is_changed_unless_asked(three: Site) -> None:
    moving = cluster.cluster_version("4.22.5")
    moving["status"]["history"][0].update(state="Partial", completionTime=None)
    three.rest.apply(moving)
    with pytest.raises(BootImageRefusedError, match="not complete") as caught:
        three.change(**VOUCHED)
    assert caught.value.transient
    three.change(even_while_updating=True, **VOUCHED)
    assert set(three.images().values()) == {RIGHT}


def test_images_of_another_release_than_the_operator_s(three: Site) -> None:
    found = boot_images.coreos_bootimages("4.22.5")
    found["data"]["MCOReleaseImageVersion"] = "4.21.9"
    three.rest.apply(found)
    with pytest.raises(BootImageRefusedError, match=r"is still at 4\.21\.9"):
        three.change(**VOUCHED)


def test_a_failure_as_a_user_sees_it(three: Site, tmp_path: Path) -> None:
    three.add("site-d", ami="half written")
    options = {"kubeconfig": str(three.server.kubeconfig), "all": True, **VOUCHED}
    found = run_play(tmp_path, {"fieldops.openshift.boot_image": options}).result
    assert (found["failed"], found["changed"], found["error"]["kind"]) == (True, False, "boot_image_refused")
    assert codes(found)["site-d"] == "half_written"
