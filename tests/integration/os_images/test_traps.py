# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The traps of bootc and rpm-ostree, each set on a host: none of them may look like success, or arm half a change."""

from __future__ import annotations

import json
import typing as t

import pytest

from ansible_collections.fieldops.openshift.tests.integration.os_images.image_host import ImageHost
from ansible_collections.fieldops.openshift.tests.integration.os_images.images import OsImage, OsImages

Boot = t.Callable[..., t.Any]
AGENT = "quay.io/example/agent:1"
MARK = "/run/reboot-required"


@pytest.fixture(scope="session")
def binding(images: OsImages) -> OsImage:
    """An image that binds another one."""
    images.publish("1", "1", repository="quay.io/example/agent")
    return images.publish("bound", "9.6.2", bound=(AGENT,))


def test_a_switch_that_failed_after_it_had_staged_is_taken_back(host: ImageHost, binding: OsImage) -> None:
    host.configure(faults=["bound_images"])
    failed = host.ask(image=binding.name)
    assert failed.error["kind"] == "os_image_change"
    assert "Fetching bound image" in failed.error["seen"]
    assert [one["action"] for one in failed.error["partial"]["actions"]] == ["switch", "discard"]
    assert host.info()["os_image"]["staged"] is None


def test_an_unchanged_image_that_lacks_its_bound_images_is_staged_anew(host: ImageHost, binding: OsImage) -> None:
    host.configure(faults=["bound_images"])
    host.run("bootc", "switch", binding.name, check=False)
    host.configure()
    assert "unchanged" in host.run("bootc", "switch", binding.name)
    assert host.info()["bound_images"]["missing"] == [AGENT]
    repaired = host.ask(image=binding.name)
    assert (repaired.changed, repaired.kinds) == (True, ["discard", "switch"])
    assert repaired.objects["bound_images"] == {"wanted": [AGENT], "missing": []}


def test_an_image_whose_kernel_arguments_could_not_be_set_is_not_left_armed(host: ImageHost, second: OsImage) -> None:
    host.configure(faults=["kargs"])
    failed = host.ask(image=second.name, kernel_arguments=["nosmt"])
    assert [one["action"] for one in failed.error["partial"]["actions"]] == ["switch", "kernel_arguments", "discard"]
    assert host.info()["os_image"]["staged"] is None


def test_a_container_environment_does_not_blind_bootc(host: ImageHost, first: OsImage) -> None:
    assert json.loads(host.run("bootc", "status", "--format", "json", container="oci"))["status"]["booted"] is None
    order = json.dumps({"info": {"backend": "bootc", "details": False}})
    found = json.loads(host.run("python3", host.inside, stdin=order, container="oci"))
    assert found["os_image"]["booted"]["digest"] == first.digest


def test_nulls_in_a_container_are_no_answer(boot: Boot, second: OsImage) -> None:
    host: ImageHost = boot("bootc")
    host.write("/run/.containerenv", "")
    assert host.info()["why_not"].endswith("because /run/.containerenv exists, it assumes that it runs in a container")
    assert host.ask(image=second.name).error["kind"] == "not_image_based"


def test_words_before_the_document_are_passed_over(host: ImageHost, first: OsImage) -> None:
    host.configure(version="1.12.0", faults=["spinner"])
    assert host.run("bootc", "status", "--format", "json").startswith("Waiting")
    assert host.info()["os_image"]["booted"]["digest"] == first.digest


@pytest.mark.parametrize(
    "version",
    [
        *("0.1.13", "1.1.0", "1.16.9"),
        *(pytest.param(one, marks=pytest.mark.long) for one in ("1.6.0", "1.9.0", "1.12.1")),
    ],
)
def test_every_version_is_switched(host: ImageHost, second: OsImage, version: str) -> None:
    host.configure(version=version)
    staged = host.ask(image=second.pinned, soft_reboot="auto")
    assert (staged.changed, staged.image["staged"]["digest"]) == (True, second.digest)


