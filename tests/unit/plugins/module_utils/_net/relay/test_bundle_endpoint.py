# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A blob that lies in numbered parts, as on FAT, is served like any other."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.bundle_endpoint import BundleEndpoint
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.errors import RelayError
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._net.relay.sample_bundle import (
    LAYER,
    digest_of,
    write_bundle,
)

PATH = f"/blobs/sha256/{digest_of(LAYER).hex}"


@pytest.fixture
def endpoint(tmp_path: Path) -> Iterator[BundleEndpoint]:
    index = write_bundle(tmp_path)
    whole = tmp_path / PATH.lstrip("/")
    whole.unlink()
    for number in range(3):
        whole.with_name(f"{whole.name}.{number:03d}").write_bytes(LAYER[number * 100_000 : (number + 1) * 100_000])
    opened = BundleEndpoint(tmp_path, index.digest)
    yield opened
    opened.close()


def content(endpoint: BundleEndpoint, start: int, stop: int) -> bytes:
    found = bytearray()
    view = memoryview(bytearray(30_000))
    with endpoint.open(PATH) as body:
        while start + len(found) < stop:
            count = body.read_into(view[: stop - start - len(found)], start + len(found))
            assert count
            found += view[:count]
    return bytes(found)


@pytest.mark.parametrize(("start", "stop"), [(0, len(LAYER)), (99_999, 100_001), (250_000, 300_000)])
def test_any_range_of_the_parts_is_served(endpoint: BundleEndpoint, start: int, stop: int) -> None:
    assert endpoint.find(PATH) is not None
    assert content(endpoint, start, stop) == LAYER[start:stop]


@pytest.mark.parametrize("number", [0, 1, 2])
def test_a_blob_that_lacks_a_part_is_not_there(endpoint: BundleEndpoint, tmp_path: Path, number: int) -> None:
    (tmp_path / f"{PATH.lstrip('/')}.{number:03d}").unlink()
    assert endpoint.find(PATH) is None
    with pytest.raises(FileNotFoundError), endpoint.open(PATH):
        pass


def test_a_link_in_place_of_a_part_is_not_followed(endpoint: BundleEndpoint, tmp_path: Path) -> None:
    part = tmp_path / f"{PATH.lstrip('/')}.001"
    part.rename(tmp_path / "elsewhere")
    part.symlink_to(tmp_path / "elsewhere")
    assert endpoint.find(PATH) is None


class TestSeveralFolders:
    """Parts of one bundle on several drives are served as one."""

    @pytest.fixture
    def folders(self, tmp_path: Path) -> list[Path]:
        """Two drives, of which the second alone has the layer."""
        folders = [tmp_path / "first", tmp_path / "second"]
        for folder in folders:
            folder.mkdir()
            write_bundle(folder)
        (folders[0] / PATH.lstrip("/")).unlink()
        return folders

    def served(self, folders: list[Path]) -> BundleEndpoint:
        digest = digest_of((folders[0] / "index.json").read_bytes())
        return BundleEndpoint(folders[0], digest, folders[1:])

    def test_a_blob_is_taken_from_the_one_that_has_it(self, folders: list[Path]) -> None:
        endpoint = self.served(folders)
        assert content(endpoint, 0, len(LAYER)) == LAYER
        endpoint.close()

    def test_one_that_is_cut_short_is_passed_over(self, folders: list[Path]) -> None:
        (folders[0] / PATH.lstrip("/")).write_bytes(LAYER[:100])
        endpoint = self.served(folders)
        assert content(endpoint, 0, len(LAYER)) == LAYER
        endpoint.close()

    def test_a_folder_with_another_index_is_refused(self, folders: list[Path]) -> None:
        (folders[1] / "index.json").write_bytes(b"{}")
        with pytest.raises(RelayError, match="its index has the digest"):
            self.served(folders)

    def test_the_document_about_the_drives_is_served(self, folders: list[Path]) -> None:
        (folders[1] / "volume.json").write_bytes(b"{}")
        with contextlib.closing(self.served(folders)) as endpoint:
            found = endpoint.find("/volume.json")
            assert found is not None
            assert found.size == 2
            with endpoint.open("/volume.json") as body:
                assert body.read_into(memoryview(bytearray(9)), 0) == 2

    def test_a_link_in_its_place_is_not_followed(self, tmp_path: Path, folders: list[Path]) -> None:
        (tmp_path / "elsewhere").write_bytes(b"{}")
        (folders[0] / "volume.json").symlink_to(tmp_path / "elsewhere")
        with contextlib.closing(self.served(folders)) as endpoint:
            assert endpoint.find("/volume.json") is None
