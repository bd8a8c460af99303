# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""boot_image against a real API server: forward, back, and everything that can come between."""

from __future__ import annotations

import json
import time
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.errors import BootImageRefusedError
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError, InvalidInputError
from ansible_collections.fieldops.openshift.tests.integration.boot_images.sites import (
    CONFIGURATION,
    MACHINE_SETS,
    OLD,
    OWN,
    RIGHT,
    Site,
    codes,
    outcomes,
)
from ansible_collections.fieldops.openshift.tests.integration.plays import run_play
from ansible_collections.fieldops.openshift.tests.lab.errors import LabApiError
from ansible_collections.fieldops.openshift.tests.lab.seed import boot_images, cluster

Json = dict[str, t.Any]
VOUCHED = {"vouched_images": [OLD]}


@pytest.fixture
def three(site: Site) -> Site:
    """Three MachineSets with an old image."""
    site.add("site-a", "site-b", "site-c")
    return site


class Meddled(ClusterClient):
    """A client during whose changes of MachineSets something else happens: ``before`` is called with each name."""

    before: t.Callable[[str], None] = staticmethod(len)

    def patch(self, kind: t.Any, name: str, *words: t.Any, **options: t.Any) -> t.Any:
        if kind.kind == "MachineSet":
            self.before(name)
        return super().patch(kind, name, *words, **options)


def meddled(site: Site, before: t.Callable[[str], None]) -> Meddled:
    client = site.client(form=Meddled)
    assert isinstance(client, Meddled)
    client.before = before
    return client


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


def test_history_says_who_changed_what(three: Site) -> None:
    three.change(names=["site-a"], **VOUCHED)
    (entry,) = three.history()
    assert (entry["resource"], entry["kind"], entry["applied"]) == ("MachineSet/site-a", "update", True)
    assert (entry["before"]["image"], entry["after"]["image"]) == (OLD, RIGHT)
    assert entry["by"]


def test_check_mode_is_tried_by_the_server_and_keeps_nothing(three: Site) -> None:
    versions = three.rest.get(MACHINE_SETS)["metadata"]["resourceVersion"]
    done = three.change(client=three.client(dry_run=True), **VOUCHED)
    assert done.changed is True
    assert done.difference is not None
    assert done.difference["after"]["MachineSet/site-a"] == {"ami": {"id": RIGHT}}
    assert set(three.images().values()) == {OLD}
    assert three.history() == []
    assert versions


def test_check_mode_hears_the_server_s_refusal(three: Site) -> None:
    three.rest.apply_all(refusal_of("site-b"))
    try:
        await_refusal(three, "site-b")
        with pytest.raises(BootImageRefusedError, match="site-b") as caught:
            three.change(client=three.client(dry_run=True), **VOUCHED)
        assert codes(caught.value.partial)["site-b"] == "refused"
        assert "the site says no" in str(caught.value)
    finally:
        three.rest.delete(POLICIES)
        three.rest.delete(BINDINGS)


def test_a_refusal_stops_and_what_is_done_stays_done(three: Site) -> None:
    three.rest.apply_all(refusal_of("site-b"))
    try:
        await_refusal(three, "site-b")
        with pytest.raises(BootImageRefusedError) as caught:
            three.change(**VOUCHED)
        assert outcomes(caught.value.partial) == {"site-a": "updated", "site-b": "failed", "site-c": "failed"}
        assert codes(caught.value.partial)["site-c"] == "not_tried"
        assert three.images() == {"site-a": RIGHT, "site-b": OLD, "site-c": OLD}
        assert [entry["resource"] for entry in three.history()] == ["MachineSet/site-a"]
        with pytest.raises(BootImageRefusedError):
            three.change(keep_going=True, **VOUCHED)
        assert three.images() == {"site-a": RIGHT, "site-b": OLD, "site-c": RIGHT}
    finally:
        three.rest.delete(POLICIES)
        three.rest.delete(BINDINGS)


def test_nothing_is_changed_while_one_cannot_be_judged(three: Site) -> None:
    three.add("site-d", ami="half written")
    with pytest.raises(BootImageRefusedError, match="site-d") as caught:
        three.change(**VOUCHED)
    assert codes(caught.value.partial)["site-a"] == "not_tried"
    assert set(three.images_of("site-a", "site-b", "site-c")) == {OLD}
    with pytest.raises(BootImageRefusedError, match="site-d"):
        three.change(keep_going=True, **VOUCHED)
    assert set(three.images_of("site-a", "site-b", "site-c")) == {RIGHT}


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
    assert "no change that could be undone" in done.objects["machine_resources"][0]["reason"]


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


def test_no_stub_is_converted_for_an_image_that_is_refused(three: Site) -> None:
    three.rest.apply(boot_images.user_data("2.2.0"))
    old = three.stub()
    three.rest.apply_all(refusal_of("site-a"))
    try:
        await_refusal(three, "site-a")
        with pytest.raises(BootImageRefusedError):
            three.change(**VOUCHED)
        assert three.stub() == old
    finally:
        three.rest.delete(POLICIES)
        three.rest.delete(BINDINGS)


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