@pytest.mark.parametrize("ending", ["reboot", "power_cut"])
def test_a_staging_that_the_shutdown_lost_is_told_and_not_repeated_unasked(
    host: ImageHost, first: OsImage, second: OsImage, ending: str
) -> None:
    host.ask(image=second.pinned)
    host.configure(faults=["finalize"])
    getattr(host, ending)()
    told = host.ask(image=second.pinned, state="booted")
    assert told.error["kind"] == "os_image_change"
    assert told.error["partial"]["lost_staging"]["fate"] == "not_finalized"
    assert host.info()["os_image"]["booted"]["digest"] == first.digest
    host.configure()
    assert host.ask(image=second.pinned).changed
    host.reboot()
    assert host.ask(image=second.pinned, state="booted").done


def test_an_image_that_the_host_went_back_from_is_told(host: ImageHost, second: OsImage) -> None:
    host.ask(image=second.pinned)
    host.reboot()
    host.run("bootc", "rollback")
    host.reboot()
    assert host.ask(image=second.pinned, state="booted").error["partial"]["lost_staging"]["fate"] == "left_again"


def test_a_staging_over_a_queued_rollback_is_discarded_alone(host: ImageHost, first: OsImage, second: OsImage) -> None:
    host.ask(image=second.name)
    host.reboot()
    host.run("bootc", "rollback")
    host.run("rpm-ostree", "kargs", "--append-if-missing=debug")
    back = host.ask(state="rolled_back", leave_digest=second.digest)
    assert (back.kinds, back.image["rollback"]["digest"]) == (["discard"], first.digest)
    host.reboot()
    assert host.info()["os_image"]["booted"]["digest"] == first.digest


def test_another_image_that_somebody_staged_is_replaced(host: ImageHost, images: OsImages, second: OsImage) -> None:
    other = images.publish("other", "9.9.9")
    host.run("rpm-ostree", "rebase", f"ostree-unverified-registry:{other.name}")
    assert host.ask(image=second.pinned).image["staged"]["digest"] == second.digest


def test_the_mark_for_a_reboot_is_removed_unless_it_is_to_stay(host: ImageHost, second: OsImage) -> None:
    host.ask(image=second.name, reboot_marker="kept")
    assert (host.read(MARK) or "").startswith("bootc: Reboot required")
    assert host.ask(image=second.name).actions == [{"action": "remove", "path": MARK}]
    assert host.read(MARK) is None


def test_a_mark_of_somebody_else_is_left_alone(host: ImageHost, second: OsImage) -> None:
    host.configure(version="1.8.0")
    host.write(MARK, "kernel update\n")
    assert not host.ask(image=second.name).error
    assert host.read(MARK) == "kernel update\n"


def test_a_required_soft_reboot_that_is_impossible_leaves_nothing_staged(boot: Boot, images: OsImages) -> None:
    host: ImageHost = boot("bootc", composefs=True)
    other = images.publish("kernel", "9.6.3", kernel="6.13.0-1")
    refused = host.ask(image=other.name, soft_reboot="required")
    assert refused.error["kind"] == "soft_reboot"
    assert host.info()["os_image"]["staged"] is None


def test_without_composefs_there_is_no_soft_reboot(host: ImageHost, second: OsImage) -> None:
    refused = host.ask(image=second.name, soft_reboot="required")
    assert refused.error["kind"] == "soft_reboot"
    assert "composefs" in refused.error["seen"]
    assert host.info()["os_image"]["staged"] is None
    staged = host.ask(image=second.name, soft_reboot="auto")
    assert (staged.changed, staged.objects["soft_reboot_prepared"]) == (True, False)


def test_a_soft_reboot_that_is_over_is_prepared_no_more(boot: Boot, second: OsImage) -> None:
    host: ImageHost = boot("bootc", composefs=True)
    host.ask(image=second.name, soft_reboot="auto")
    host.soft_reboot()
    found = host.info()
    assert (found["os_image"]["booted"]["digest"], found["soft_reboot_prepared"]) == (second.digest, False)


