# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The digest of a manifest list and that of this architecture's manifest are one image."""

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.asked_digest import (
    AskedDigest,
    asked_digest,
    is_unresolved,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.commands import manifest_commands
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.next_action import (
    Kind,
    Seen,
    next_action,
)
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._os_images.plan.os_image_samples import (
    NAME,
    NEW,
    OLD,
    OTHER,
    bootc_host,
    entry,
    goal,
)

LIST, CHILD = OTHER, NEW
BY_LIST = entry(CHILD, f"{NAME}@{LIST}")
BY_TAG = entry(CHILD, f"{NAME}:9.6")
BEFORE = entry(OLD, f"{NAME}:9.4")


@pytest.mark.parametrize(
    ("booted", "recorded", "manifest", "unresolved"),
    [
        pytest.param(BY_LIST, {}, CHILD, False, id="the name of a deployment tells"),
        pytest.param(BY_TAG, {LIST: CHILD}, CHILD, False, id="an earlier run wrote it down"),
        pytest.param(BY_TAG, {}, None, True, id="nothing on the host tells"),
        pytest.param(entry(LIST, f"{NAME}:9.6"), {}, None, False, id="it is no list: a deployment has it"),
    ],
)
def test_a_host_tells_which_manifest_it_has_of_a_digest(
    booted: dict[str, object], recorded: dict[str, str], manifest: str | None, unresolved: bool
) -> None:
    status = bootc_host(booted, None, BEFORE)
    found = asked_digest(LIST, status, recorded)
    assert (found, is_unresolved(found, status)) == (AskedDigest(LIST, manifest), unresolved)


@pytest.mark.parametrize(
    ("booted", "manifest", "expected"),
    [
        pytest.param(BY_LIST, None, Kind.ROLLBACK, id="booted by the list"),
        pytest.param(BY_TAG, CHILD, Kind.ROLLBACK, id="booted by a tag of the list"),
        pytest.param(BEFORE, CHILD, None, id="left already"),
    ],
)
def test_a_rollback_leaves_the_image_of_a_list(
    booted: dict[str, object], manifest: str | None, expected: Kind | None
) -> None:
    status = bootc_host(booted, None, BEFORE if booted is not BEFORE else BY_LIST)
    asked = goal(state="rolled_back", leave_digest=LIST).knowing([AskedDigest(LIST, manifest)])
    action = next_action(Seen(status), asked)
    assert (action.kind if action else None) == expected


def test_an_image_that_a_tag_brought_is_not_staged_again_by_the_digest_of_its_list() -> None:
    asked = goal(image=f"{NAME}:9.6", digest=LIST).knowing([AskedDigest(LIST, CHILD)])
    assert next_action(Seen(bootc_host(BY_TAG)), asked) is None


def test_a_digest_is_shown_with_its_manifest_and_where_the_host_has_it() -> None:
    assert AskedDigest(LIST, CHILD).as_document(bootc_host(BEFORE, BY_TAG)) == {
        "digest": LIST,
        "manifest": CHILD,
        "booted": False,
        "next_boot": True,
    }


def test_the_container_storage_is_asked_before_the_registry() -> None:
    assert [argv[-1] for argv in manifest_commands(LIST, [NAME], "/run/auth.json")] == [
        f"containers-storage:{NAME}@{LIST}",
        f"docker://{NAME}@{LIST}",
    ]
