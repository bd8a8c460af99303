# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""History in the cluster and the ways back through it; stub Ignition forward and back."""

from __future__ import annotations

import json

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.errors import BootImageRefusedError
from ansible_collections.fieldops.openshift.tests.integration.boot_images.sites import (
    MACHINE_SETS,
    OLD,
    OWN,
    RIGHT,
    VOUCHED,
    Site,
    codes,
    outcomes,
)
from ansible_collections.fieldops.openshift.tests.lab.seed import boot_images


def test_history_says_who_changed_what(three: Site) -> None:
    three.change(names=["site-a"], **VOUCHED)
    (entry,) = three.history()
    assert (entry["resource"], entry["kind"], entry["applied"]) == ("MachineSet/site-a", "update", True)
    assert (entry["before"]["image"], entry["after"]["image"]) == (OLD, RIGHT)
    assert entry["by"]


def test_a_template_that_the_site_imported(site: Site) -> None:
    site.reset(platform="VSphere")
    site.add("site-a", platform="vsphere")
    assert outcomes(site.change().objects) == {"site-a": "needs_image"}
    site.change(site_images=[{"image": "rhcos-new", "release": boot_images.CURRENT}])
    assert site.provider("site-a")["template"] == "rhcos-new"
    site.change(state="reverted")
    assert site.provider("site-a")["template"] == f"{boot_images.CLUSTER}-rhcos"


@pytest.mark.parametrize(("platform", "form"), [("Azure", "azure"), ("GCP", "gcp"), ("BareMetal", "baremetal")])
def test_there_and_back_on_other_platforms(site: Site, platform: str, form: str) -> None:
    site.reset(platform=platform)
    site.add("site-a", platform=form)
    before = site.provider("site-a")
    site.change()
    assert site.provider("site-a") != before
    assert outcomes(site.change().objects) == {"site-a": "unchanged"}
    site.change(state="reverted")
    assert site.provider("site-a") == before


def test_back_to_earlier_points(site: Site) -> None:
    site.add("site-a")
    for image in ("ami-two", "ami-three"):
        document = boot_images.stream()
        document["architectures"]["x86_64"]["images"]["aws"]["regions"]["eu-central-1"]["image"] = image
        site.change(stream_document=document, **VOUCHED)
    second = site.history()[1]
    site.change(state="reverted", revert_to=second["id"])
    assert site.images() == {"site-a": "ami-two"}
    assert site.change(state="reverted", revert_to=second["id"]).changed is False
    site.change(state="reverted", revert_to="original")
    assert site.images() == {"site-a": OLD}
    site.change(state="reverted", revert_to=site.history()[-1]["at"])
    assert site.images() == {"site-a": "ami-two"}
    assert [entry["kind"] for entry in site.history()] == ["update", "update", "revert", "revert", "revert"]


def test_a_way_back_that_is_not_there(three: Site) -> None:
    done = three.change(state="reverted")
    assert (done.changed, set(outcomes(done.objects).values())) == (False, {"unchanged"})
    assert "no change that can be reverted" in done.objects["machine_resources"][0]["reason"]


def test_previous_goes_back_behind_the_last_change_of_somebody_else_and_no_further(site: Site) -> None:
    site.add("site-a")
    site.change(**VOUCHED)
    site.overwrite("site-a", "machine-config-controller", "ami-theirs")
    shown = site.look(history=True)["machine_resources"][0]["last_change"]
    done = site.change(state="reverted")
    assert site.images() == {"site-a": RIGHT}
    assert [(one["kind"], one["by"]) for one in done.objects["observed"]] == [("observed", "machine-config-controller")]
    assert (shown["kind"], shown["after"]["image"]) == ("observed", "ami-theirs")
    assert [entry["kind"] for entry in site.history()] == ["update", "observed", "revert"]
    assert site.change(state="reverted").changed is False