def test_what_the_operator_keeps_is_left_to_it(three: Site) -> None:
    three.change(names=["site-a"], **VOUCHED)
    managed = boot_images.managed_boot_images()
    three.rest.apply({**boot_images.machine_configuration(), "status": {"managedBootImagesStatus": managed}})
    done = three.change(**VOUCHED)
    assert (done.changed, outcomes(done.objects)["site-b"]) == (False, "left_to_operator")
    three.overwrite("site-a", ami="ami-strange")
    three.rest.delete(CONFIGURATION)


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


class Killed(BaseException):
    """The end of the process."""


@pytest.mark.parametrize("point", range(1, 9))
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


def test_while_the_release_moves_nothing_is_changed_unless_asked(three: Site) -> None:
    moving = cluster.cluster_version("4.22.5")
    moving["status"]["history"][0].update(state="Partial", completionTime=None)
    three.rest.apply(moving)
    with pytest.raises(BootImageRefusedError, match="not completed") as caught:
        three.change(**VOUCHED)
    assert caught.value.transient
    three.change(even_while_updating=True, **VOUCHED)
    assert set(three.images().values()) == {RIGHT}


def test_images_of_another_release_than_the_operator_s(three: Site) -> None:
    found = boot_images.coreos_bootimages("4.22.5")
    found["data"]["MCOReleaseImageVersion"] = "4.21.9"
    three.rest.apply(found)
    with pytest.raises(BootImageRefusedError, match=r"still is at 4\.21\.9"):
        three.change(**VOUCHED)


def test_many_that_share_a_stub(site: Site) -> None:
    site.rest.apply(boot_images.user_data("2.2.0"))
    site.add(*(f"site-{number:03}" for number in range(120)))
    done = site.change(**VOUCHED)
    assert done.objects["summary"]["would_update"] == 120
    assert set(site.images().values()) == {RIGHT}


def test_as_a_user_runs_it(three: Site, tmp_path: Path) -> None:
    options = {"kubeconfig": str(three.server.kubeconfig), "names": ["site-a"], **VOUCHED}
    tried = run_play(tmp_path, {"fieldops.openshift.boot_image": options}, "--check", "--diff")
    assert (tried.result["changed"], three.images()["site-a"]) == (True, OLD)
    assert RIGHT in tried.output
    done = run_play(tmp_path, {"fieldops.openshift.boot_image": options}).result
    assert outcomes(done) == {"site-a": "updated"}
    assert [action["name"] for action in done["actions"] if action["kind"] == "MachineSet"] == ["site-a"]
    assert run_play(tmp_path, {"fieldops.openshift.boot_image": options}).result["changed"] is False


def test_a_failure_as_a_user_sees_it(three: Site, tmp_path: Path) -> None:
    three.add("site-d", ami="half written")
    options = {"kubeconfig": str(three.server.kubeconfig), "all": True, **VOUCHED}
    found = run_play(tmp_path, {"fieldops.openshift.boot_image": options}).result
    assert (found["failed"], found["changed"], found["error"]["kind"]) == (True, False, "boot_image_refused")
    assert codes(found)["site-d"] == "half_written"


POLICIES = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies/no-change"
BINDINGS = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings/no-change"


def refusal_of(name: str) -> list[Json]:
    """Return an admission policy that lets nobody change a MachineSet's image, as a site may have one."""
    api = "admissionregistration.k8s.io/v1"
    rule = {
        "apiGroups": ["machine.openshift.io"],
        "apiVersions": ["*"],
        "operations": ["UPDATE"],
        "resources": ["machinesets"],
    }
    same = "object.spec.template.spec.providerSpec == oldObject.spec.template.spec.providerSpec"
    validation = {"expression": f"object.metadata.name != '{name}' || {same}", "message": "the site says no"}
    spec = {"matchConstraints": {"resourceRules": [rule]}, "validations": [validation], "failurePolicy": "Fail"}
    return [
        {
            "apiVersion": api,
            "kind": "ValidatingAdmissionPolicy",
            "metadata": {"name": "no-change"},
            "spec": spec,
        },
        {
            "apiVersion": api,
            "kind": "ValidatingAdmissionPolicyBinding",
            "metadata": {"name": "no-change"},
            "spec": {"policyName": "no-change", "validationActions": ["Deny"]},
        },
    ]


def await_refusal(site: Site, name: str) -> None:
    """Wait until the server has compiled the policy."""
    value = {"spec": {"template": {"spec": {"providerSpec": {"value": {"probe": "x"}}}}}}
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            site.rest.merge(f"{MACHINE_SETS}/{name}", value, dryRun="All")
        except LabApiError:
            return
        time.sleep(0.1)
    raise AssertionError("the policy never came into force")


def killed_after(site: Site, writes: int) -> ClusterClient:
    """Return a client that ends the process after so many writes: nothing gets through any more."""
    client = site.client()
    left = [writes]
    send = client.transport.send

    def counted(call: t.Any, **options: t.Any) -> t.Any:
        if left[0] <= 0:
            raise Killed
        answer = send(call, **options)
        if call.verb in ("create", "patch") and "reviews" not in call.kind.kind.lower():
            left[0] -= 1
        return answer

    client.transport.send = counted  # type: ignore[method-assign]
    return client
