# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Each action as a command, for each backend."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.os_image_errors import OsImageChangeError
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.commands import (
    command_for,
    pulled_digest_command,
    remote_manifest_command,
    stored_digest_command,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.host_status import HostStatus
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.image_spec import parse_wanted
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.next_action import Action, Kind, Seen
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.program_traits import Programs
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._os_images.plan.os_image_samples import (
    NAME,
    NEW,
    OTHER,
    bootc_host,
    deployment,
    entry,
    goal,
    rpm_ostree_host,
)

BOOTC = bootc_host(entry(), entry(NEW), entry(OTHER))
OLD_BOOTC = bootc_host(entry(version=(1, 3, 0)))
RPM_OSTREE = rpm_ostree_host(deployment(booted=True))
DRIVEN = rpm_ostree_host(deployment(booted=True), driver="Zincati")
PINNED = f"{NAME}:9@{NEW}"


def argv(
    kind: Kind, status: HostStatus, *, both: bool = False, by: str | None = None, composefs: bool = True, **asked: t.Any
) -> list[str]:
    wanted = goal(**asked) if asked else goal(state="unstaged")
    return list(
        command_for(Action(kind, "a test", by), Seen(status, has_rpm_ostree=both, is_composefs=composefs), wanted)
    )


@pytest.mark.parametrize(
    ("status", "asked", "expected"),
    [
        (BOOTC, {"image": f"{NAME}:9"}, f"bootc switch {NAME}:9"),
        (BOOTC, {"image": PINNED}, f"bootc switch {NAME}@{NEW}"),
        (BOOTC, {"image": f"{NAME}:9", "digest": NEW}, f"bootc switch {NAME}@{NEW}"),
        (BOOTC, {"image": "oci:/srv/os"}, "bootc switch --transport oci /srv/os"),
        (
            BOOTC,
            {"image": PINNED, "enforce_signatures": True},
            f"bootc switch --enforce-container-sigpolicy {NAME}@{NEW}",
        ),
        (BOOTC, {"image": PINNED, "soft_reboot": "required"}, f"bootc switch --soft-reboot=auto {NAME}@{NEW}"),
        (BOOTC, {"image": PINNED, "soft_reboot": "auto", "composefs": False}, f"bootc switch {NAME}@{NEW}"),
        (OLD_BOOTC, {"image": PINNED, "soft_reboot": "auto"}, f"bootc switch {NAME}@{NEW}"),
        (RPM_OSTREE, {"image": f"{NAME}:9"}, f"rpm-ostree rebase --experimental ostree-unverified-registry:{NAME}:9"),
        (RPM_OSTREE, {"image": PINNED}, f"rpm-ostree rebase --experimental ostree-unverified-registry:{NAME}@{NEW}"),
        (
            DRIVEN,
            {"image": "oci:/srv/os", "enforce_signatures": True},
            "rpm-ostree rebase --experimental --bypass-driver ostree-image-signed:oci:/srv/os",
        ),
    ],
)
def test_switching(status: HostStatus, asked: dict[str, t.Any], expected: str) -> None:
    assert argv(Kind.SWITCH, status, **asked) == expected.split()


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (BOOTC, f"bootc switch --transport containers-storage {NAME}@{NEW}"),
        (
            RPM_OSTREE,
            f"rpm-ostree rebase --experimental ostree-unverified-image:containers-storage:{NAME}@{NEW}",
        ),
    ],
)
def test_switching_to_what_is_in_the_container_storage(status: HostStatus, expected: str) -> None:
    assert argv(Kind.SWITCH, status, by="containers-storage", image=PINNED) == expected.split()


@pytest.mark.parametrize(
    ("status", "both", "expected"),
    [
        (BOOTC, False, "ostree admin undeploy 0"),
        (BOOTC, True, "rpm-ostree cleanup -p"),
        (bootc_host(entry(), entry(NEW), entry(OTHER), queued=True), True, "ostree admin undeploy 0"),
        (RPM_OSTREE, True, "rpm-ostree cleanup -p"),
    ],
)
def test_discarding_takes_nothing_but_what_is_staged(status: HostStatus, both: bool, expected: str) -> None:
    assert argv(Kind.DISCARD, status, both=both) == expected.split()


def test_discarding_on_composefs_takes_the_command_of_newer_versions() -> None:
    status = bootc_host(entry(), entry(NEW, ostree=None, composefs={"verity": "ab"}))
    seen = Seen(status, is_composefs=True, programs=Programs(bootc=(1, 12, 0)))
    found = command_for(Action(Kind.DISCARD, "a test"), seen, goal(state="unstaged"))
    assert found == ("bootc", "delete-deployment", "ab")


def test_discarding_on_composefs_is_refused_with_what_to_do() -> None:
    composefs = entry(NEW, ostree=None, composefs={"verity": "ab"})
    with pytest.raises(OsImageChangeError, match="composefs"):
        argv(Kind.DISCARD, bootc_host(entry(), composefs))


@pytest.mark.parametrize(
    ("status", "both", "expected"),
    [
        (BOOTC, True, "bootc rollback"),
        (bootc_host(entry(), None, entry(None)), True, "rpm-ostree rollback"),
        (bootc_host(entry(), None, entry(None)), False, "bootc rollback"),
        (RPM_OSTREE, True, "rpm-ostree rollback"),
    ],
)
def test_rolling_back(status: HostStatus, both: bool, expected: str) -> None:
    assert argv(Kind.ROLLBACK, status, both=both) == expected.split()


