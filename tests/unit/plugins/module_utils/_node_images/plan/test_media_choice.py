# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.media_choice import choose_bundle
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

Report = dict[str, t.Any]


def bundle(digest: str, *, path: str = "/mnt/drive", base: str | None = None, problem: str = "") -> Report:
    document = {"path": path, "index_digest": digest, "base": base, "version": "4.21.3", "problem": problem}
    return {**document, "is_part": False}


def part(digest: str, path: str) -> Report:
    return {**bundle(digest, path=path, problem="4 of its 9 blobs are missing"), "is_part": True}


def found(*bundles: Report, unmounted: t.Any = ()) -> Report:
    return {"bundles": [*bundles], "unmounted": [*unmounted]}


FULL, DELTA, OTHER = bundle("full"), bundle("delta", base="full"), bundle("other")
BROKEN = bundle("broken", problem="2 of its 9 blobs are missing")


@pytest.mark.parametrize(
    ("media", "wanted", "digest", "folders"),
    [
        pytest.param({}, "", "", {}, id="no machines"),
        pytest.param({"a": found()}, "", "", {}, id="no media"),
        pytest.param({"a": found(FULL)}, "", "full", {"a": ["/mnt/drive"]}, id="one"),
        pytest.param({"a": found(FULL)}, "full", "full", {"a": ["/mnt/drive"]}, id="the vetted one"),
        pytest.param(
            {"a": found(FULL), "b": found(bundle("full", path="/media/x"))},
            "",
            "full",
            {"a": ["/mnt/drive"], "b": ["/media/x"]},
            id="the same on two machines",
        ),
        pytest.param(
            {"a": found(FULL, bundle("full", path="/media/x"))}, "", "full", {"a": ["/mnt/drive"]}, id="the same twice"
        ),
        pytest.param({"a": found(FULL, DELTA)}, "", "delta", {"a": ["/mnt/drive"]}, id="a delta beside its base"),
        pytest.param(
            {"a": found(FULL), "b": found(DELTA)},
            "delta",
            "delta",
            {"b": ["/mnt/drive"]},
            id="its base on another machine",
        ),
        pytest.param({"a": found(FULL, BROKEN)}, "", "full", {"a": ["/mnt/drive"]}, id="what is broken does not count"),
        pytest.param(
            {"a": found(part("full", "/m/1"), part("full", "/m/2")), "b": found(part("full", "/m/3"))},
            "full",
            "full",
            {"a": ["/m/1", "/m/2"], "b": ["/m/3"]},
            id="parts on several drives",
        ),
        pytest.param(
            {"a": found(FULL)},
            "fu",
            "full",
            {"a": ["/mnt/drive"]},
            id="the beginning of the vetted digest",
        ),
        pytest.param(
            {"a": found(part("full", "/m/1")), "b": found(FULL)},
            "",
            "full",
            {"b": ["/mnt/drive"]},
            id="a whole one beside a part",
        ),
    ],
)
def test_what_all_media_hold_is_chosen(media: t.Any, wanted: str, digest: str, folders: dict[str, str]) -> None:
    choice = choose_bundle(media, wanted)
    assert (choice.digest, choice.folders) == (digest, folders)


@pytest.mark.parametrize(
    ("media", "wanted"),
    [
        pytest.param({"a": found(FULL), "b": found(OTHER)}, "", id="on two machines"),
        pytest.param({"a": found(FULL, OTHER)}, "", id="on one medium"),
        pytest.param({"a": found(FULL), "b": found(OTHER)}, "full", id="though the vetted one is among them"),
        pytest.param({"a": found(OTHER)}, "full", id="another one than the vetted"),
        pytest.param({"a": found(FULL, DELTA)}, "full", id="a delta that was not asked for"),
        pytest.param({"a": found(part("full", "/m/1"), part("other", "/m/2"))}, "", id="parts of two"),
    ],
)
def test_different_bundles_are_refused(media: t.Any, wanted: str) -> None:
    with pytest.raises(InvalidInputError):
        choose_bundle(media, wanted)


def test_the_refusal_names_each_with_its_place() -> None:
    with pytest.raises(InvalidInputError) as caught:
        choose_bundle({"worker-0": found(FULL), "worker-1": found(OTHER)})
    for one in ("4.21.3 (full) on worker-0 in /mnt/drive", "4.21.3 (other) on worker-1 in /mnt/drive"):
        assert one in caught.value.seen


def test_a_bundle_that_was_not_read_is_another_one() -> None:
    with pytest.raises(InvalidInputError) as caught:
        choose_bundle({"worker-0": found(FULL), "worker-1": found({**OTHER, "version": ""})}, "full")
    assert "another bundle (other) on worker-1 in /mnt/drive" in caught.value.seen


@pytest.mark.parametrize(
    ("media", "in_parts"),
    [
        pytest.param({}, False, id="nothing"),
        pytest.param({"a": found(FULL)}, False, id="whole"),
        pytest.param({"a": found(part("full", "/m/1"))}, True, id="a part"),
    ],
)
def test_whether_all_folders_are_needed(media: t.Any, in_parts: bool) -> None:
    assert choose_bundle(media).as_document()["in_parts"] is in_parts


def drive(name: str, *others: str) -> Report:
    labels = [{"name": other, "label": f"DRIVE-{other}"} for other in others]
    return {**part("full", f"/m/{name}"), "volume": {"names": [name], "others": labels}}


@pytest.mark.parametrize(
    ("media", "absent"),
    [
        pytest.param({"a": found(drive("A", "B", "P"))}, ["drive B (label DRIVE-B)"], id="one is missing"),
        pytest.param({"a": found(drive("A", "B", "P")), "b": found(drive("B", "A", "P"))}, [], id="without the parity"),
        pytest.param(
            {"a": found(drive("A", "B", "P"), drive("P", "A", "B"))}, ["drive B (label DRIVE-B)"], id="with the parity"
        ),
        pytest.param({"a": found(part("full", "/m/1"))}, [], id="no document"),
        pytest.param({"a": found(FULL, drive("A", "B"))}, [], id="a whole bundle beside it"),
    ],
)
def test_drives_that_are_not_connected_are_named(media: t.Any, absent: list[str]) -> None:
    assert choose_bundle(media).as_document()["absent"] == absent


def test_who_finds_nothing_is_told_what_there_is() -> None:
    device = {"device": "/dev/sdb1", "fs_type": "exfat", "size": 1, "problem": "it could not be mounted: no driver"}
    choice = choose_bundle({"a": found(BROKEN), "b": found(unmounted=[device])})
    assert choice.hints == (
        "a: /mnt/drive: 2 of its 9 blobs are missing",
        "b: /dev/sdb1 (exfat): it could not be mounted: no driver",
    )
