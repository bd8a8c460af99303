# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Tar files of every writer, and those that no writer would make."""

from __future__ import annotations

import io
import tarfile
import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import PayloadError
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.contents.tar_entries import (
    TarEntry,
    TarReader,
)
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._bundles.do.layers import (
    extension,
    header,
    pax,
)

DEEP = "configs/" + "p" * 90 + "/" + "q" * 90 + "/a"
END = bytes(1024)
SPARSE = "GNU__sparse__major"


def broken(seen: str) -> PayloadError:
    return PayloadError("read it", on="image", seen=seen, advice="Take it again.")


def read(content: bytes) -> list[tuple[TarEntry, bytes]]:
    reader = TarReader(io.BytesIO(content), broken)
    return [(entry, reader.read(1 << 30)) for entry in reader]


@pytest.mark.parametrize("form", [tarfile.GNU_FORMAT, tarfile.PAX_FORMAT, tarfile.USTAR_FORMAT])
@pytest.mark.parametrize("name", ["configs/a", DEEP, "configs/ä", "./configs/a"], ids=ascii)
def test_names_and_contents_are_read_as_every_format_writes_them(form: int, name: str) -> None:
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w", format=form) as archive:
        for number in range(3):
            member = tarfile.TarInfo(f"{name}{number}")
            member.size = 700 * number
            archive.addfile(member, io.BytesIO(bytes([number]) * member.size))
    found = read(content.getvalue())
    assert [(entry.name, data) for entry, data in found] == [(f"{name}{n}", bytes([n]) * 700 * n) for n in range(3)]
    assert all(entry.is_file and not entry.is_folder and not entry.is_sparse for entry, _data in found)


@pytest.mark.parametrize(
    ("content", "name", "is_file", "is_folder", "is_sparse"),
    [
        pytest.param(header("a"), "a", True, False, False, id="file"),
        pytest.param(header("a", tarfile.AREGTYPE), "a", True, False, False, id="file of old"),
        pytest.param(header("a/", tarfile.AREGTYPE), "a/", False, True, False, id="directory of old"),
        pytest.param(header("a/", tarfile.DIRTYPE, 512), "a/", False, True, False, id="directory with a size"),
        pytest.param(header("a", tarfile.SYMTYPE, 512), "a", False, False, False, id="symbolic link with a size"),
        pytest.param(header("a", tarfile.LNKTYPE, 512), "a", False, False, False, id="hard link with a size"),
        pytest.param(header("a", tarfile.CHRTYPE), "a", False, False, False, id="device"),
        pytest.param(header("a", tarfile.FIFOTYPE), "a", False, False, False, id="fifo"),
        pytest.param(header("a", b"V"), "a", False, False, False, id="a kind of its own"),
        pytest.param(header("a", tarfile.GNUTYPE_SPARSE), "a", True, False, True, id="sparse of GNU"),
        pytest.param(pax(**{SPARSE: "1"}) + header("a"), "a", True, False, True, id="sparse of POSIX"),
        pytest.param(pax(path="b") + header("a"), "b", True, False, False, id="the extended name counts"),
        pytest.param(extension(b"c\0", b"L") + header("a"), "c", True, False, False, id="the long name counts"),
        pytest.param(extension(b"x" * 99, b"g") + header("a"), "a", True, False, False, id="global header"),
        pytest.param(header("a\udcff"), "a\udcff", True, False, False, id="a name that is not UTF-8"),
    ],
)
def test_what_an_entry_is(content: bytes, name: str, is_file: bool, is_folder: bool, is_sparse: bool) -> None:
    (first, _data), (second, _more) = read(content + header("next") + END)
    assert (first.name, first.is_file, first.is_folder, first.is_sparse) == (name, is_file, is_folder, is_sparse)
    assert second.name == "next"


def test_an_extended_size_counts() -> None:
    (entry, data), (after, _data) = read(
        pax(size="5") + header("a", size=0) + b"hello" + bytes(507) + header("b") + END
    )
    assert (entry.size, data, after.name) == (5, b"hello", "b")


def test_the_end_mark_may_be_missing() -> None:
    assert [entry.name for entry, _data in read(header("a"))] == ["a"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param(b"noise" * 1000, "not a tar file", id="noise"),
        pytest.param(header("a")[:-12], "within a header", id="cut header"),
        pytest.param(header("a", size=5) + b"hel", "within a file", id="cut file"),
        pytest.param(b"b" + header("a")[1:], "not a tar file", id="wrong checksum"),
        pytest.param(header("a", size=-1), "not a tar file", id="negative size"),
        pytest.param(header("a", size=1 << 70), "within a file", id="endless file"),
        pytest.param(header("x", tarfile.XHDTYPE, 1 << 30) + END, "bytes of headers", id="extended header of 1 GiB"),
        pytest.param(header("x", tarfile.GNUTYPE_LONGNAME, 1 << 30) + END, "bytes of headers", id="name of 1 GiB"),
        pytest.param(header("x", b"g", 1 << 30) + END, "bytes of headers", id="global header of 1 GiB"),
        pytest.param(header("x", tarfile.XHDTYPE, 1000) + END[:600], "within an extended", id="cut extended header"),
        pytest.param(extension(b"1" * 500_000), "damaged", id="digits that a pattern would try again and again"),
        pytest.param(extension(b"0 a=b\n"), "damaged", id="a record without a length"),
        pytest.param(extension(b"-9 a=b\n"), "damaged", id="a record of negative length"),
        pytest.param(extension(b"99 a=b\n"), "damaged", id="a record that goes too far"),
        pytest.param(pax(size="-1") + header("a"), "damaged", id="negative extended size"),
        pytest.param(pax(size="9" * 5000) + header("a"), "damaged", id="a size of 5000 digits"),
        pytest.param(header("a", tarfile.GNUTYPE_SPARSE)[:482], "within a header", id="cut map"),
    ],
)
def test_what_is_no_tar_file_is_told(content: bytes, said: str) -> None:
    with pytest.raises(PayloadError, match=said):
        read(content)


def test_entries_without_end_are_given_up() -> None:
    class Endless:
        def __init__(self) -> None:
            self.block = header("configs/x")

        def read(self, size: int, /) -> bytes:
            return self.block[:size]

    reader: t.Iterable[TarEntry] = TarReader(Endless(), broken)
    with pytest.raises(PayloadError, match="more than 200000 entries"):
        for _entry in reader:
            pass
