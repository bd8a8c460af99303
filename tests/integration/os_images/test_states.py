# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What each state of the module comes to on a host, and that asking for it again changes nothing."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.tests.integration.os_images.image_host import ImageHost
from ansible_collections.fieldops.openshift.tests.integration.os_images.images import OsImage, OsImages
from ansible_collections.fieldops.openshift.tests.lab.registry.layers import Member

BOTH = ("bootc", "rpm-ostree")
BACKENDS = pytest.mark.parametrize(
    "programs",
    [
        pytest.param(BOTH[:1], id="bootc", marks=pytest.mark.long),
        *(pytest.param(one, id="+".join(one)) for one in (BOTH[1:], BOTH)),
    ],
)
"""Hosts with one of them; those with both, as RHCOS has them, are asked through bootc as those with it alone."""
Boot = t.Callable[..., t.Any]


@BACKENDS
def test_an_image_is_staged_once_and_booted_by_the_next_reboot(boot: Boot, second: OsImage, programs: t.Any) -> None:
    host: ImageHost = boot(*programs)
    staged = host.ask(image=second.name)
    assert (staged.changed, staged.image["next_boot"], staged.objects["reboot_needed"]) == (True, "staged", True)
    assert staged.image["staged"]["digest"] == second.digest
    again = host.ask(image=second.name)
    assert (again.changed, again.kinds, again.done) == (False, [], True)
    host.reboot()
    after = host.ask(image=second.pinned, state="booted")
    assert (after.changed, after.done, after.image["booted"]["digest"]) == (False, True, second.digest)
    assert after.image["booted"]["version"] == "9.6.1"


@BACKENDS
def test_a_downloaded_image_survives_a_reboot_and_is_not_booted_by_it(
    boot: Boot, first: OsImage, second: OsImage, programs: t.Any
) -> None:
    host: ImageHost = boot(*programs)
    downloaded = host.ask(image=second.pinned, state="downloaded")
    assert (downloaded.changed, downloaded.kinds, downloaded.objects["reboot_needed"]) == (True, ["download"], False)
    host.reboot()
    again = host.ask(image=second.pinned, state="downloaded")
    assert (again.changed, again.image["booted"]["digest"], again.image["next_boot"]) == (False, first.digest, "booted")


def test_a_short_job_is_seen_to_its_end_by_the_step_that_starts_it(host: ImageHost, second: OsImage) -> None:
    staged = host.ask(image=second.pinned, once=True)
    assert (staged.done, staged.changed, staged.kinds) == (True, True, ["switch"])


def test_a_downloaded_image_is_staged_without_a_registry_and_keeps_its_name(
    host: ImageHost, second: OsImage, registry: t.Any
) -> None:
    host.ask(image=second.pinned, state="downloaded")
    mark = registry.access.mark()
    staged = host.ask(image=second.pinned)
    assert registry.access.requests(mark) == []
    assert (staged.image["staged"]["image"], staged.image["staged"]["transport"]) == (second.by_digest, "registry")
    host.reboot()
    assert host.ask(image=second.pinned, state="booted").image["booted"]["digest"] == second.digest


def test_before_bootc_can_pull_without_staging_a_downloaded_image_lies_in_the_container_storage(
    host: ImageHost, second: OsImage, registry: t.Any
) -> None:
    host.configure(version="1.1.5")
    host.ask(image=second.pinned, state="downloaded")
    registry.stop()
    try:
        staged = host.ask(image=second.pinned)
    finally:
        registry.start()
    found = staged.image["staged"]
    assert (found["image"], found["transport"]) == (second.by_digest, "containers-storage")


def test_an_armed_image_is_disarmed_to_be_only_downloaded(host: ImageHost, second: OsImage) -> None:
    host.ask(image=second.pinned)
    downloaded = host.ask(image=second.pinned, state="downloaded")
    # What was staged stays in the repository of the host.
    assert (downloaded.kinds, downloaded.image["staged"]) == (["discard"], None)
    assert not host.ask(image=second.pinned, state="downloaded").changed


@BACKENDS
def test_unstaged_leaves_what_is_booted(boot: Boot, first: OsImage, second: OsImage, programs: t.Any) -> None:
    host: ImageHost = boot(*programs)
    host.ask(image=second.name)
    assert host.ask(state="unstaged").changed
    assert not host.ask(state="unstaged").changed
    host.reboot()
    assert host.info()["os_image"]["booted"]["digest"] == first.digest


