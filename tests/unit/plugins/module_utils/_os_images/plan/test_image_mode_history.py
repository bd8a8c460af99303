# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What is kept of a pool's images, and what a rollback goes back to."""

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.image_mode_history import (
    MOST_REVISIONS,
    ImageHistory,
    ImageHistoryError,
    asked,
    begun,
    history_document,
    history_of,
    revision_document,
    rolled_back,
    with_image,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.machine_os_config import (
    BuildOrder,
    ContainerfilePart,
    PoolImage,
)

RELEASE = PoolImage()
FIRST = PoolImage("registry.site.example/os/worker@sha256:" + "01" * 32)
SECOND = PoolImage("", BuildOrder("registry.site.example/os/worker:1", "push", "", (ContainerfilePart("NoArch", "x"),)))
AT = "2026-11-21T20:00:00Z"


def after(*wanted: PoolImage) -> ImageHistory:
    """Return the history of a pool that had the release's image and was asked for ``wanted``, one after another."""
    history = begun(RELEASE, "release@sha256:00", AT)
    for number, one in enumerate(wanted, start=1):
        history = with_image(asked(history, one, AT), f"image-{number}")
    return history


def current(history: ImageHistory) -> PoolImage:
    assert history.current is not None
    return history.current.wanted


def test_asking_for_the_same_again_adds_nothing() -> None:
    history = after(FIRST)
    assert asked(history, FIRST, "later") == history


@pytest.mark.parametrize(
    ("wanted", "back_to"), [((FIRST,), RELEASE), ((FIRST, SECOND), FIRST), ((FIRST, SECOND, FIRST), SECOND)]
)
def test_a_rollback_asks_for_what_was_before(wanted: tuple[PoolImage, ...], back_to: PoolImage) -> None:
    assert current(rolled_back(after(*wanted), "worker", AT)) == back_to


def test_a_rollback_is_no_toggle() -> None:
    once = rolled_back(after(FIRST, SECOND), "worker", AT)
    assert rolled_back(once, "worker", "later") == once


def test_after_something_else_was_asked_for_there_may_be_another_rollback() -> None:
    once = rolled_back(after(FIRST, SECOND), "worker", AT)
    again = asked(once, SECOND, AT)
    assert again.left is None
    assert current(rolled_back(again, "worker", AT)) == FIRST


def test_a_rollback_expects_the_image_that_was_known() -> None:
    history = rolled_back(after(FIRST, SECOND), "worker", AT)
    assert history.current is not None
    assert history.twin is not None
    assert (history.current.image, history.twin.image) == ("image-1", "image-1")


def test_without_anything_before_there_is_no_rollback() -> None:
    with pytest.raises(ImageHistoryError, match="no earlier image of the pool is known"):
        rolled_back(begun(FIRST, "", AT), "worker", AT)
    with pytest.raises(ImageHistoryError):
        rolled_back(ImageHistory(), "worker", AT)


def test_it_does_not_grow_for_ever_and_numbers_are_not_used_twice() -> None:
    wanted = [FIRST, SECOND] * MOST_REVISIONS
    history = after(*wanted)
    numbers = [one.number for one in history.revisions]
    assert len(numbers) == MOST_REVISIONS
    assert numbers == list(range(len(wanted) + 1 - MOST_REVISIONS, len(wanted) + 1))


@pytest.mark.parametrize("history", [after(), after(FIRST, SECOND), rolled_back(after(FIRST, SECOND), "worker", AT)])
def test_what_is_kept_is_read_again(history: ImageHistory) -> None:
    assert history_of(history_document(history, "worker"), "worker") == history


@pytest.mark.parametrize(
    "content",
    [
        {},
        {"schemaVersion": "2", "revisions": "[]"},
        {"schemaVersion": "1", "revisions": "{"},
        {"schemaVersion": "1", "revisions": "[]"},
        {"schemaVersion": "1", "revisions": '{"left": null, "list": [{"number": "x"}]}'},
        {"schemaVersion": "1", "revisions": "[" * 100000},
    ],
    ids=["empty", "newer", "cut off", "another form", "no number", "deep"],
)
def test_damage_is_named(content: dict[str, str]) -> None:
    with pytest.raises(ImageHistoryError, match="fieldops-openshift/os-images-worker"):
        history_of({"data": content}, "worker")


def test_results_show_what_a_revision_asked_for() -> None:
    shown = revision_document(after(FIRST).revisions[1])
    assert (shown["revision"], shown["image"], shown["is_release"]) == (1, "image-1", False)
    assert shown["os_image_url"] == FIRST.os_image_url
    assert revision_document(None) == {}
