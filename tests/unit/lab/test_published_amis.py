# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The list of published images, as it is written from an operator's list and an installer's history, and read again."""

from __future__ import annotations

import json
import subprocess
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.platforms import aws_published
from ansible_collections.fieldops.openshift.tests.lab.published_amis import (
    BUILDS,
    STREAMS,
    WRITTEN,
    collected,
    rendered,
)
from ansible_collections.fieldops.openshift.tests.lab.published_streams import VERSIONS, Origin, Version, recorded

OPERATOR_ONLY, BOTH, STREAM_ONLY = "000145e5a91e9ac22", "0001c9b25b9ca6731", "0f8195c36da4edbd7"
BUILT, ARM, LICENSED, FEDORA = "0d5e8f1a4b72c3d65", "0a2b5c8d1e4f70932", "0b3c6d9e2f5081a43", "0c4d7e0f3a6192b54"
OLD, NEW = "410.84.202201251203-0", "9.6.20260112-0"
FIRST, ARM_BUILD = "410.8.20190520.0", "48.84.202105182319-0"

COUNTS = {
    "9.8.20260428-0": {"aarch64": 34, "x86_64": 34 + 32},
    "10.2.20260715-0": {"aarch64": 34, "x86_64": 34 + 32},
    "416.94.202405291527-0": {"x86_64": 31},
    "45.81.202005200134-0": {"x86_64": 17},
    "45.82.202008010929-0": {"x86_64": 17},
}
"""Regions of each recorded version, and those with a licence of Windows."""
Json = dict[str, t.Any]


def git(clone: Path, *words: str) -> None:
    identity = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
    subprocess.run(["git", "-C", str(clone), *identity, *words], check=True, capture_output=True)


def commit(clone: Path, name: str, document: Json) -> None:
    """Commit one version of a file to the clone."""
    path = clone / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document))
    git(clone, "add", ".")
    git(clone, "commit", "-m", name)


def regions(release: str, *amis: str) -> Json:
    return {"regions": {f"region-{at}": {"release": release, "image": f"ami-{ami}"} for at, ami in enumerate(amis)}}


def stream(release: str, *amis: str, licensed: tuple[str, ...] = ()) -> Json:
    content = {
        "images": {"aws": regions(release, *amis)},
        "rhel-coreos-extensions": {"aws-winli": regions(release, *licensed)},
    }
    return {"architectures": {"x86_64": content, "s390x": {}}}


def build(release: str, *amis: str) -> Json:
    """Return the description of a build, as installers had it before there were streams."""
    return {"amis": {f"region-{at}": {"hvm": f"ami-{ami}"} for at, ami in enumerate(amis)}, "buildid": release}


def sources(folder: Path) -> tuple[Path, Path]:
    """Return an operator's sources and a clone of an installer, both made up."""
    allowed = folder / "operator/pkg/controller/bootimage/ami.go"
    allowed.parent.mkdir(parents=True)
    allowed.write_text(f'var AllowedAMIs = sets.New(\n\t"ami-{OPERATOR_ONLY}", "ami-{BOTH}",\n)\n')
    clone = folder / "installer"
    clone.mkdir()
    git(clone, "init", "--quiet")
    old, _amd, arm = BUILDS
    commit(clone, old, build("30.20191014.0", FEDORA))
    commit(clone, old, build(FIRST, BUILT))
    commit(clone, arm, {"buildid": ARM_BUILD})
    commit(clone, arm, build(ARM_BUILD, ARM))
    commit(clone, STREAMS[1], stream(OLD, BOTH, "not-an-id"))
    git(clone, "checkout", "--quiet", "-b", "release-4.21")
    commit(clone, STREAMS[2], stream(NEW, STREAM_ONLY, licensed=(LICENSED,)))
    git(clone, "checkout", "--quiet", "-")
    return folder / "operator", clone


def test_every_version_on_every_branch_gives_releases_and_architectures(tmp_path: Path) -> None:
    found = collected(*sources(tmp_path))
    known = {key: origin for version in recorded() for key, origin in version.items()}
    assert found == {
        **known,
        OPERATOR_ONLY[1:]: Origin(),
        BUILT[1:]: Origin(FIRST, "x86_64"),
        ARM[1:]: Origin(ARM_BUILD, "aarch64"),
        BOTH[1:]: Origin(OLD, "x86_64"),
        STREAM_ONLY[1:]: Origin(NEW, "x86_64"),
        LICENSED[1:]: Origin(NEW, "x86_64"),
    }


@pytest.mark.parametrize("version", VERSIONS, ids=[version.release for version in VERSIONS])
def test_recorded_versions_have_an_image_in_each_region_and_are_in_the_collection(version: Version) -> None:
    ids = {architecture: text.split() for architecture, text in version.ids.items()}
    counts = {architecture: len(set(found)) for architecture, found in ids.items()}
    assert counts == COUNTS[version.release]
    for architecture, found in ids.items():
        known = {aws_published.published(f"ami-0{one}") for one in found}
        assert known == {aws_published.Published(version.release, architecture)}


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    found = collected(*sources(tmp_path))
    content: dict[str, t.Any] = {}
    exec(rendered(found), content)  # noqa: S102
    read = {
        key.hex(): Origin(*origin.split())
        for origin, text in content["IDS"].items()
        for key in aws_published.unpacked(text)
    }
    assert read == found


def test_the_file_in_the_collection_has_the_form_that_is_written_now() -> None:
    found = {key.hex(): Origin(*known) for key, known in aws_published._known().items()}
    assert rendered(found) == WRITTEN.read_text()
    assert len(found) > 7000
