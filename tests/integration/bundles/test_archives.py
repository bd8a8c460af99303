# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One archive or many chunks: anybody's tar reads it, any part of it can be made again, and nothing strange gets in."""

from __future__ import annotations

import subprocess
import tarfile
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import (
    BundleError,
    DamagedBundleError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do import export_bundle
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.bundle_archive import BundleArchive
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.bundle_folder import BundleFolder
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.bundle_objects import Silent
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.merge_bundles import merge
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.verify_bundle import verify_all
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import MIB
from ansible_collections.fieldops.openshift.tests.integration.bundles.builder import Builder, tree_digest


@pytest.fixture
def stick(tmp_path: Path) -> Path:
    return tmp_path / "stick"


def export(builder: Builder, stick: Path, chunk_size: int | None = None) -> dict[str, t.Any]:
    return builder.build(archive=str(stick), chunk_size=chunk_size)


def names(stick: Path) -> list[str]:
    return sorted(path.name for path in stick.iterdir())


def test_one_archive_that_tar_and_sha256sum_understand(builder: Builder, stick: Path, tmp_path: Path) -> None:
    export(builder, stick)
    stem = f"{builder.index.folder_name}.tar"
    assert names(stick) == [stem, f"{stem}.sha256"]
    assert subprocess.run(["sha256sum", "--check", f"{stem}.sha256"], cwd=stick, check=False).returncode == 0
    (tmp_path / "unpacked").mkdir()
    subprocess.run(["tar", "--extract", "--file", stick / stem, "--directory", tmp_path / "unpacked"], check=True)
    assert tree_digest(tmp_path / "unpacked") == tree_digest(builder.path)


def test_the_index_can_be_read_without_the_rest(builder: Builder, stick: Path) -> None:
    export(builder, stick)
    with tarfile.open(stick / f"{builder.index.folder_name}.tar") as archive:
        first = archive.next()
        assert first is not None
        assert first.name == "index.json"


def test_chunks_are_no_larger_than_asked_for_and_make_the_archive(builder: Builder, stick: Path) -> None:
    export(builder, stick)
    whole = (stick / f"{builder.index.folder_name}.tar").read_bytes()
    result = export(builder, stick / "chunks", MIB)
    files = [stick / "chunks" / name for name in result["archive"]["files"]]
    assert len(files) == 2
    assert all(path.stat().st_size <= MIB for path in files)
    assert b"".join(path.read_bytes() for path in files) == whole
    checks = next((stick / "chunks").glob("*.sha256"))
    assert subprocess.run(["sha256sum", "--check", checks], cwd=stick / "chunks", check=False).returncode == 0


def test_a_second_export_writes_nothing(builder: Builder, stick: Path) -> None:
    export(builder, stick, MIB)
    before = tree_digest(stick)
    assert export(builder, stick, MIB)["changed"] is False
    assert tree_digest(stick) == before


@pytest.mark.parametrize("offset", [0, 1000, MIB - 1])
def test_only_the_damaged_chunk_is_written_again(builder: Builder, stick: Path, offset: int) -> None:
    result = export(builder, stick, MIB)
    before = tree_digest(stick)
    path = stick / result["archive"]["files"][0]
    content = bytearray(path.read_bytes())
    content[offset] ^= 0xFF
    path.write_bytes(bytes(content))
    assert export(builder, stick, MIB)["archive"]["written"] == MIB
    assert tree_digest(stick) == before


def test_chunks_of_another_size_make_room(builder: Builder, stick: Path) -> None:
    export(builder, stick, MIB)
    export(builder, stick, None)
    stem = f"{builder.index.folder_name}.tar"
    assert names(stick) == [stem, f"{stem}.sha256"]


def test_a_damaged_blob_is_not_exported(builder: Builder, stick: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    builder.build()
    blob = max(builder.index.blobs.values(), key=lambda blob: blob.size)
    read = BundleFolder.blocks

    def spoilt(self: BundleFolder, digest: t.Any, *bounds: t.Any) -> t.Any:
        return iter([memoryview(bytes(blob.size))]) if digest == blob.digest else read(self, digest, *bounds)

    monkeypatch.setattr(BundleFolder, "blocks", spoilt)
    with pytest.raises(DamagedBundleError, match="export the bundle"):
        export(builder, stick)
    assert not list(stick.glob("*.sha256"))


class TestReading:
    @pytest.fixture
    def chunks(self, builder: Builder, stick: Path) -> list[Path]:
        return [stick / name for name in export(builder, stick, MIB)["archive"]["files"]]

    def test_an_archive_is_verified_where_it_lies(self, builder: Builder, chunks: list[Path]) -> None:
        source = BundleArchive(chunks[0])
        assert source.require_index() == builder.index
        assert not verify_all(source, builder.index)

    def test_damage_is_told_by_blob(self, builder: Builder, chunks: list[Path]) -> None:
        content = bytearray(chunks[1].read_bytes())
        content[1000] ^= 0xFF
        chunks[1].write_bytes(bytes(content))
        (damage,) = verify_all(BundleArchive(chunks[0]), builder.index)
        assert damage.problem.startswith("its digest is")

    def test_a_missing_chunk_is_damage_of_what_it_held(self, builder: Builder, chunks: list[Path]) -> None:
        chunks[-1].unlink()
        source = BundleArchive(chunks[0])
        assert source.require_index() == builder.index
        damages = verify_all(source, builder.index)
        assert 0 < len(damages) < len(builder.index.blobs)

    def test_merging_unpacks_it(self, builder: Builder, chunks: list[Path], tmp_path: Path) -> None:
        merge(str(tmp_path / "unpacked"), [str(chunks[0])], Silent())
        assert tree_digest(tmp_path / "unpacked") == tree_digest(builder.path)

    def test_an_archive_made_by_hand_is_read_as_well(self, builder: Builder, tmp_path: Path) -> None:
        builder.build()
        path = tmp_path / "by-hand.tar"
        subprocess.run(["tar", "--create", "--file", path, "--directory", builder.path, "."], check=True)
        assert not verify_all(BundleArchive(path), builder.index)

    @pytest.mark.parametrize(
        ("name", "kind"),
        [
            pytest.param("../escaped", tarfile.REGTYPE, id="upwards"),
            pytest.param("/etc/cron.d/x", tarfile.REGTYPE, id="absolute"),
            pytest.param("blobs/sha256/../../x", tarfile.REGTYPE, id="upwards within"),
            pytest.param("blobs/sha256/" + "A" * 64, tarfile.REGTYPE, id="capitals"),
            pytest.param("blobs/sha256/" + "a" * 64, tarfile.SYMTYPE, id="symbolic link"),
            pytest.param("blobs/sha256/" + "a" * 64, tarfile.LNKTYPE, id="hard link"),
            pytest.param("blobs/sha256/" + "a" * 64, tarfile.CHRTYPE, id="device"),
            pytest.param("index.json", tarfile.REGTYPE, id="twice"),
            pytest.param("INDEX.JSON", tarfile.REGTYPE, id="colliding where case does not count"),
            pytest.param("notes.txt", tarfile.REGTYPE, id="foreign"),
        ],
    )
    def test_entries_that_no_bundle_has_are_refused(
        self, builder: Builder, stick: Path, name: str, kind: bytes
    ) -> None:
        export(builder, stick)
        path = stick / f"{builder.index.folder_name}.tar"
        entry = tarfile.TarInfo(name)
        entry.type, entry.linkname = kind, "index.json"
        content = path.read_bytes()
        end = content.rstrip(b"\0")
        whole = end + bytes(-len(end) % 512)
        path.write_bytes(whole + entry.tobuf(tarfile.GNU_FORMAT) + bytes(1024))
        with pytest.raises(DamagedBundleError, match=r"that no bundle has|twice"):
            BundleArchive(path)

    @pytest.mark.parametrize(
        "content",
        [
            pytest.param(b"", id="empty"),
            pytest.param(b"x" * 2000, id="noise"),
            pytest.param(bytes(2000), id="zeros"),
            pytest.param(b"index.json" + bytes(490), id="half a header"),
        ],
    )
    def test_what_is_no_archive_of_a_bundle_is_told(self, tmp_path: Path, content: bytes) -> None:
        (tmp_path / "x.tar").write_bytes(content)
        with pytest.raises(FieldOpsError):
            BundleArchive(tmp_path / "x.tar").require_index()

    def test_an_entry_of_absurd_size_costs_nothing(self, tmp_path: Path) -> None:
        entry = tarfile.TarInfo("index.json")
        entry.size = 1 << 50
        (tmp_path / "x.tar").write_bytes(entry.tobuf(tarfile.GNU_FORMAT) + b"{}")
        with pytest.raises(FieldOpsError):
            BundleArchive(tmp_path / "x.tar").require_index()

    def test_a_path_to_nothing_is_told(self, tmp_path: Path) -> None:
        with pytest.raises(DamagedBundleError, match="neither such a file nor a first chunk"):
            BundleArchive(tmp_path / "nothing.tar")


def test_chunks_that_would_be_too_many_are_refused(
    builder: Builder, stick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export_bundle, "MOST_CHUNKS", 1)
    with pytest.raises(BundleError, match="chunks"):
        export(builder, stick, MIB)
