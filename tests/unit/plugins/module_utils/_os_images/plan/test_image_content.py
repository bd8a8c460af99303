# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What an OS image asks for, and how a host is told in a sentence and as before and after."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.image_content import (
    bound_image,
    health_verdict,
    instance_digest,
    kernel_arguments,
    listed_paths,
    stored_names,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.registry_secrets import (
    registry_secrets,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.step_state import (
    brief,
    difference,
    is_reached,
    needs_reboot,
    standing,
)
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._os_images.plan.os_image_samples import (
    NAME,
    NEW,
    OLD,
    bootc_host,
    entry,
    goal,
)

LISTING = """d00755 0 0      0 /usr/lib/bootc/bound-images.d
l00777 0 0      0 /usr/lib/bootc/bound-images.d/b.image -> ../../../share/containers/systemd/b.image
-00644 0 0     42 /usr/lib/bootc/bound-images.d/a name.container
"""


def test_files_and_links_are_listed_with_their_targets() -> None:
    assert listed_paths(LISTING) == [
        ("/usr/lib/bootc/bound-images.d/a name.container", "/usr/lib/bootc/bound-images.d/a name.container"),
        ("/usr/lib/bootc/bound-images.d/b.image", "../../../share/containers/systemd/b.image"),
    ]


@pytest.mark.parametrize(
    ("quadlet", "expected"),
    [
        ("[Image]\nImage=quay.io/a/b:1\n", "quay.io/a/b:1"),
        ("[Container]\n Image = quay.io/a/b:1 \nExec=x\n", "quay.io/a/b:1"),
        ("[Container]\nImageTag=x\n", None),
        ("[Image]\nImage=\n", None),
    ],
)
def test_a_quadlet_binds_the_image_that_it_names(quadlet: str, expected: str | None) -> None:
    assert bound_image(quadlet) == expected


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (['kargs = ["a", "b=c"]'], ("a", "b=c")),
        (["kargs = [\n  \"a\", # why\n  'b',\n]\n"], ("a", "b")),
        (['kargs = ["a"]\nmatch-architectures = ["aarch64"]'], ()),
        (['kargs = ["a"]\nmatch-architectures = ["x86_64"]'], ("a",)),
        (['kargs = ["console=ttyS0,115200n8"]', 'kargs = ["z"]'], ("console=ttyS0,115200n8", "z")),
        (['# kargs = ["no"]\nother = ["x"]'], ()),
        ([""], ()),
    ],
)
def test_kernel_arguments_of_an_image_are_those_for_the_architecture(
    files: list[str], expected: tuple[str, ...]
) -> None:
    assert kernel_arguments(files, "x86_64") == expected


@pytest.mark.parametrize("found", [None, {}, [1, {"names": None}, {"names": [2]}]])
def test_a_damaged_list_of_a_storage_names_nothing(found: t.Any) -> None:
    assert stored_names(found) == set()


def test_a_list_of_manifests_has_one_for_the_architecture() -> None:
    platforms = {OLD: "arm64", NEW: "amd64"}
    listed = [{"digest": digest, "platform": {"architecture": name}} for digest, name in platforms.items()]
    assert instance_digest({"manifests": listed}, "x86_64") == NEW
    assert instance_digest({"layers": []}, "x86_64") is None


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Boot Status is GREEN - Health Check SUCCESS\n", "green"),
        ("x\nBoot Status is RED - Health Check FAILURE!\n", "red"),
        ("Boot Status is GREEN - Health Check SUCCESS\nFALLBACK BOOT DETECTED!\n", "fallback"),
        ("", None),
    ],
)
def test_what_greenboot_found_is_told_by_its_worst_word(said: str, expected: str | None) -> None:
    assert health_verdict(said) == expected


def test_every_form_of_a_credential_is_a_secret() -> None:
    auth = '{"auths": {"quay.io": {"auth": "dXNlcjpjYW5hcnk="}, "r": {"identitytoken": "token"}, "broken": 1}}'
    assert registry_secrets({"registry_auth": auth}) == {"dXNlcjpjYW5hcnk=", "user:canary", "canary", "token"}


@pytest.mark.parametrize("auth", [None, "", "no json", "[]", '{"auths": []}', '{"auths": {"a": {"auth": "%%"}}}'])
def test_no_credentials_are_no_error(auth: str | None) -> None:
    assert registry_secrets({"registry_auth": auth}) <= {"%%"}


STAGED, ARRIVED = bootc_host(entry(), entry(NEW, f"{NAME}:9@{NEW}")), bootc_host(entry(NEW, f"{NAME}:9@{NEW}"))


def test_staged_is_not_booted_before_the_reboot() -> None:
    wanted = f"{NAME}:9@{NEW}"
    assert is_reached(STAGED, goal(image=wanted))
    assert not is_reached(STAGED, goal(image=wanted, state="booted"))
    assert is_reached(ARRIVED, goal(image=wanted, state="booted"))
    assert (needs_reboot(STAGED), needs_reboot(ARRIVED)) == (True, False)


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"image": f"{NAME}:9@{NEW}"}, "is staged; the next reboot boots it"),
        ({"image": f"{NAME}:9", "state": "downloaded"}, "no reboot activates it"),
        ({"state": "unstaged"}, "Nothing is staged"),
    ],
)
def test_where_a_host_stands_is_one_sentence(asked: dict[str, t.Any], sentence: str) -> None:
    assert sentence in standing(STAGED, goal(**asked))


def test_before_and_after_name_images_with_their_digests() -> None:
    assert brief(STAGED)["booted"] == f"{NAME}:9 ({OLD})"
    assert brief(STAGED)["next_boot"] == f"{NAME}:9@{NEW}"
    assert difference(brief(STAGED), brief(STAGED)) is None
