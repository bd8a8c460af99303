# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What is done next: one table for each state, the same for both backends."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.os_image_errors import (
    NoRollbackError,
    OsImageChangeError,
    SoftRebootError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.host_status import HostStatus
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.next_action import (
    Kind,
    Seen,
    next_action,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import MissingRequirementError
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._os_images.plan.os_image_samples import (
    NAME,
    NEW,
    OLD,
    OTHER,
    bootc_host,
    deployment,
    entry,
    goal,
    rpm_ostree_host,
)

WANTED = f"{NAME}:9@{NEW}"
NEXT, LOCKED, BACK = entry(NEW, WANTED), entry(NEW, WANTED, downloadOnly=True), entry(OTHER, f"{NAME}:8")
ALIEN = entry(OTHER, "quay.io/example/other:1")

PLAIN = bootc_host(entry())
STAGED = bootc_host(entry(), NEXT, BACK)
STAGED_LOCKED = bootc_host(entry(), LOCKED, BACK)
STAGED_ALIEN = bootc_host(entry(), ALIEN, BACK)
ARRIVED = bootc_host(NEXT, None, entry())
ARRIVED_ALIEN = bootc_host(NEXT, ALIEN, entry())
ARRIVED_QUEUED = bootc_host(NEXT, None, entry(), queued=True)
QUEUED_WANTED = bootc_host(entry(), None, NEXT, queued=True)
LOCKED_BY_RPM_OSTREE = rpm_ostree_host(
    deployment(NEW, WANTED, staged=True, **{"finalization-locked": True}), deployment(booted=True)
)


def kind(
    status: HostStatus, done: tuple[Kind, ...] = (), *, seen: dict[str, t.Any] | None = None, **asked: t.Any
) -> str:
    action = next_action(Seen(status, **{"is_composefs": True, **(seen or {})}), goal(**asked), done)
    return action.kind.value if action is not None else "nothing"


@pytest.mark.parametrize("state", ["staged", "booted"])
@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (PLAIN, "switch"),
        (STAGED, "nothing"),
        (STAGED_LOCKED, "unlock"),
        (LOCKED_BY_RPM_OSTREE, "discard"),
        (STAGED_ALIEN, "switch"),
        (ARRIVED, "nothing"),
        (ARRIVED_ALIEN, "discard"),
        (ARRIVED_QUEUED, "rollback"),
        (QUEUED_WANTED, "nothing"),
    ],
)
def test_an_image_is_to_be_booted_next(status: HostStatus, expected: str, state: str) -> None:
    assert kind(status, state=state, image=WANTED) == expected


@pytest.mark.parametrize(
    ("status", "stored", "expected"),
    [
        (PLAIN, None, "download"),
        (PLAIN, NEW, "nothing"),
        (STAGED, None, "download"),
        (STAGED, NEW, "discard"),
        (STAGED_LOCKED, None, "nothing"),
        (STAGED_ALIEN, NEW, "nothing"),
        (ARRIVED, None, "nothing"),
    ],
)
def test_an_image_is_to_be_on_the_host_and_not_armed(status: HostStatus, stored: str | None, expected: str) -> None:
    for place in ("stored_digest", "pulled_digest"):
        assert kind(status, state="downloaded", image=WANTED, seen={place: stored}) == expected


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (PLAIN, "nothing"),
        (STAGED, "discard"),
        (STAGED_LOCKED, "discard"),
        (ARRIVED_QUEUED, "rollback"),
        (bootc_host(entry(), NEXT, BACK, queued=True), "discard"),
    ],
)
def test_nothing_is_to_be_armed(status: HostStatus, expected: str) -> None:
    assert kind(status, state="unstaged") == expected


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (ARRIVED, "rollback"),
        (ARRIVED_QUEUED, "nothing"),
        (ARRIVED_ALIEN, "discard"),
        (bootc_host(entry(), None, NEXT), "nothing"),
        (bootc_host(entry(), NEXT, BACK), "discard"),
    ],
)
def test_an_image_is_to_be_left_and_asking_again_is_no_toggle(status: HostStatus, expected: str) -> None:
    assert kind(status, state="rolled_back", leave_digest=NEW) == expected


