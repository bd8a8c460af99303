# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Layers in every compression that image builders use, by whichever decoder the machine has."""

from __future__ import annotations

import gzip
import importlib
import sys
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import PayloadError
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.contents import layer_stream
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.contents.layer_stream import opened_layer
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import FileAccessError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import MissingRequirementError
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._bundles.do.layers import (
    needs_zstd,
    skippable,
    zstd,
)

CONTENT = b"".join(b"%06d\n" % number for number in range(100_000))
MODULES = ("compression.zstd", "zstandard")


def broken(seen: str) -> PayloadError:
    return PayloadError("read it", on="image", seen=seen, advice="Take it again.")


def unpacked(path: Path) -> bytes:
    with opened_layer(path, broken) as stream:
        return b"".join(iter(lambda: stream.read(65536), b""))


@pytest.fixture(params=[*MODULES, "zstd"])
def decoder(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Leave the machine with one decoder of zstd."""
    name = str(request.param)
    if name in MODULES:
        try:
            importlib.import_module(name)
        except ImportError:
            pytest.skip(f"this Python has no module {name}")
        monkeypatch.setattr(layer_stream, "PROGRAM", "no-such-zstd")
    for module in set(MODULES) - {name}:
        monkeypatch.setitem(sys.modules, module, None)
    return name


def packed_forms() -> list[t.Any]:
    return [
        pytest.param(lambda: zstd(CONTENT), id="one frame"),
        pytest.param(lambda: zstd(CONTENT[:1000]) + zstd(CONTENT[1000:]), id="frames"),
        pytest.param(
            lambda: zstd(CONTENT[:9]) + skippable(b"table" * 99) + zstd(CONTENT[9:]) + skippable(b"footer"),
            id="zstd:chunked",
        ),
        pytest.param(lambda: skippable(b"first") + zstd(CONTENT), id="a skippable frame first"),
        pytest.param(lambda: zstd(CONTENT, "--long=26"), id="a window of 64 MiB"),
    ]


@needs_zstd
@pytest.mark.parametrize("packed", packed_forms())
@pytest.mark.usefixtures("decoder")
def test_zstd_is_read(tmp_path: Path, packed: t.Callable[[], bytes]) -> None:
    (tmp_path / "layer").write_bytes(packed())
    assert unpacked(tmp_path / "layer") == CONTENT


@needs_zstd
@pytest.mark.parametrize(
    "packed",
    [
        pytest.param(lambda: zstd(CONTENT)[:300] + b"x" + zstd(CONTENT)[301:], id="damaged"),
        pytest.param(lambda: zstd(CONTENT, "--long=28"), id="a window of 256 MiB"),
    ],
)
@pytest.mark.usefixtures("decoder")
def test_damaged_zstd_is_told(tmp_path: Path, packed: t.Callable[[], bytes]) -> None:
    (tmp_path / "layer").write_bytes(packed())
    with pytest.raises(PayloadError) as caught:
        unpacked(tmp_path / "layer")
    assert "unpack it" in caught.value.seen or "cannot be unpacked" in caught.value.seen


@needs_zstd
def test_without_any_decoder_all_three_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "layer").write_bytes(zstd(CONTENT))
    monkeypatch.setattr(layer_stream, "PROGRAM", "no-such-zstd")
    for module in MODULES:
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingRequirementError) as caught:
        unpacked(tmp_path / "layer")
    assert all(name in caught.value.advice for name in ("program zstd", "zstandard", "Python 3.14"))


@pytest.mark.parametrize(
    "packed",
    [
        pytest.param(CONTENT, id="plain"),
        pytest.param(gzip.compress(CONTENT), id="gzip"),
        pytest.param(gzip.compress(CONTENT[:999]) + gzip.compress(CONTENT[999:]), id="gzip in parts, as estargz"),
        pytest.param(gzip.compress(CONTENT) + bytes(512), id="gzip with zeros behind"),
    ],
)
def test_other_forms_are_read(tmp_path: Path, packed: bytes) -> None:
    (tmp_path / "layer").write_bytes(packed)
    assert unpacked(tmp_path / "layer") == CONTENT


@pytest.mark.parametrize(
    "packed",
    [
        pytest.param(gzip.compress(CONTENT)[:-40], id="cut"),
        pytest.param(gzip.compress(CONTENT) + b"garbage", id="garbage behind"),
        pytest.param(b"\x1f\x8b" + b"noise" * 100, id="noise"),
        pytest.param(gzip.compress(CONTENT)[:500] + bytes(9) + gzip.compress(CONTENT)[509:], id="damaged"),
    ],
)
def test_damaged_gzip_is_told(tmp_path: Path, packed: bytes) -> None:
    (tmp_path / "layer").write_bytes(packed)
    with pytest.raises(PayloadError, match="cannot be unpacked"):
        unpacked(tmp_path / "layer")


def test_a_layer_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(FileAccessError, match="read the file"):
        unpacked(tmp_path / "layer")


@pytest.mark.parametrize(
    "pack", [pytest.param(gzip.compress, id="gzip"), pytest.param(zstd, id="zstd", marks=needs_zstd)]
)
def test_bombs_are_not_unpacked(tmp_path: Path, pack: t.Callable[[bytes], bytes]) -> None:
    (tmp_path / "layer").write_bytes(pack(bytes(100 * 1024 * 1024)))
    with pytest.raises(PayloadError, match="unpacks to more than"):
        unpacked(tmp_path / "layer")
