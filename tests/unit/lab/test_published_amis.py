# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The list of published images, as it is written from an operator's list and an installer's history, and read again."""

from __future__ import annotations

import json
import subprocess
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.platforms import aws_published
from ansible_collections.fieldops.openshift.tests.lab.published_amis import STREAMS, WRITTEN, collected, rendered
from ansible_collections.fieldops.openshift.tests.lab.published_streams import VERSIONS, Version, recorded

OPERATOR_ONLY, BOTH, STREAM_ONLY = "000145e5a91e9ac22", "0001c9b25b9ca6731", "0f8195c36da4edbd7"
OLD, NEW = "410.84.202201251203-0", "9.6.20260112-0"


def git(clone: Path, *words: str) -> None:
    identity = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
    subprocess.run(["git", "-C", str(clone), *identity, *words], check=True, capture_output=True)


def version(clone: Path, release: str, *amis: str) -> None:
    """Commit one version of the stream to the clone."""
    regions = {f"region-{number}": {"release": release, "image": f"ami-{ami}"} for number, ami in enumerate(amis)}
    path = clone / STREAMS[0]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"architectures": {"x86_64": {"images": {"aws": {"regions": regions}}}, "s390x": {}}}))
    git(clone, "add", ".")
    git(clone, "commit", "-m", release)


def sources(folder: Path) -> tuple[Path, Path]:
    """Return an operator's sources and a clone of an installer, both made up."""
    allowed = folder / "operator/pkg/controller/bootimage/ami.go"
    allowed.parent.mkdir(parents=True)
    allowed.write_text(f'var AllowedAMIs = sets.New(\n\t"ami-{OPERATOR_ONLY}", "ami-{BOTH}",\n)\n')
    clone = folder / "installer"
    clone.mkdir()
    git(clone, "init", "--quiet")
    version(clone, OLD, BOTH, "not-an-id")
    version(clone, NEW, STREAM_ONLY)
    return folder / "operator", clone


def test_every_version_of_a_stream_gives_releases(tmp_path: Path) -> None:
    found = collected(*sources(tmp_path))
    known = {key: release for version in recorded() for key, release in version.items()}
    assert found == {**known, OPERATOR_ONLY[1:]: "", BOTH[1:]: OLD, STREAM_ONLY[1:]: NEW}


@pytest.mark.parametrize("version", VERSIONS, ids=[version.release for version in VERSIONS])
def test_recorded_versions_have_an_image_in_each_region_and_are_in_the_collection(version: Version) -> None:
    machines, others, windows = (part.split() for part in version.ids.split("\n\n"))
    assert (len(machines), len(others), len(windows)) == (34, 34, 32)
    ids = {*machines, *others, *windows}
    assert (len(ids), {len(bytes.fromhex(one)) for one in ids}) == (100, {aws_published.ID_BYTES})
    assert {aws_published.release_if_published(f"ami-0{one}") for one in ids} == {version.release}


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    found = collected(*sources(tmp_path))
    content: dict[str, t.Any] = {}
    exec(rendered(found), content)  # noqa: S102
    read = {key.hex(): release for release, text in content["IDS"].items() for key in aws_published.unpacked(text)}
    assert read == found


def test_the_file_in_the_collection_has_the_form_that_is_written_now() -> None:
    found = {key.hex(): release for key, release in aws_published._releases().items()}
    assert rendered(found) == WRITTEN.read_text()
    assert len(found) > 7000