@BACKENDS
def test_a_rollback_is_queued_once_however_often_it_is_asked_for(
    boot: Boot, first: OsImage, second: OsImage, programs: t.Any
) -> None:
    host: ImageHost = boot(*programs)
    host.ask(image=second.name)
    host.reboot()
    back = [host.ask(state="rolled_back", leave_digest=second.digest) for _time in range(3)]
    assert [one.changed for one in back] == [True, False, False]
    assert [one.image["next_boot"] for one in back] == ["rollback"] * 3
    host.reboot()
    arrived = host.ask(state="rolled_back", leave_digest=second.digest)
    assert (arrived.changed, arrived.image["booted"]["digest"]) == (False, first.digest)
    assert arrived.image["next_boot"] == "booted"


def test_a_queued_rollback_is_undone_by_wanting_the_booted_image(host: ImageHost, second: OsImage) -> None:
    host.ask(image=second.name)
    host.reboot()
    host.ask(state="rolled_back", leave_digest=second.digest)
    stayed = host.ask(image=second.name)
    assert (stayed.kinds, stayed.image["next_boot"]) == (["rollback"], "booted")


def test_a_rollback_to_another_image_than_asked_for_is_refused(
    host: ImageHost, first: OsImage, second: OsImage
) -> None:
    host.ask(image=second.name)
    host.reboot()
    refused = host.ask(state="rolled_back", image="quay.io/example/os:8.0")
    assert refused.error["kind"] == "no_rollback"
    assert first.digest in refused.error["seen"]


@pytest.mark.long
@BACKENDS
def test_a_moved_tag_is_found_only_when_it_is_to_be_followed(
    boot: Boot, images: OsImages, programs: tuple[str, ...]
) -> None:
    name = f"stable-{len(programs)}{programs[0][0]}"
    old = images.publish(name, "9.7.1", repository="quay.io/example/moving")
    host: ImageHost = boot(*programs)
    host.ask(image=old.name)
    host.reboot()
    assert not host.ask(image=old.name, follow_tag=True).changed
    new = images.publish(name, "9.7.2", repository="quay.io/example/moving")
    assert not host.ask(image=old.name).changed
    foreseen = host.ask(image=old.name, follow_tag=True, check=True)
    assert (foreseen.changed, foreseen.kinds) == (True, ["upgrade"])
    followed = host.ask(image=old.name, follow_tag=True)
    assert (followed.changed, followed.image["staged"]["digest"]) == (True, new.digest)
    assert not host.ask(image=old.name, follow_tag=True).changed


def test_an_image_that_was_downloaded_and_locked_by_hand_is_unlocked(host: ImageHost, images: OsImages) -> None:
    old = images.publish("locked", "9.7.1", repository="quay.io/example/moving")
    host.ask(image=old.name)
    host.reboot()
    new = images.publish("locked", "9.7.2", repository="quay.io/example/moving")
    host.run("bootc", "upgrade", "--download-only")
    assert host.info()["reboot_needed"] is False
    staged = host.ask(image=new.pinned)
    assert (staged.kinds, staged.image["next_boot"]) == (["unlock"], "staged")


def test_check_mode_tells_the_command_and_changes_nothing(host: ImageHost, first: OsImage, second: OsImage) -> None:
    foreseen = host.ask(image=second.pinned, check=True)
    assert foreseen.changed
    assert [one["argv"] for one in foreseen.actions] == [["bootc", "switch", second.by_digest]]
    assert foreseen.diff is not None
    assert foreseen.diff["before"]["next_boot"] == f"{first.name} ({first.digest})"
    assert foreseen.diff["after"]["next_boot"] == second.pinned
    assert host.info()["os_image"]["staged"] is None


def test_kernel_arguments_of_the_machine_are_set_once(host: ImageHost, second: OsImage) -> None:
    wanted: dict[str, t.Any] = {"image": second.name, "kernel_arguments": ["nosmt", "console=ttyS0"]}
    assert host.ask(**wanted).kinds == ["switch", "kernel_arguments"]
    assert not host.ask(**wanted).changed
    host.reboot()
    assert {"nosmt", "console=ttyS0"} <= set(host.info()["kernel_arguments"]["next_boot"])
    host.ask(image=second.name, kernel_arguments_absent=["nosmt"])
    assert "nosmt" not in host.info()["kernel_arguments"]["next_boot"]