@pytest.mark.parametrize(
    ("status", "asked"),
    [
        (bootc_host(NEXT), {"leave_digest": NEW}),
        (ARRIVED, {"image": f"{NAME}:7"}),
        (bootc_host(NEXT, None, NEXT), {"leave_digest": NEW}),
    ],
)
def test_a_rollback_to_nowhere_is_refused(status: HostStatus, asked: dict[str, t.Any]) -> None:
    with pytest.raises(NoRollbackError):
        kind(status, state="rolled_back", **asked)


def test_a_rollback_to_a_named_image_needs_that_one() -> None:
    assert kind(ARRIVED, state="rolled_back", image=f"{NAME}:9@{OLD}") == "rollback"


TAG = f"{NAME}:9"


@pytest.mark.parametrize(
    ("status", "done", "expected"),
    [
        (bootc_host(entry()), (), "upgrade"),
        (bootc_host(entry()), (Kind.UPGRADE,), "nothing"),
        (bootc_host(entry(), entry(NEW)), (), "upgrade"),
        (bootc_host(entry(), None, BACK, queued=True), (), "rollback"),
        (bootc_host(entry(transport="containers-storage")), (), "switch"),
        (bootc_host(entry(OTHER, "quay.io/example/other:1")), (), "switch"),
    ],
)
def test_a_tag_is_followed_once_in_a_run(status: HostStatus, done: tuple[Kind, ...], expected: str) -> None:
    assert kind(status, done, image=TAG, follow_tag=True) == expected


def test_a_digest_is_not_followed() -> None:
    assert kind(STAGED, image=WANTED, follow_tag=True) == "nothing"


def test_bound_images_that_are_missing_have_the_image_staged_anew() -> None:
    assert kind(STAGED, image=WANTED, seen={"missing_bound": ("quay.io/example/agent:1",)}) == "discard"


STORAGE = "containers-storage"


@pytest.mark.parametrize(
    ("asked", "stored", "transport"),
    [
        ({}, None, None),
        ({}, OTHER, STORAGE),
        ({"source": "registry"}, OTHER, None),
        ({"follow_tag": True}, OTHER, None),
        ({"enforce_signatures": True}, OTHER, None),
        ({"enforce_signatures": True, "source": "container_storage"}, OTHER, STORAGE),
        ({"mirror": "192.0.2.7:5000/os/image"}, OTHER, None),
        ({"digest": NEW}, NEW, STORAGE),
    ],
)
def test_the_content_is_read_where_it_is(asked: dict[str, t.Any], stored: str | None, transport: str | None) -> None:
    action = next_action(Seen(PLAIN, stored_digest=stored), goal(image=f"{NAME}:10", **asked))
    assert action is not None
    assert (action.kind, action.transport) == (Kind.SWITCH, transport)


def test_an_image_that_must_come_from_the_storage_must_be_there() -> None:
    with pytest.raises(OsImageChangeError, match="it does not exist there"):
        kind(PLAIN, image=WANTED, source="container_storage")


def test_kernel_arguments_come_after_the_image() -> None:
    seen: dict[str, t.Any] = {"has_rpm_ostree": True, "kargs": ("rw", "quiet")}
    asked: dict[str, t.Any] = {"image": WANTED, "kernel_arguments": ["nosmt"], "kernel_arguments_absent": ["quiet"]}
    assert kind(PLAIN, seen=seen, **asked) == "switch"
    assert kind(STAGED, seen=seen, **asked) == "kernel_arguments"
    assert kind(STAGED, seen={**seen, "kargs": ("rw", "nosmt")}, **asked) == "nothing"


