# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Files out of layers as a container would see them, whatever the layers hold."""

from __future__ import annotations

import gzip
import tarfile
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import PayloadError
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.contents import layer_files
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.contents.layer_files import (
    LayerFiles,
    LayerReader,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.contents.layer_stream import Readable
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._bundles.do.layers import (
    Entry,
    layer,
    tar_of,
)


def files(tmp_path: Path, *layers: list[Entry], folders: tuple[str, ...] = ("configs",)) -> dict[str, bytes]:
    """Return what is seen of layers given from the lowest to the uppermost."""
    found = LayerFiles(on="image", folders=folders)
    found.read(reversed([layer(tmp_path / str(number), *entries) for number, entries in enumerate(layers)]))
    return found.files


@pytest.mark.parametrize(
    ("layers", "seen"),
    [
        pytest.param([[("configs/a", b"1")]], {"configs/a": b"1"}, id="one layer"),
        pytest.param([[("./configs/a", b"1")]], {"configs/a": b"1"}, id="with a dot in front"),
        pytest.param([[("etc/a", b"1"), ("configsother", b"2")]], {}, id="elsewhere"),
        pytest.param([[("configs/a", b"1")], [("configs/a", b"2")]], {"configs/a": b"2"}, id="replaced above"),
        pytest.param([[("configs/a", b"1"), ("configs/a", b"2")]], {"configs/a": b"2"}, id="twice in one layer"),
        pytest.param([[("configs/a", b"1")], [("configs/.wh.a", b"")]], {}, id="removed above"),
        pytest.param(
            [[("configs/a", b"1")], [("configs/.wh.a", b"")], [("configs/a", b"3")]], {"configs/a": b"3"}, id="back"
        ),
        pytest.param(
            [[("configs/.wh.a", b""), ("configs/a", b"1")]],
            {"configs/a": b"1"},
            id="a whiteout hides what is below",
        ),
        pytest.param([[("configs/p/a", b"1")], [("configs/.wh.p", b"")]], {}, id="a folder removed"),
        pytest.param([[("configs/a", b"1")], [(".wh.configs", b"")]], {}, id="the whole folder removed"),
        pytest.param(
            [[("configs/p/a", b"1")], [("configs/p/.wh..wh..opq", b""), ("configs/p/b", b"2")]],
            {"configs/p/b": b"2"},
            id="made opaque",
        ),
        pytest.param([[("configs/p/a", b"1")], [("configs/p", b"file")]], {"configs/p": b"file"}, id="file for folder"),
        pytest.param([[("configs/a", b"1")], [("configs/a", "/etc/passwd")]], {}, id="a link is not followed"),
        pytest.param([[("configs/a", b"1")], [("configs/a", None)]], {}, id="a directory hides a file"),
        pytest.param([[("configs/a", b"1")], [(".wh..wh..opq", b"")]], {}, id="everything below removed"),
        pytest.param([[("configs/a", b"1")], [("configs", "/elsewhere")]], {}, id="a link for the folder"),
        pytest.param([[("configs/a", b"1")], [("configs", None)]], {"configs/a": b"1"}, id="the folder again"),
        pytest.param([[("../configs/a", b"1"), ("configs/../../a", b"2")]], {}, id="names that lead out"),
        pytest.param([[("/configs/a", b"1")]], {"configs/a": b"1"}, id="absolute names are those of the image"),
    ],
)
def test_upper_layers_win(tmp_path: Path, layers: list[list[Entry]], seen: dict[str, bytes]) -> None:
    assert files(tmp_path, *layers) == seen


def test_a_folder_within_another_is_found(tmp_path: Path) -> None:
    layers = [[("configs/a/x", b"1"), ("configs/b/y", b"2")], [("configs/a/.wh.x", b"")]]
    assert files(tmp_path, *layers, folders=("configs/a", "configs/b")) == {"configs/b/y": b"2"}


@pytest.mark.parametrize(
    "above",
    [
        pytest.param((".wh.configs", b""), id="the outer folder removed"),
        pytest.param(("configs/.wh.p", b""), id="the folder removed"),
        pytest.param(("configs/.wh..wh..opq", b""), id="the outer folder made opaque"),
        pytest.param(("configs/p/.wh..wh..opq", b""), id="the folder made opaque"),
        pytest.param(("configs", "/elsewhere"), id="a link for the outer folder"),
        pytest.param(("configs/p", b"file"), id="a file for the folder"),
        pytest.param(("configs/p/.wh.a", b""), id="the file removed"),
    ],
)
@pytest.mark.parametrize("wanted", ["configs/p", "configs/p/a"])
def test_what_hides_the_way_to_a_folder_or_file_hides_it(tmp_path: Path, above: Entry, wanted: str) -> None:
    assert "configs/p/a" not in files(tmp_path, [("configs/p/a", b"1")], [above], folders=(wanted,))


def test_a_file_is_found_by_its_name(tmp_path: Path) -> None:
    layers = [[("configs/a", b"1"), ("configs/ab", b"2")], [("configs/.wh.b", b"")]]
    assert files(tmp_path, *layers, folders=("configs/a",)) == {"configs/a": b"1"}


def test_what_is_taken_of_a_file_need_not_be_all_of_it(tmp_path: Path) -> None:
    def start(name: str, content: Readable) -> str:
        return name + content.read(3).decode()

    found = LayerReader("image", ("configs",), start)
    found.read([layer(tmp_path / "layer", ("configs/a", b"12345" * 1000), ("configs/b", b"6"), ("configs/c", b""))])
    assert found.files == {"configs/a": "configs/a123", "configs/b": "configs/b6", "configs/c": "configs/c"}


def test_layers_below_what_is_enough_are_not_read(tmp_path: Path) -> None:
    found = LayerFiles(on="image", folders=("configs",))
    upper = layer(tmp_path / "upper", ("configs/a", b"1"))

    def from_top() -> t.Iterator[Path]:
        yield upper
        raise AssertionError("the lower layer was asked for")

    found.read(from_top(), enough=lambda files: "configs/a" in files)
    assert found.files == {"configs/a": b"1"}


def test_a_layer_need_not_be_compressed(tmp_path: Path) -> None:
    found = LayerFiles(on="image", folders=("configs",))
    (tmp_path / "plain").write_bytes(tar_of(("configs/a", b"1")))
    found.read([tmp_path / "plain"])
    assert found.files == {"configs/a": b"1"}


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"noise" * 1000, id="noise"),
        pytest.param(b"\x1f\x8b" + b"noise" * 100, id="damaged gzip"),
        pytest.param(gzip.compress(b"noise" * 1000), id="no tar inside"),
        pytest.param(gzip.compress(tarfile.TarInfo("configs/a").tobuf() + b"x" * 512)[:-40], id="gzip cut"),
        pytest.param(b"\x28\xb5\x2f\xfd" + bytes(100), id="zstd"),
    ],
)
def test_what_is_no_layer_is_told(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "layer").write_bytes(content)
    with pytest.raises(PayloadError, match="the layer layer"):
        LayerFiles(on="image", folders=("configs",)).read([tmp_path / "layer"])


def test_extended_headers_of_absurd_size_are_not_read(tmp_path: Path) -> None:
    header = tarfile.TarInfo("x")
    header.type, header.size = tarfile.XHDTYPE, 1 << 40
    (tmp_path / "layer").write_bytes(header.tobuf(tarfile.GNU_FORMAT) + bytes(4096))
    with pytest.raises(PayloadError, match="bytes of headers"):
        LayerFiles(on="image", folders=("configs",)).read([tmp_path / "layer"])


def test_files_of_absurd_size_are_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layer_files, "LARGEST_FILE", 1000)
    with pytest.raises(PayloadError, match="too large"):
        files(tmp_path, [("configs/a", bytes(1001))])


def test_no_more_than_a_sum_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layer_files, "LARGEST_SUM", 1000)
    with pytest.raises(PayloadError, match="too large"):
        files(tmp_path, [("configs/a", bytes(600)), ("configs/b", bytes(600))])
