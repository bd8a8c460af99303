# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Orders for OS images on the real API server, with the operator's controllers played by actors."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.do.machine_os_config import (
    machine_os_config_step,
    read_pool_images,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.do.machine_os_config_outcome import (
    BuildFailedError,
    ImageOverriddenError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.image_mode_history import (
    ImageHistoryError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import (
    InvalidInputError,
    MissingRequirementError,
)
from ansible_collections.fieldops.openshift.tests.integration.image_mode.building import (
    BASE,
    GROUP,
    HISTORY,
    OTHER_PART,
    PART,
    PUSH,
    REPOSITORY,
    BuildingSite,
    follow,
    request,
)
from ansible_collections.fieldops.openshift.tests.integration.image_mode.conftest import Connect
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_os_config_logs import BuildLogs

ROLLED_OUT: t.Final = {"wait_for": "rolled_out"}


def test_an_image_is_built_and_rolled_out(site: BuildingSite, connect: Connect) -> None:
    with site.operator(), connect() as door:
        work, sentences = follow(door, request(PART, **ROLLED_OUT))
        again = machine_os_config_step(door, request(PART, **ROLLED_OUT))
    image = work.objects["machine_os_config"]["image"]
    assert image in site.registry
    assert image.startswith(f"{REPOSITORY}@sha256:")
    assert site.images() == {image}
    assert work.objects["build"]["state"] == "succeeded"
    assert sentences[-1] == f"2 of 2 nodes of pool worker have {image}"
    assert (again.changed, again.done) == (False, True)


def test_the_order_is_what_the_api_takes(site: BuildingSite, connect: Connect) -> None:
    with connect() as door:
        machine_os_config_step(door, request(PART))
    order = site.order()
    assert order is not None
    assert order["spec"] == {
        "machineConfigPool": {"name": "worker"},
        "imageBuilder": {"imageBuilderType": "Job"},
        "renderedImagePushSpec": PUSH,
        "renderedImagePushSecret": {"name": "os-image-push"},
        "containerFile": [{"containerfileArch": "NoArch", "content": PART}],
    }


def test_held_nodes_take_nothing_until_they_are_let_go(site: BuildingSite, connect: Connect) -> None:
    site.pause(True)
    with site.operator(), connect() as door:
        held, _unused = follow(door, request(PART))
        waiting = machine_os_config_step(door, request(PART, **ROLLED_OUT))
        assert site.images() == {""}
        site.pause(False)
        rolled, _unused = follow(door, request(PART, **ROLLED_OUT))
    assert [one.objects["machine_os_config"]["paused"] for one in (held, waiting, rolled)] == [True, True, False]
    assert waiting.sentence.endswith("; the pool is paused")
    assert site.images() == {held.objects["machine_os_config"]["image"]}


def test_a_rollback_rolls_forward_to_the_image_of_before_and_is_no_toggle(site: BuildingSite, connect: Connect) -> None:
    with site.operator(), connect() as door:
        first, _unused = follow(door, request(PART, **ROLLED_OUT))
        second, _unused = follow(door, request(OTHER_PART, **ROLLED_OUT))
        back, _unused = follow(door, request(state="rolled_back", **ROLLED_OUT))
        again, _unused = follow(door, request(state="rolled_back", **ROLLED_OUT))
    images = [one.objects["machine_os_config"]["image"] for one in (first, second, back, again)]
    assert images == [images[0], images[1], images[0], images[0]]
    assert images[0] != images[1]
    assert back.objects["machine_os_config"]["image_as_before"] is True
    assert (again.changed, site.images()) == (False, {images[0]})


@pytest.mark.xfail(
    strict=True,
    raises=pytest.fail.Exception,
    reason="before OCPBUGS-63006 nodes get, of two builds of one configuration, the first by name, or wait for ever",
)
def test_older_releases_go_back_to_the_image_of_before(site: BuildingSite, connect: Connect) -> None:
    with site.operator(), connect() as door:
        for part in (PART, OTHER_PART):
            follow(door, request(part, **ROLLED_OUT))
    with site.operator(named_builds=False), connect() as door:
        try:
            follow(door, request(state="rolled_back", **ROLLED_OUT), seconds=10)
        except AssertionError as error:
            pytest.fail(f"{error}")


def test_a_rollback_whose_image_is_gone_is_built_again_and_says_so(site: BuildingSite, connect: Connect) -> None:
    with site.operator(), connect() as door:
        first, _unused = follow(door, request(PART))
        follow(door, request(OTHER_PART))
        site.registry.discard(first.objects["machine_os_config"]["image"])
        back, _unused = follow(door, request(state="rolled_back"))
    assert back.objects["machine_os_config"]["image"] != first.objects["machine_os_config"]["image"]
    assert back.objects["machine_os_config"]["image_as_before"] is False


def test_opting_out_and_back_in(site: BuildingSite, connect: Connect) -> None:
    with site.operator(), connect() as door:
        follow(door, request(PART, **ROLLED_OUT))
        out, _unused = follow(door, request(state="absent", **ROLLED_OUT))
        assert (site.order(), site.images()) == (None, {""})
        back, _unused = follow(door, request(state="rolled_back", **ROLLED_OUT))
    assert out.objects["machine_os_config"]["image"] == site.release_image
    assert out.objects["machine_os_config"]["wanted"]["is_release"] is True
    assert site.images() == {back.objects["machine_os_config"]["image"]}


def test_an_image_by_digest_becomes_the_base(site: BuildingSite, connect: Connect) -> None:
    with site.operator(), connect() as door:
        work, _unused = follow(door, request(os_image_url=BASE, **ROLLED_OUT))
        assert site.base() == BASE
        follow(door, request(state="rolled_back", **ROLLED_OUT))
    assert (work.objects["machine_os_config"]["image"], work.objects["build"]) == (BASE, {})
    assert site.base() == ""


def test_a_build_waits_for_the_base_that_it_is_built_on(site: BuildingSite, connect: Connect) -> None:
    with connect() as door:
        first = machine_os_config_step(door, request(PART, os_image_url=BASE))
        with site.operator():
            work, sentences = follow(door, request(PART, os_image_url=BASE))
    assert first.sentence == "the configuration of pool worker is being rendered"
    rendered = site.rest.get(f"{GROUP}/machineconfigs/{work.objects['build']['config']}")
    assert rendered["spec"]["osImageURL"] == BASE
    assert len(site.builds()) == 1, sentences


def test_another_config_that_has_the_last_word_is_named(site: BuildingSite, connect: Connect) -> None:
    metadata = {"name": "99-worker-zz", "labels": {"machineconfiguration.openshift.io/role": "worker"}}
    spec = {"osImageURL": f"{REPOSITORY}@sha256:{'0a' * 32}", "config": {"ignition": {"version": "3.5.0"}}}
    site.rest.apply(
        {"apiVersion": GROUP.removeprefix("/apis/"), "kind": "MachineConfig", "metadata": metadata, "spec": spec}
    )
    with site.operator(), connect() as door, pytest.raises(ImageOverriddenError, match="requires registry"):
        follow(door, request(os_image_url=BASE))


def test_a_failed_build_tells_what_its_log_says_last(site: BuildingSite, connect: Connect) -> None:
    log = "".join(f"STEP {number}\n" for number in range(90)) + "error: No package tcpdumb available.\n\n"
    with BuildLogs(site.server, log), site.operator(fault_of=lambda _config: "no"), connect() as door:
        with pytest.raises(BuildFailedError, match="last line of image-build: error: No package tcpdumb") as caught:
            follow(door, request(PART))
        (found,) = read_pool_images(door, {"names": ["worker"]})
    partial = caught.value.partial
    assert (partial["build"]["state"], len(partial["log"]["lines"])) == ("failed", 40)
    assert found["log"] == partial["log"]


def test_a_failed_build_whose_log_nobody_can_show(site: BuildingSite, connect: Connect) -> None:
    unseen = pytest.raises(BuildFailedError, match="its log is not available")
    with site.operator(fault_of=lambda _config: "no"), unseen, connect() as door:
        follow(door, request(PART))


def test_a_failed_build_is_made_again_by_another_word(site: BuildingSite, connect: Connect) -> None:
    faults = ["the registry is away"]
    with site.operator(fault_of=lambda _config: faults[0] if faults else ""), connect() as door:
        with pytest.raises(BuildFailedError):
            follow(door, request(PART))
        faults.clear()
        with pytest.raises(BuildFailedError):
            follow(door, request(PART))
        work, _unused = follow(door, request(PART, rebuild="registry is back"))
        again = machine_os_config_step(door, request(PART, rebuild="registry is back"))
    assert work.objects["build"]["state"] == "succeeded"
    assert (again.changed, again.done) == (False, True)


def test_a_corrected_containerfile_replaces_the_build_that_failed(site: BuildingSite, connect: Connect) -> None:
    def fault_of(order: dict[str, t.Any]) -> str:
        return "no" if order["spec"]["containerFile"][0]["content"] == PART else ""

    with site.operator(fault_of=fault_of), connect() as door:
        with pytest.raises(BuildFailedError):
            follow(door, request(PART))
        work, _unused = follow(door, request(OTHER_PART))
    assert work.objects["build"]["state"] == "succeeded"
    assert work.objects["machine_os_config"]["previous"]["build"]["parts"][0]["content"] == PART


def test_a_node_that_is_degraded_is_named(site: BuildingSite, connect: Connect) -> None:
    with site.operator(broken={"worker-0": "no space left"}), connect() as door:
        follow(door, request(PART))
        for _look in range(200):
            work = machine_os_config_step(door, request(PART, **ROLLED_OUT))
            if "degraded" in work.sentence:
                break
    assert work.done is False
    assert "worker-0 is degraded: no space left" in work.sentence


def test_what_an_image_cannot_carry_is_refused_before_anything_is_built(site: BuildingSite, connect: Connect) -> None:
    part = f"{PART}COPY site.conf /var/lib/site/site.conf\n"
    with connect() as door:
        with pytest.raises(InvalidInputError, match=r"cannot contain /var/lib/site/site\.conf"):
            machine_os_config_step(door, request(part))
        assert site.order() is None
        work = machine_os_config_step(door, request(part, accept_uncarried=True))
    assert site.order() is not None
    assert [one["subject"] for one in work.objects["uncarried"]] == ["/var/lib/site/site.conf"]


def test_check_mode_tries_all_of_it_and_keeps_nothing(site: BuildingSite, connect: Connect) -> None:
    with connect(dry_run=True) as door:
        work = machine_os_config_step(door, request(PART, os_image_url=BASE))
    assert (site.order(), site.base(), site.rest.exists(HISTORY)) == (None, "", False)
    assert {(one["verb"], one["kind"], one["dry_run"]) for one in work.actions or ()} == {
        ("create", "ConfigMap", True),
        ("apply", "MachineConfig", True),
        ("apply", "MachineOSConfig", True),
    }
    assert work.diff is not None
    assert work.diff["before"] == {"os_image_url": "", "build": None, "revision": None, "image": "", "rebuild": ""}
    assert work.diff["after"]["os_image_url"] == BASE


def test_check_mode_shows_what_the_real_api_refuses(site: BuildingSite, connect: Connect) -> None:
    site.rest.create(
        f"{GROUP}/machineosconfigs",
        {
            "apiVersion": GROUP.removeprefix("/apis/"),
            "kind": "MachineOSConfig",
            "metadata": {"name": "worker"},
            "spec": {
                "machineConfigPool": {"name": "worker"},
                "imageBuilder": {"imageBuilderType": "Job"},
                "renderedImagePushSpec": "registry.site.example/os/other:1",
                "renderedImagePushSecret": {"name": "os-image-push"},
            },
        },
        fieldManager="somebody",
    )
    with connect(dry_run=True) as door, pytest.raises(Exception, match="somebody"):
        machine_os_config_step(door, request(PART))
    with connect() as door:
        with pytest.raises(InvalidInputError, match="another user created it"):
            machine_os_config_step(door, request(state="absent"))
        machine_os_config_step(door, request(PART, take_over=True))
        work = machine_os_config_step(door, request(PART))
    assert work.changed is False
    before = work.objects["machine_os_config"]["previous"]["build"]
    assert before["push_spec"] == "registry.site.example/os/other:1"


@pytest.mark.parametrize(
    ("options", "kind", "seen"),
    [
        ({"pool": "nowhere"}, InvalidInputError, "no MachineConfigPool of this name"),
        ({"push_secret": "nobodys"}, MissingRequirementError, "the secret does not exist"),
        ({"pull_secret": "nobodys"}, MissingRequirementError, "the secret does not exist"),
        ({"state": "rolled_back"}, ImageHistoryError, "no earlier image of the pool is known"),
    ],
    ids=["no pool", "no push secret", "no pull secret", "nothing to go back to"],
)
def test_what_cannot_work_is_refused_before_anything_is_written(
    site: BuildingSite, connect: Connect, options: dict[str, t.Any], kind: type[Exception], seen: str
) -> None:
    with connect() as door, pytest.raises(kind, match=seen):
        machine_os_config_step(door, request(PART, **options))
    assert (site.order(), site.rest.exists(HISTORY)) == (None, False)


def test_a_damaged_history_is_named_and_not_overwritten(site: BuildingSite, connect: Connect) -> None:
    namespace, name = HISTORY.split("/")[4], HISTORY.rpartition("/")[2]
    metadata = {"namespace": namespace, "name": name}
    site.rest.apply({"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": {"revisions": "{"}})
    with connect() as door, pytest.raises(ImageHistoryError, match="os-images-worker"):
        machine_os_config_step(door, request(PART))
    assert site.order() is None


def test_all_pools_are_told_of(site: BuildingSite, connect: Connect) -> None:
    with site.operator(), connect() as door:
        work, _unused = follow(door, request(PART, **ROLLED_OUT))
        master, worker = read_pool_images(door, {"names": []})
    assert (master["machine_os_config"]["image"], master["rolled_out"]) == (site.release_image, True)
    assert worker["machine_os_config"]["image"] == work.objects["machine_os_config"]["image"]
    assert (worker["rolled_out"], worker["build"]["state"], len(worker["nodes"])) == (True, "succeeded", 2)
