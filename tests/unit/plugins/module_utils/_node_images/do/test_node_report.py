# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which bundles lie on a host."""

from __future__ import annotations

import os
import shutil
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do import node_report
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.node_report import (
    bundles_report,
    images_report,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staged_bundles import BUNDLES
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.runtime_images import RuntimeImages
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.source.settings import SETTINGS_FILE
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._bundle_files.medium import Medium

MOMENT = 1795298400
EVERY: dict[str, t.Any] = {"index_digest": None, "images": []}


@pytest.fixture
def staged(host: Host, medium: Medium) -> Path:
    folder = host.root / BUNDLES.lstrip("/") / medium.index.folder_name
    shutil.copytree(medium.folder, folder)
    return folder


def test_a_host_that_was_never_used(host: Host) -> None:
    assert bundles_report(host, EVERY) == []


@pytest.mark.usefixtures("staged")
def test_whether_a_node_has_an_image_source(host: Host) -> None:
    assert [one["serving"] for one in bundles_report(host, EVERY)] == [False]
    path = host.path(SETTINGS_FILE)
    path.parent.mkdir(parents=True)
    path.write_text('{"port": 9700, "blocked": []}')
    assert [one["serving"] for one in bundles_report(host, EVERY)] == [True]


def test_a_whole_bundle(host: Host, medium: Medium, staged: Path) -> None:
    (found,) = bundles_report(host, EVERY)
    assert found["folder"] == f"{BUNDLES}/{staged.name}"
    assert (found["complete"], found["problem"], found["jobs"]) == (True, "", [])
    assert (found["version"], found["size"]) == ("4.21.3", medium.index.size)


def test_an_answer_about_images_says_since_when_how_much_of_the_bundle_is_here(
    host: Host, medium: Medium, staged: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(node_report, "runtime_images", lambda _host, _deadline: RuntimeImages.of({"images": []}))
    (blobs,) = (staged / "blobs").iterdir()
    os.utime(blobs, (MOMENT, MOMENT))
    asked = {"index_digest": str(medium.index.digest), "images": [], "names": [], "pullable": []}
    held = images_report(host, asked)["staged_bundle"]
    assert held == {"size": medium.index.size, "since": "2026-11-21T22:00:00Z"}
    shutil.rmtree(blobs)
    assert images_report(host, asked)["staged_bundle"] is None
    shutil.rmtree(staged)
    assert images_report(host, asked)["staged_bundle"] is None


def test_one_that_is_not_whole_says_how_much_is_missing(host: Host, medium: Medium, staged: Path) -> None:
    (staged / "blobs/sha256" / medium.large.hex).rename(staged / "blobs/sha256" / f"{medium.large.hex}.part")
    (found,) = bundles_report(host, EVERY)
    assert (found["complete"], found["missing_blobs"], found["missing_size"]) == (False, 1, 0)


def test_it_is_complete_for_the_images_that_are_asked_about(host: Host, medium: Medium, staged: Path) -> None:
    (staged / "blobs/sha256" / medium.large.hex).unlink()
    (found,) = bundles_report(host, {**EVERY, "images": ["cli"]})
    assert (found["complete"], found["missing_blobs"], found["images"]) == (True, 0, 3)
    (found,) = bundles_report(host, {**EVERY, "images": ["cli", "etcd"]})
    assert (found["complete"], found["missing_blobs"]) == (False, 1)
    (found,) = bundles_report(host, {**EVERY, "images": ["ose-cli"]})
    assert (found["complete"], found["index_digest"]) == (False, str(medium.index.digest))
    assert "has no image of that name or component" in found["problem"]


@pytest.mark.parametrize(
    ("record", "complete"),
    [
        ('{"schemaVersion": 1, "images": ["cli"]}', True),
        ('{"schemaVersion": 1, "images": ["cli", "etcd"]}', False),
        ('{"schemaVersion": 1, "images": [7]}', False),
        ("[]", False),
        ("{", False),
    ],
)
def test_it_is_complete_for_the_images_that_it_was_staged_for(
    host: Host, medium: Medium, staged: Path, record: str, complete: bool
) -> None:
    """All images count if the record is damaged, and those of the request if it names some."""
    (staged / "blobs/sha256" / medium.large.hex).unlink()
    (staged / "selection.json").write_text(record)
    (found,) = bundles_report(host, EVERY)
    assert (found["complete"], found["selection"] == ["cli"]) == (complete, complete)
    (found,) = bundles_report(host, {**EVERY, "images": ["etcd"]})
    assert (found["complete"], found["selection"]) == (False, ["etcd"])


def test_damaged_ones_are_told_not_hidden(host: Host, staged: Path) -> None:
    (staged / "index.json").unlink()
    other = staged.with_name("4.20.1-x86_64-0123456789ab")
    other.mkdir()
    (other / "index.json").write_text("{}")
    problems = {one["folder"]: one["problem"] for one in bundles_report(host, EVERY)}
    assert problems[f"{BUNDLES}/{staged.name}"] == "it has no index"
    assert "missing" in problems[f"{BUNDLES}/{other.name}"]


@pytest.mark.parametrize(("is_asked_for", "count"), [(True, 1), (False, 0)], ids=["that one", "another one"])
def test_only_the_one_that_was_asked_for(
    host: Host, medium: Medium, staged: Path, is_asked_for: bool, count: int
) -> None:
    assert staged.is_dir()
    digest = str(medium.index.digest) if is_asked_for else f"sha256:{'0' * 64}"
    assert len(bundles_report(host, {**EVERY, "index_digest": digest})) == count