def test_what_was_there_at_the_first_look_is_noted_once(site: Site) -> None:
    site.add("site-a", ami={"id": RIGHT})
    first, again = site.change(), site.change()
    assert (first.changed, again.changed, again.objects["observed"]) == (True, False, [])
    site.overwrite("site-a", ami="ami-theirs")
    site.change(state="reverted", revert_to="original")
    assert site.images() == {"site-a": RIGHT}
    assert [entry["kind"] for entry in site.history()] == ["first_seen", "observed", "revert"]


def test_a_machine_set_that_was_made_again_does_not_go_back_to_what_its_namesake_had(site: Site) -> None:
    site.add("site-a")
    site.change(**VOUCHED)
    site.rest.delete(f"{MACHINE_SETS}/site-a")
    site.add("site-a", ami={"id": RIGHT})
    assert site.change(state="reverted", revert_to="original").changed is False
    assert site.images() == {"site-a": RIGHT}


def test_history_is_pruned(site: Site) -> None:
    site.add("site-a")
    for number in range(6):
        document = boot_images.stream()
        document["architectures"]["x86_64"]["images"]["aws"]["regions"]["eu-central-1"]["image"] = f"ami-{number}"
        site.change(stream_document=document, history_limit=3, **VOUCHED)
    assert [entry["after"]["image"] for entry in site.history()] == ["ami-0", "ami-3", "ami-4", "ami-5"]


def test_an_old_stub_is_converted_and_its_original_kept(three: Site) -> None:
    three.rest.apply(boot_images.user_data("2.2.0"))
    old = three.stub()
    done = three.change(**VOUCHED)
    assert done.objects["converted_stubs"] == ["worker-user-data"]
    assert three.stub()["ignition"]["version"] == "3.2.0"
    assert three.stub()["ignition"]["config"]["merge"] == old["ignition"]["config"]["append"]
    assert three.secret("worker-user-data")["disableTemplating"] == "true", "other keys stay"
    original = three.history()[0]["stub"]["original"]
    assert json.loads(three.secret(original, OWN)["userData"]) == old


def test_with_all_images_the_original_stub_goes_back(three: Site) -> None:
    three.rest.apply(boot_images.user_data("2.2.0"))
    old = three.stub()
    three.change(**VOUCHED)
    some = three.change(names=["site-a"], state="reverted")
    assert list(some.objects["kept_stubs"]) == ["worker-user-data"]
    assert some.warnings
    assert three.stub() != old
    every = three.change(state="reverted")
    assert every.objects["restored_stubs"] == ["worker-user-data"]
    assert three.stub() == old


@pytest.mark.parametrize(
    "content", ['{"ignition": {"version": "2.2.0"}, "networkd": {"units": [1]}}', "#cloud-config", ""]
)
def test_a_stub_that_cannot_be_converted_is_left_alone(three: Site, content: str) -> None:
    stub = boot_images.user_data("2.2.0")
    stub["stringData"]["userData"] = content
    three.rest.apply(stub)
    with pytest.raises(BootImageRefusedError, match="worker-user-data") as caught:
        three.change(**VOUCHED)
    assert set(codes(caught.value.partial).values()) == {"stub"}
    assert set(three.images().values()) == {OLD}
    assert three.secret("worker-user-data")["userData"] == content


def test_only_machine_sets_with_a_broken_stub_are_left_out_if_asked(three: Site) -> None:
    three.add("site-d", userDataSecret={"name": "there-is-none"})
    with pytest.raises(BootImageRefusedError, match="there-is-none"):
        three.change(keep_going=True, **VOUCHED)
    assert three.images() == {"site-a": RIGHT, "site-b": RIGHT, "site-c": RIGHT, "site-d": OLD}


def test_many_that_share_a_stub(site: Site) -> None:
    site.rest.apply(boot_images.user_data("2.2.0"))
    site.add(*(f"site-{number:03}" for number in range(120)))
    done = site.change(**VOUCHED)
    assert done.objects["summary"]["would_update"] == 120
    assert set(site.images().values()) == {RIGHT}
