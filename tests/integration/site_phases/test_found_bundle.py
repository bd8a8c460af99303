# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""An update for which only the digest of the bundle is given: it is found, and verified where it lies."""

from __future__ import annotations

import shutil
import typing as t
from collections.abc import Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.merge_bundles import merge
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.bundle_objects import NoProgress
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import (
    INDEX_FILE,
    INDEX_SIGNATURE_FILE,
)
from ansible_collections.fieldops.openshift.tests.integration.node_images.bundles import WrittenBundle
from ansible_collections.fieldops.openshift.tests.integration.site_phases.conftest import MakeSite
from ansible_collections.fieldops.openshift.tests.integration.site_phases.phase_site import PhaseSite
from ansible_collections.fieldops.openshift.tests.lab.registry.keyring import Keyring

NODE = "master-0"
NOT_GIVEN: dict[str, t.Any] = {"site_bundle": None}


@pytest.fixture
def site(make_site: MakeSite) -> PhaseSite:
    """A site of one node, whose host this machine is."""
    made = make_site(1, 0)
    made.take_images_as_brought()
    made.take_this_machine_for(NODE)
    return made


@pytest.mark.parametrize(
    "place",
    ["site_media_paths", pytest.param("site_own_media_paths", marks=pytest.mark.long)],
    ids=["the node", "this machine"],
)
def test_it_is_found_on_a_medium_of(site: PhaseSite, bundle: WrittenBundle, place: str) -> None:
    run = site.update(["images"], **NOT_GIVEN, **{place: [str(bundle.folder)]})
    assert run.returncode == 0, run.stdout
    assert f"images for {NODE}" in run.stdout


@pytest.mark.parametrize("lines", [1, pytest.param(2, marks=pytest.mark.long)], ids=["12 words", "24 words"])
def test_it_is_found_by_words(site: PhaseSite, bundle: WrittenBundle, lines: int) -> None:
    book = pytest.importorskip("mnemonic").Mnemonic("english")
    content = bytes.fromhex(bundle.index.digest.hex)
    words = " ".join(book.to_mnemonic(content[16 * line : 16 * (line + 1)]) for line in range(lines))
    run = site.update(["images"], **NOT_GIVEN, site_media_paths=[str(bundle.folder)], site_bundle_digest=words)
    assert run.returncode == 0, run.stdout
    assert f"images for {NODE}" in run.stdout


def test_too_few_words_are_refused_at_once(site: PhaseSite) -> None:
    run = site.update(["images"], **NOT_GIVEN, site_bundle_digest="abandon " * 11)
    assert run.returncode != 0, run.stdout
    assert "site_bundle_digest cannot be used: it has 11 words." in " ".join(run.stdout.split())


@pytest.mark.long
def test_auto_says_the_same(site: PhaseSite, bundle: WrittenBundle) -> None:
    run = site.update(["images"], site_bundle="auto", site_media_paths=[str(bundle.folder)])
    assert run.returncode == 0, run.stdout


def test_without_any_it_is_said_where_it_was_looked_for(site: PhaseSite, bundle: WrittenBundle) -> None:
    run = site.update(["images"], **NOT_GIVEN)
    assert run.returncode != 0, run.stdout
    told = " ".join(run.stdout.split())
    assert f"No removable medium of a node or of this machine contains the bundle {bundle.index.digest}" in told


@pytest.fixture
def signed(bundle: WrittenBundle, tmp_path: Path) -> Iterator[tuple[Path, dict[str, Path]]]:
    """A medium with the bundle, and files with public keys: of who has signed it, and of another one."""
    medium = tmp_path / "medium"
    shutil.copytree(bundle.folder, medium)
    with Keyring() as keyring:
        keys = {name: keyring.create(name) for name in ("builder", "stranger")}
        signature = keyring.sign_detached(keys["builder"], (medium / INDEX_FILE).read_bytes())
        (medium / INDEX_SIGNATURE_FILE).write_bytes(signature)
        for name, key in keys.items():
            (tmp_path / f"{name}.asc").write_text(key.public_key)
        yield medium, {name: tmp_path / f"{name}.asc" for name in keys}


def test_without_the_digest_it_is_found_here_and_accepted_by_its_signature(
    site: PhaseSite, signed: tuple[Path, dict[str, Path]]
) -> None:
    medium, keys = signed
    known = {**NOT_GIVEN, "site_bundle_digest": None, "site_own_media_paths": [str(medium)]}
    refused = site.update(["images"], **known, site_trusted_keys=[str(keys["stranger"])])
    assert refused.returncode != 0, refused.stdout
    assert f"The bundle in {medium} is not trusted" in " ".join(refused.stdout.split())
    run = site.update(["images"], **known, site_trusted_keys=[str(keys["builder"])])
    assert run.returncode == 0, run.stdout
    assert f"images for {NODE}" in run.stdout


@pytest.mark.long
def test_without_the_digest_media_of_nodes_are_not_searched(
    site: PhaseSite, signed: tuple[Path, dict[str, Path]]
) -> None:
    medium, keys = signed
    known = {**NOT_GIVEN, "site_bundle_digest": None, "site_media_paths": [str(medium)]}
    run = site.update(["images"], **known, site_trusted_keys=[str(keys["builder"])])
    assert run.returncode != 0, run.stdout
    assert "No removable medium of this machine contains a bundle." in " ".join(run.stdout.split())


def test_a_part_of_it_is_refused_with_what_to_do(site: PhaseSite, bundle: WrittenBundle, tmp_path: Path) -> None:
    part = tmp_path / "part"
    shutil.copytree(bundle.folder, part)
    next((part / "blobs/sha256").iterdir()).unlink()
    run = site.update(["images"], **NOT_GIVEN, site_media_paths=[str(part)])
    assert run.returncode != 0, run.stdout
    assert "fieldops.openshift.stage_bundle, then run this playbook again" in " ".join(run.stdout.split())


def test_all_drives_of_it_in_one_machine_are_verified_together(
    site: PhaseSite, bundle: WrittenBundle, tmp_path: Path
) -> None:
    drives = [tmp_path / "a", tmp_path / "b"]
    merge(str(drives[0]), [str(bundle.folder)], NoProgress(), [str(drives[1])])
    refused = site.update(["images"], **NOT_GIVEN, site_media_paths=[str(drives[1])])
    assert refused.returncode != 0, refused.stdout
    assert "not connected: drive A" in " ".join(refused.stdout.split())
    run = site.update(["images"], **NOT_GIVEN, site_media_paths=[str(drive) for drive in drives])
    assert run.returncode == 0, run.stdout
    assert f"images for {NODE}" in run.stdout


@pytest.mark.long
def test_drives_of_this_machine_can_be_named(site: PhaseSite, bundle: WrittenBundle, tmp_path: Path) -> None:
    drives = [tmp_path / "a", tmp_path / "b"]
    merge(str(drives[0]), [str(bundle.folder)], NoProgress(), [str(drives[1])])
    run = site.update(["images"], site_bundle=str(drives[0]), site_media=[str(drives[1])])
    assert run.returncode == 0, run.stdout
    lacking = site.update(["images"], site_bundle=str(drives[0]))
    assert lacking.returncode != 0, lacking.stdout
    assert "still needs drive B" in " ".join(lacking.stdout.split())