def test_what_a_soft_reboot_into_the_same_root_finalized_is_no_rollback(host: ImageHost, second: OsImage) -> None:
    host.ask(image=second.name)
    host.finalize()
    found = host.info()
    assert (found["os_image"]["next_boot"], found["finalized"]) == ("rollback", True)
    assert not host.ask(image=second.name).changed
    host.power_cut()
    booted = host.info()
    assert (booted["os_image"]["booted"]["digest"], booted["finalized"]) == (second.digest, False)


def test_a_soft_reboot_is_prepared_where_the_kernel_stays(boot: Boot, second: OsImage) -> None:
    host: ImageHost = boot("bootc", composefs=True)
    staged = host.ask(image=second.name, soft_reboot="required")
    assert (staged.objects["soft_reboot_prepared"], staged.image["staged"]["soft_reboot_capable"]) == (True, True)


def test_a_policy_that_accepts_everything_verifies_nothing(host: ImageHost, second: OsImage) -> None:
    refused = host.ask(image=second.name, enforce_signatures=True)
    assert "insecureAcceptAnything" in refused.error["seen"]
    assert host.info()["os_image"]["staged"] is None


def test_a_registry_that_is_away_leaves_the_host_as_it_was(host: ImageHost, second: OsImage) -> None:
    host.configure(faults=["switch"])
    failed = host.ask(image=second.name)
    assert (failed.error["kind"], failed.error["partial"]["changed"]) == ("os_image_change", False)


def test_credentials_lie_on_the_host_only_during_the_pull(host: ImageHost, second: OsImage) -> None:
    host.write("/run/ostree/auth.json", '{"auths": {"own": {}}}', mode=0o600)
    auth = json.dumps({"auths": {"quay.io": {"auth": "dXNlcjpjYW5hcnktcGFzc3dvcmQ="}}})
    staged = host.ask(image=second.name, registry_auth=auth)
    assert staged.changed
    assert host.read("/run/ostree/auth.json") == '{"auths": {"own": {}}}'
    assert "dXNlcjpj" not in host.run("sh", "-c", "grep -rl dXNlcjpj /run /var/lib/fieldops /etc; true")


def layer_packages(host: ImageHost) -> None:
    for path in (host.folder / "sysroot/ostree/deploy/default/deploy").glob("*.origin"):
        path.write_text(path.read_text() + "[packages]\nrequested=htop;strace;\n")


def test_layered_packages_stay_on_top_of_another_image_until_they_are_taken_off(
    host: ImageHost, second: OsImage
) -> None:
    layer_packages(host)
    staged = host.ask(image=second.name).image
    assert staged["booted"]["layered"] == staged["staged"]["layered"] == ["htop", "strace"]
    host.run("rpm-ostree", "uninstall", "htop")
    left = host.info()["os_image"]["staged"]
    assert (left["layered"], left["digest"]) == (["strace"], second.digest)


def test_layered_packages_leave_only_rpm_ostree(host: ImageHost, second: OsImage) -> None:
    layer_packages(host)
    assert host.info()["os_image"]["backend"] == "rpm_ostree"
    assert host.ask(image=second.name, backend="bootc").error["kind"] == "not_image_based"
    assert host.ask(image=second.name).actions[0]["argv"][0] == "rpm-ostree"


@pytest.mark.parametrize(
    "state", ["staged", *(pytest.param(one, marks=pytest.mark.long) for one in ("downloaded", "unstaged"))]
)
def test_a_host_of_the_machine_config_operator_is_refused(host: ImageHost, second: OsImage, state: str) -> None:
    host.write("/etc/machine-config-daemon/currentconfig", "{}")
    refused = host.ask(image=second.name, state=state)
    assert refused.error["kind"] == "managed_by_machine_config_operator"
    assert "apply_image_mode" in refused.error["advice"]
    found = host.info()
    assert (found["managed_by_operator"], found["os_image"]["staged"]) == (True, None)


def test_a_driver_of_updates_is_bypassed_on_purpose(boot: Boot, second: OsImage) -> None:
    host: ImageHost = boot("rpm-ostree")
    host.configure(update_driver="Zincati")
    staged = host.ask(image=second.name)
    assert "--bypass-driver" in staged.actions[0]["argv"]
    assert staged.image["update_driver"] == "Zincati"