@pytest.mark.parametrize(
    ("kind", "status", "expected"),
    [
        (Kind.UPGRADE, BOOTC, "bootc upgrade"),
        (Kind.UPGRADE, RPM_OSTREE, "rpm-ostree upgrade --unchanged-exit-77"),
        (Kind.UPGRADE, DRIVEN, "rpm-ostree upgrade --bypass-driver --unchanged-exit-77"),
        (Kind.UNLOCK, BOOTC, "bootc upgrade --from-downloaded"),
        (
            Kind.DOWNLOAD,
            BOOTC,
            f"skopeo copy --quiet --preserve-digests docker://{NAME}:9 containers-storage:{NAME}:9",
        ),
    ],
)
def test_the_other_actions(kind: Kind, status: HostStatus, expected: str) -> None:
    assert argv(kind, status, image=f"{NAME}:9") == expected.split()


PULL = "bootc internals ostree-container image pull "
REPOSITORY = "/run/fieldops-openshift/ostree-repo"


@pytest.mark.parametrize(
    ("status", "version", "asked", "expected"),
    [
        (BOOTC, (1, 1, 6), {}, f"pull {REPOSITORY} ostree-unverified-registry:{NAME}@{NEW}"),
        (
            BOOTC,
            (1, 16, 9),
            {"enforce_signatures": True},
            f"pull {REPOSITORY} ostree-image-signed:registry:{NAME}@{NEW}",
        ),
        (BOOTC, (1, 1, 5), {}, f"docker://{NAME}@{NEW} containers-storage:{NAME}@{NEW}"),
        (BOOTC, None, {}, f"docker://{NAME}@{NEW} containers-storage:{NAME}@{NEW}"),
        (BOOTC, (1, 16, 9), {"source": "container_storage"}, f"containers-storage:{NAME}@{NEW}"),
        (
            bootc_host(entry(composefs={"verity": "ab"}, ostree=None)),
            (1, 16, 9),
            {},
            f"containers-storage:{NAME}@{NEW}",
        ),
        (RPM_OSTREE, (1, 16, 9), {}, f"containers-storage:{NAME}@{NEW}"),
    ],
)
def test_only_what_is_new_is_downloaded_where_bootc_can(
    status: HostStatus, version: tuple[int, ...] | None, asked: dict[str, t.Any], expected: str
) -> None:
    seen = Seen(status, programs=Programs(bootc=version))
    wanted = goal(image=PINNED, state="downloaded", **asked)
    words = command_for(Action(Kind.DOWNLOAD, "a test"), seen, wanted)
    assert " ".join(words).endswith(expected)
    assert " ".join(words).startswith(PULL) is ("pull" in words)


def test_credentials_are_named_to_a_pull() -> None:
    seen = Seen(BOOTC, programs=Programs(bootc=(1, 16, 9)))
    wanted = goal(image=PINNED, state="downloaded")
    assert "--authfile=/run/a.json" in command_for(Action(Kind.DOWNLOAD, ""), seen, wanted, auth_file="/run/a.json")


def test_a_pulled_image_is_found_by_the_name_that_bootc_gives_it() -> None:
    found = pulled_digest_command(parse_wanted(f"198.51.100.2:5000/example/os:9.2@{NEW}"))
    escaped = "docker_3A__2F__2F_198_2E_51_2E_100_2E_2_3A_5000/example/os_40_sha256_3A_"
    assert found[-1] == f"ostree/container/image/{escaped}{NEW.partition(':')[2]}"


def test_skopeo_never_gets_a_tag_beside_a_digest() -> None:
    image = parse_wanted(PINNED)
    assert stored_digest_command(image)[-1] == f"containers-storage:{NAME}@{NEW}"
    assert remote_manifest_command(image, "/run/auth.json")[-2:] == (
        "--authfile=/run/auth.json",
        f"docker://{NAME}@{NEW}",
    )


def test_no_command_reboots() -> None:
    asked: dict[str, t.Any] = {"image": PINNED, "soft_reboot": "required"}
    said = [argv(kind, status, **asked) for kind in Kind for status in (BOOTC, RPM_OSTREE)]
    assert not [words for words in said if {"--apply", "-r", "--reboot"} & set(words)]


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({"kernel_arguments": ["nosmt", "rw"]}, ["--options", "own nosmt"]),
        ({"kernel_arguments": ["nosmt"], "kernel_arguments_absent": ["own"]}, ["--options", "nosmt"]),
        ({"kernel_arguments_absent": ["own"]}, []),
    ],
)
def test_bootc_gets_all_kernel_arguments_of_this_collection(asked: dict[str, t.Any], expected: list[str]) -> None:
    seen = Seen(BOOTC, kargs=("rw", "own"), own_kargs=("own",))
    words = command_for(Action(Kind.KERNEL_ARGUMENTS, ""), seen, goal(image=PINNED, **asked))
    assert list(words) == ["bootc", "loader-entries", "set-options-for-source", "--source", "fieldops", *expected]


@pytest.mark.parametrize(("kargs", "soft"), [(("rw", "nosmt"), True), (("rw",), False)])
def test_a_change_of_kernel_arguments_prepares_no_soft_reboot(kargs: tuple[str, ...], soft: bool) -> None:
    seen = Seen(BOOTC, kargs=kargs, is_composefs=True)
    wanted = goal(image=PINNED, soft_reboot="auto", kernel_arguments=["nosmt"])
    assert ("--soft-reboot=auto" in command_for(Action(Kind.SWITCH, ""), seen, wanted)) is soft