def test_bootc_keeps_kernel_arguments_without_rpm_ostree(boot: Boot, first: OsImage, second: OsImage) -> None:
    host: ImageHost = boot("bootc")
    wanted: dict[str, t.Any] = {"image": second.name, "kernel_arguments": ["nosmt", "console=ttyS0"]}
    assert host.ask(**wanted).kinds == ["switch", "kernel_arguments"]
    assert not host.ask(**wanted).changed
    host.reboot()
    assert {"nosmt", "console=ttyS0"} <= set(host.info()["kernel_arguments"]["next_boot"])
    assert not host.ask(**wanted).changed
    assert host.ask(image=second.name, kernel_arguments_absent=["nosmt"]).kinds == ["kernel_arguments"]
    left = host.info()["kernel_arguments"]["next_boot"]
    assert ("nosmt" in left, "console=ttyS0" in left) == (False, True)
    refused = host.ask(image=second.name, kernel_arguments_absent=["root=LABEL=root"])
    assert "only arguments that this module has set" in refused.error["seen"]
    # They stay when the host is switched to another image.
    host.ask(image=first.name)
    assert "console=ttyS0" in host.info()["kernel_arguments"]["next_boot"]


def test_kernel_arguments_that_nothing_can_set_are_refused_before_anything_is_staged(
    boot: Boot, second: OsImage
) -> None:
    host: ImageHost = boot("bootc")
    host.configure(version="1.15.1")
    refused = host.ask(image=second.name, kernel_arguments=["nosmt"])
    assert refused.error["kind"] == "missing_requirement"
    assert host.info()["os_image"]["staged"] is None


def test_what_the_image_asks_for_and_cannot_carry_is_reported(host: ImageHost, images: OsImages) -> None:
    kargs = b'kargs = ["mitigations=auto", "quiet"]\nmatch-architectures = ["x86_64", "aarch64", "s390x", "ppc64le"]\n'
    more = (Member("usr/lib/bootc/kargs.d/10-site.toml", kargs), Member("var/lib/agent/seed", b"1"))
    image = images.publish("caveats", "9.8.1", more=more)
    staged = host.ask(image=image.name)
    assert staged.objects["caveats"]["var_of_image"] == ["/var/lib"]
    assert staged.objects["caveats"]["etc_returns"] is False
    assert not {"caveats", "bound_images"} & set(host.ask(image=image.name, details=False).objects)
    assert host.info()["kernel_arguments"]["of_image"] == ["mitigations=auto", "quiet"]


def test_the_info_module_tells_versions_and_age(host: ImageHost, first: OsImage) -> None:
    found = host.info()
    booted = found["os_image"]["booted"]
    assert (booted["image"], booted["version"], booted["digest"]) == (first.name, "9.4.1", first.digest)
    assert found["age"] > 0
    assert found["programs"] == {"bootc": True, "rpm_ostree": True}
    assert "versions" not in host.info(details=False)


@pytest.mark.parametrize("path", ["dir:/var/tmp/bundle/os", "oci:/var/tmp/bundle/os:9"])
def test_an_image_at_a_path_of_the_host_is_staged_from_there(host: ImageHost, second: OsImage, path: str) -> None:
    host.run("mkdir", "-p", "/var/tmp/bundle")
    host.run("skopeo", "copy", "--quiet", f"docker://{second.name}", path)
    staged = host.ask(image=path)
    assert (staged.image["staged"]["transport"], staged.image["staged"]["version"]) == (path.partition(":")[0], "9.6.1")
    assert not host.ask(image=path).changed


def test_a_mirror_stands_in_for_the_pull_alone(
    host: ImageHost, images: OsImages, registry: t.Any, second: OsImage
) -> None:
    copy = images.publish("copy", "9.6.1", repository="elsewhere.example/mirrored/os")
    staged = host.ask(
        image=f"quay.io/not/there@{copy.digest}", mirror=f"{registry.host}/mirrored/os", mirror_insecure=True
    )
    assert staged.image["staged"]["image"] == f"quay.io/not/there@{copy.digest}"
    assert host.read("/etc/containers/registries.conf.d/zz-fieldops-os-image.conf") is None
    assert copy.digest == second.digest
