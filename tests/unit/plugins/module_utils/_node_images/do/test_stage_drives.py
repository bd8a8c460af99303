# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A bundle on several drives is staged from those that are there, and what is missing is named."""

from __future__ import annotations

import itertools
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.blob_sources import RelaySourceSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.media.find_media import media_report
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staged_bundles import create_folder
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staging.stage_bundle import look_at
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staging.stage_job import stage_blobs
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staging.staging_order import (
    StagingOrder,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_errors import NoSourceError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_volumes import NeedsVolumeError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._bundle_files.blob_server import BlobServer
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._bundle_files.drives import Drives


class Quiet:
    """Progress of a job that is not watched."""

    def report(self, *_words: object, **_given: object) -> None: ...


class Node:
    """A host and the drives, by the letters that they have."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.drives = Drives(host.root / "media")

    def stage(self, letters: str, url: str = "") -> None:
        """Take what the connected drives have, as the job does."""
        first, *parts = [f"/media/{letter}" for letter in letters] or [""]
        sources = (RelaySourceSpec(url),) if url else ()
        order = StagingOrder(self.drives.index.digest, sources=sources, src=first, parts=tuple(parts))
        staging = look_at(self.host, order, Deadline(30, SystemClock()))
        create_folder(staging.folder, staging.content)
        stage_blobs(host_root=str(self.host.root), order=order.arguments(), patience=0.2, progress=Quiet())

    def converge(self, letters: t.Iterable[str]) -> None:
        """Connect drives one after another in one port, as long as the node needs any."""
        for letter in letters:
            try:
                self.stage(letter)
            except NoSourceError:
                continue
            return
        raise AssertionError("the bundle is not complete")

    def content(self) -> dict[str, bytes]:
        """Return what is staged."""
        (folder,) = self.host.path("/var/lib/fieldops/bundles").iterdir()
        return {
            path.name: path.read_bytes() for path in (folder / "blobs/sha256").iterdir() if ".part" not in path.name
        }

    @property
    def is_complete(self) -> bool:
        """Whether every byte is staged."""
        return self.content() == {digest.hex: content for digest, content in self.drives.stored.items()}


@pytest.fixture
def node(host: Host) -> Node:
    return Node(host)


def largest_on(folder: Path) -> Path:
    return max((folder / "blobs/sha256").iterdir(), key=lambda path: path.stat().st_size)


def test_all_drives_at_once(node: Node) -> None:
    node.stage("ABC")
    assert node.is_complete


@pytest.mark.parametrize("order", list(itertools.permutations("ABC")), ids="".join)
def test_one_after_another_in_one_port(node: Node, order: tuple[str, ...]) -> None:
    node.converge(order)
    assert node.is_complete


def test_what_is_still_needed_is_named_with_its_size(node: Node) -> None:
    with pytest.raises(NeedsVolumeError) as raised:
        node.stage("A")
    assert raised.value.seen == (
        "3.5 MiB of 5.7 MiB are there; still needs drive B (label label of B) with 53 B "
        "and drive C (label label of C) with 2.2 MiB"
    )
    assert raised.value.partial["received_size"] > 0
    assert raised.value.kind == "needs_volume"


@pytest.mark.parametrize("lost", "ABC")
def test_the_parity_replaces_any_one_drive_in_one_port(node: Node, lost: str) -> None:
    node.converge([*(letter for letter in "ABC" if letter != lost), "P"])
    assert node.is_complete


def test_one_damaged_blob_is_rebuilt_once_all_others_are_there(node: Node) -> None:
    damaged = largest_on(node.drives.folders[0].path)
    damaged.write_bytes(bytes(damaged.stat().st_size))
    node.converge("ABCP")
    assert node.is_complete


def test_one_damaged_blob_comes_from_a_copy_of_its_drive(node: Node) -> None:
    damaged = largest_on(node.drives.folders[0].path)
    right = damaged.read_bytes()
    damaged.write_bytes(bytes(len(right)))
    for letter in "CAB":
        with pytest.raises(NoSourceError):
            node.stage(letter)
    damaged.write_bytes(right)
    node.stage("A")
    assert node.is_complete


def test_a_node_without_a_drive_is_told_by_the_relay_which_one_is_missing(node: Node) -> None:
    with BlobServer(node.drives.folders[0].path) as server:
        with pytest.raises(NeedsVolumeError, match=r"still needs drive B \(label label of B\)"):
            node.stage("", server.url)
        server.folder = node.drives.folders[1].path
        with pytest.raises(NeedsVolumeError, match=r"still needs drive C \(label label of C\)"):
            node.stage("", server.url)
        server.folder = node.drives.folders[2].path
        node.stage("", server.url)
    assert node.is_complete


def test_drives_are_found_as_parts(node: Node) -> None:
    found = media_report(node.host, [f"/media/{letter}" for letter in "ACP"]).objects["bundles"]
    assert [(one["is_part"], one["volume"]["names"]) for one in found] == [(True, ["A"]), (True, ["C"]), (True, ["P"])]
    assert [one["name"] for one in found[0]["volume"]["others"]] == ["B", "C", "P"]
