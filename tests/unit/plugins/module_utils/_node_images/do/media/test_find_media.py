# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Bundles on the media of a host."""

from __future__ import annotations

import shutil
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._host.mountinfo import parse_mountinfo
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.media import find_media, media_mounts
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.media.find_media import media_report
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.vetted_digest import VettedDigest
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._bundle_files.indexes import (
    simple_bundle,
    write_folder,
)
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._bundle_files.medium import Medium


@pytest.fixture(autouse=True)
def no_devices(monkeypatch: pytest.MonkeyPatch) -> None:
    """The host below the temporary folder has no block devices and no mounts of its own."""
    monkeypatch.setattr(find_media, "block_devices", lambda _host: ())
    monkeypatch.setattr(find_media, "read_mounts", lambda _host: ())
    monkeypatch.setattr(media_mounts, "read_mounts", lambda _host: ())


def report_of(host: Host, *words: t.Any) -> t.Any:
    return media_report(host, *words).objects


@pytest.fixture
def drive(host: Host, medium: Medium) -> Path:
    target = host.root / "media/drive/bundles/4.21.3"
    shutil.copytree(medium.folder, target)
    return target


def test_a_whole_bundle_is_found_in_a_folder_of_the_medium(host: Host, medium: Medium, drive: Path) -> None:
    assert drive.is_dir()
    report = report_of(host, ["/media/drive"])
    (found,) = report["bundles"]
    assert (found["path"], found["problem"]) == ("/media/drive/bundles/4.21.3", "")
    assert (found["version"], found["size"]) == ("4.21.3", medium.index.size)
    assert report["index_digests"] == [str(medium.index.digest)]


def test_a_bundle_that_is_not_whole_says_so(host: Host, medium: Medium, drive: Path) -> None:
    (drive / "blobs/sha256" / medium.large.hex).unlink()
    report = report_of(host, ["/media/drive"])
    assert report["bundles"][0]["problem"] == "1 of its 6 blobs are missing"
    assert report["index_digests"] == []


@pytest.mark.parametrize("content", [b"", b"{}", b"\xff\xfe", b"[" * 100_000], ids=["empty", "other", "bytes", "deep"])
def test_an_index_that_is_none_is_a_problem_not_an_error(host: Host, drive: Path, content: bytes) -> None:
    (drive / "index.json").chmod(0o644)
    (drive / "index.json").write_bytes(content)
    (found,) = report_of(host, ["/media/drive"])["bundles"]
    assert found["index_digest"] is None
    assert found["problem"]


def test_two_different_bundles_show_as_two(host: Host, medium: Medium, drive: Path) -> None:
    assert drive.is_dir()
    other, stored = simple_bundle({"release": b"another"})
    write_folder(host.root / "media/other", other, stored)
    digests = report_of(host, ["/media/drive", "/media/other"])["index_digests"]
    assert digests == sorted([str(medium.index.digest), str(other.digest)])


def test_the_same_bundle_twice_is_one(host: Host, medium: Medium, drive: Path) -> None:
    shutil.copytree(drive, host.root / "media/copy")
    report = report_of(host, ["/media/drive", "/media/copy"])
    assert (len(report["bundles"]), report["index_digests"]) == (2, [str(medium.index.digest)])


def test_a_place_that_is_not_there_holds_nothing(host: Host) -> None:
    assert report_of(host, ["/media/gone"])["bundles"] == []


class TestWanted:
    """Where the digest of the wanted index is known."""

    @pytest.mark.parametrize("digits", [64, 32])
    def test_the_wanted_bundle_is_read(self, host: Host, medium: Medium, drive: Path, digits: int) -> None:
        assert drive.is_dir()
        wanted = VettedDigest(medium.index.digest.hex[:digits])
        (found,) = report_of(host, ["/media/drive"], wanted)["bundles"]
        assert (found["version"], found["problem"]) == ("4.21.3", "")

    def test_of_another_bundle_only_the_digest_is_told(self, host: Host, medium: Medium, drive: Path) -> None:
        assert drive.is_dir()
        report = report_of(host, ["/media/drive"], VettedDigest("0" * 64))
        (found,) = report["bundles"]
        assert (found["index_digest"], found["version"], found["problem"]) == (str(medium.index.digest), "", "")
        assert report["index_digests"] == [str(medium.index.digest)]

    @pytest.mark.parametrize(
        ("content", "problem"),
        [
            pytest.param(b'{"kind":"FieldOpsBundle",' + b"[" * 100_000, "", id="an index that would not parse"),
            pytest.param(b'{"schemaVersion":2,"manifests":[]}', "is not the index of a bundle", id="an OCI layout"),
            pytest.param(b"", "is not the index of a bundle", id="empty"),
        ],
    )
    def test_what_is_not_wanted_is_not_parsed(self, host: Host, drive: Path, content: bytes, problem: str) -> None:
        (drive / "index.json").chmod(0o644)
        (drive / "index.json").write_bytes(content)
        (found,) = report_of(host, ["/media/drive"], VettedDigest("0" * 64))["bundles"]
        assert found["problem"].endswith(problem)
        assert bool(found["index_digest"]) is not bool(problem)


def test_of_one_medium_sixteen_indexes_are_read_and_the_others_named(host: Host, medium: Medium, drive: Path) -> None:
    assert drive.is_dir()
    for number in range(20):
        folder = host.root / f"media/full/{number:02}"
        folder.mkdir(parents=True)
        (folder / "index.json").write_bytes(b"{}")
    report = report_of(host, ["/media/full", "/media/drive"])
    assert len(report["bundles"]) == 17
    assert report["not_read"] == [f"/media/full/{number}" for number in range(16, 20)]
    assert report["index_digests"] == [str(medium.index.digest)], "the next medium is read all the same"


def test_links_are_not_followed(host: Host, medium: Medium) -> None:
    (host.root / "media").mkdir()
    (host.root / "media/link").symlink_to(medium.folder)
    assert report_of(host, ["/media"])["bundles"] == []


@pytest.mark.parametrize("link", ["var/mnt", "/var/mnt"])
def test_what_is_mounted_where_a_folder_for_media_leads_is_looked_at(
    host: Host, medium: Medium, monkeypatch: pytest.MonkeyPatch, link: str
) -> None:
    shutil.copytree(medium.folder, host.root / "var/mnt/bundle")
    (host.root / "mnt").symlink_to(link)
    mount = parse_mountinfo(b"1 0 8:1 / /var/mnt/bundle ro - xfs /dev/sdb1 ro")
    monkeypatch.setattr(find_media, "read_mounts", lambda _host: mount)
    assert report_of(host)["places"] == ["/var/mnt/bundle"]
    assert report_of(host)["index_digests"] == [str(medium.index.digest)]