@pytest.mark.parametrize("status", [PLAIN, STAGED])
def test_kernel_arguments_that_nothing_can_set_are_refused_first(status: HostStatus) -> None:
    with pytest.raises(MissingRequirementError, match="requires rpm-ostree, or bootc"):
        kind(status, image=WANTED, kernel_arguments=["nosmt"])


BY_BOOTC: dict[str, tuple[HostStatus, dict[str, t.Any], str]] = {
    # What the host is, what it has and is to have, and what is done.
    "after the switch": (STAGED, {"kernel_arguments": ["nosmt"]}, "kernel_arguments"),
    "before the switch": (PLAIN, {"kernel_arguments": ["nosmt"]}, "switch"),
    "there by other means": (STAGED, {"kernel_arguments": ["rw"]}, "nothing"),
    "its own goes": (STAGED, {"kernel_arguments_absent": ["own"]}, "kernel_arguments"),
    "another one locked": (
        bootc_host(NEXT, entry(OTHER, downloadOnly=True)),
        {"kernel_arguments": ["nosmt"]},
        "discard",
    ),
}


@pytest.mark.parametrize(("status", "asked", "expected"), BY_BOOTC.values(), ids=BY_BOOTC)
def test_bootc_sets_kernel_arguments_without_rpm_ostree(
    status: HostStatus, asked: dict[str, t.Any], expected: str
) -> None:
    seen = {"kargs": ("rw", "own"), "own_kargs": ("own",)}
    assert kind(status, seen=seen, image=WANTED, **asked) == expected


@pytest.mark.parametrize(
    ("status", "asked", "said"),
    [
        pytest.param(
            STAGED, {"kernel_arguments_absent": ["rw"]}, "only arguments that this module has set", id="foreign"
        ),
        pytest.param(QUEUED_WANTED, {"kernel_arguments": ["nosmt"]}, "a rollback is queued", id="in a rollback"),
    ],
)
def test_bootc_cannot_set_all_kernel_arguments(status: HostStatus, asked: dict[str, t.Any], said: str) -> None:
    with pytest.raises(OsImageChangeError, match=said):
        kind(status, seen={"kargs": ("rw", "own"), "own_kargs": ("own",)}, image=WANTED, **asked)


@pytest.mark.parametrize("capable", [False, None])
def test_a_required_soft_reboot_must_be_possible(capable: bool | None) -> None:
    status = bootc_host(entry(), entry(NEW, WANTED, softRebootCapable=capable))
    with pytest.raises(SoftRebootError):
        kind(status, image=WANTED, soft_reboot="required")
    assert kind(status, image=WANTED, soft_reboot="auto") == "nothing"


def test_a_required_soft_reboot_needs_composefs_and_is_refused_before_anything_is_staged() -> None:
    with pytest.raises(SoftRebootError, match="composefs"):
        kind(PLAIN, seen={"is_composefs": False}, image=WANTED, soft_reboot="required")
    assert kind(PLAIN, seen={"is_composefs": False}, image=WANTED, soft_reboot="auto") == "switch"


@pytest.mark.parametrize(
    ("status", "done", "asked"),
    [
        (PLAIN, Kind.SWITCH, {"image": WANTED}),
        (PLAIN, Kind.DOWNLOAD, {"image": WANTED, "state": "downloaded"}),
        (ARRIVED, Kind.ROLLBACK, {"state": "rolled_back", "leave_digest": NEW}),
        (STAGED_LOCKED, Kind.UNLOCK, {"image": WANTED}),
    ],
)
def test_a_command_that_ended_well_without_effect_is_an_error(
    status: HostStatus, done: Kind, asked: dict[str, t.Any]
) -> None:
    with pytest.raises(OsImageChangeError, match="succeeded, but still"):
        kind(status, (done,), **asked)


def test_an_image_with_another_policy_on_signatures_is_switched() -> None:
    signed = bootc_host(entry(NEW, WANTED, policy={"signature": "containerPolicy"}))
    assert kind(signed, image=WANTED, enforce_signatures=True) == "nothing"
    assert kind(ARRIVED, image=WANTED, enforce_signatures=True) == "switch"
