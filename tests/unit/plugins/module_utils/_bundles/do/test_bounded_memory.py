# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What reading a catalog costs, a hostile one too: memory and processor time of a process that does nothing else."""

from __future__ import annotations

import base64
import gzip
import json
import os
import subprocess
import sys
import tarfile
import typing as t
import zlib
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import MIB
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._bundles.do.layers import (
    extension,
    header,
    needs_zstd,
    tar_of,
    zstd,
)

MOST_MEMORY = 150 * MIB
MOST_SECONDS = 8.0
"""Processor seconds: four times what is allowed for on an idle machine, as other tests run beside these."""

READER = """
import json, resource, sys, time
from pathlib import Path
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.contents.catalog_files import CatalogFiles
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.operators.operator_choice import (
    PackageRequest, choose_package)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.scratch import scratch_directory
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError

started = time.process_time()
try:
    with scratch_directory() as scratch:
        files = CatalogFiles.out_of([Path(sys.argv[1])], ("configs",), scratch, on="image")
        chosen = choose_package(files.records(frozenset({"gateway"})), PackageRequest("gateway"), [])
        files.filtered({"gateway": chosen})
    said = chosen.bundles[0].version
except FieldOpsError as error:
    said = str(error)
# The peak of this program alone: that of getrusage includes the one of whatever started it.
status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
peak = int(status["VmHWM"].split()[0]) * 1024
print(json.dumps({"said": said, "peak": peak, "seconds": time.process_time() - started}))
"""


class Seen(t.NamedTuple):
    """How reading a catalog ended."""

    said: str
    peak: int
    seconds: float


def read(layer: Path) -> Seen:
    done = subprocess.run(
        [sys.executable, "-c", READER, str(layer)], capture_output=True, text=True, check=True, env={**os.environ}
    )
    return Seen(**json.loads(done.stdout))


def entry(name: str, content: bytes) -> bytes:
    return header(name, size=len(content)) + content + bytes(-len(content) % tarfile.BLOCKSIZE)


def small(version: str = "1.0.0") -> bytes:
    """Return a catalog with the one package that is asked for."""
    objects = [
        {"schema": "olm.package", "name": "gateway", "defaultChannel": "stable"},
        {"schema": "olm.channel", "package": "gateway", "name": "stable", "entries": [{"name": f"gateway.v{version}"}]},
        bundle("gateway", version, []),
    ]
    return "\n".join(map(json.dumps, objects)).encode()


def bundle(package: str, version: str, properties: list[t.Any]) -> dict[str, t.Any]:
    return {
        "schema": "olm.bundle",
        "package": package,
        "name": f"{package}.v{version}",
        "image": f"quay.io/{package}/bundle:v{version}",
        "properties": [{"type": "olm.package", "value": {"version": version}}, *properties],
        "relatedImages": [{"image": f"quay.io/{package}/operand:v{version}-{number}"} for number in range(30)],
    }


def real_sized() -> t.Iterator[bytes]:
    """Yield the tar file of a catalog of 300 MB in 30 packages, one of them in a file of 110 MB."""
    manifests = [base64.b64encode(os.urandom(30_000) * 3).decode() for _number in range(4)]
    properties = [{"type": "olm.bundle.object", "value": {"data": manifest}} for manifest in manifests]
    properties.append({"type": "olm.csv.metadata", "value": {"description": "does this, and that.\n" * 400}})
    for package, bundles in [("gateway", 220), *((f"p{number}", 13) for number in range(29))]:
        names = [f"{package}.v1.{number}.0" for number in range(bundles)]
        entries = [{"name": name, "replaces": before} for name, before in zip(names, ["", *names])]
        objects = [
            {
                "schema": "olm.package",
                "name": package,
                "defaultChannel": "stable",
                "icon": {"base64data": "QUJD" * 9000},
            },
            {"schema": "olm.channel", "package": package, "name": "stable", "entries": entries},
            *(bundle(package, f"1.{number}.0", properties) for number in range(bundles)),
        ]
        yield entry(f"configs/{package}/catalog.json", "\n".join(json.dumps(one, indent=2) for one in objects).encode())
    yield bytes(1024)


def write_gzip(path: Path, parts: t.Iterable[bytes]) -> int:
    size = 0
    with gzip.open(path, "wb", compresslevel=1) as stream:
        for part in parts:
            size += stream.write(part)
    return size


@pytest.mark.long
def test_a_catalog_of_real_size_is_read_in_little_memory(tmp_path: Path) -> None:
    assert write_gzip(tmp_path / "layer", real_sized()) > 280 * MIB
    seen = read(tmp_path / "layer")
    assert seen.said == "1.219.0"
    assert seen.peak < MOST_MEMORY


def bomb(kind: str) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    parts = [packer.compress(header("usr/large" if kind == "beside" else "configs/x.json", size=4096 * MIB))]
    parts += [packer.compress(bytes(MIB)) for _number in range(300)]
    return b"".join([*parts, packer.flush()])


def files_of(number: int, size: int) -> bytes:
    packer = zlib.compressobj(6, zlib.DEFLATED, 31)
    filling = b'{"a": "' + b" " * (size - 9) + b'"}'
    parts = [packer.compress(entry(f"configs/{at}.json", filling)) for at in range(number)]
    return b"".join([*parts, packer.compress(bytes(1024)), packer.flush()])


def packed(*entries: tuple[str, t.Any]) -> bytes:
    return gzip.compress(tar_of(*entries), 6)


def many(count: int) -> bytes:
    return gzip.compress(header("usr/x") * count + bytes(1024), 1)


HOSTILE = [
    pytest.param(lambda: files_of(12, 60 * MIB), "JSON|unpacks to more", id="12 files of 60 MiB in 1 MB"),
    pytest.param(lambda: bomb("within"), "unpacks to more|JSON", id="gzip bomb"),
    pytest.param(lambda: bomb("beside"), "unpacks to more", id="gzip bomb beside the catalog"),
    pytest.param(lambda: many(1_000_000), "more than 200000 entries", id="a million entries"),
    pytest.param(
        lambda: packed(("configs/a.json", b'{"a": [' + b"[]," * 20_000_000 + b"[]]}")), "values", id="60 MB of lists"
    ),
    pytest.param(
        lambda: packed(("configs/a.json", b'{"a": [' + b"[]," * 149_000 + b"[]]}" + small())), "1.0.0", id="many lists"
    ),
    pytest.param(
        lambda: packed(
            ("configs/a.json", b"".join(b'{"%d": "%s"}' % (n, "😀".encode() * 400_000) for n in range(8)) + small())
        ),
        "1.0.0",
        id="text of four bytes for a character",
    ),
    pytest.param(
        lambda: packed(("configs/a.json", b"{" + b",".join(b'"%d":[]' % n for n in range(140_000)) + b"}" + small())),
        "1.0.0",
        id="many keys",
    ),
    pytest.param(lambda: packed(("configs/a.json", b'{"a": "' + b"x " * 30_000_000)), "too large", id="large text"),
    pytest.param(lambda: packed(("configs/a.yaml", b"a: '" + b"x " * 30_000_000)), "larger", id="large text in YAML"),
    pytest.param(
        lambda: packed(("configs/a.yaml", b"a: [" + b"[]," * 20_000_000)), "values|larger", id="YAML of lists"
    ),
    pytest.param(
        lambda: packed(("configs/a.yaml", b"a: &a [x,x]\nb: &b [*a,*a]\nschema: olm.package\nname: *b\n")),
        "anchor",
        id="YAML bomb",
    ),
    pytest.param(
        lambda: packed(
            ("configs/a.json", b"".join(b'{"schema": "olm.package", "name": "p%d"}' % n for n in range(500_000)))
        ),
        "too many",
        id="packages without end",
    ),
    pytest.param(
        lambda: gzip.compress(b"".join(header(f"configs/{n}/{'d' * 80}") for n in range(50_000)) + bytes(1024), 1),
        "too many files",
        id="files without end",
    ),
    pytest.param(lambda: gzip.compress(header("x", tarfile.XHDTYPE, 1 << 30)), "of headers", id="pax header of 1 GiB"),
    pytest.param(lambda: gzip.compress(extension(b"1" * MIB)), "damaged", id="pax header of digits"),
    pytest.param(lambda: packed(("configs/a.json", small()))[:-30], "unpacked", id="cut gzip"),
    pytest.param(lambda: packed(("configs/a.json", small())) + b"garbage", "1.0.0", id="garbage behind the end"),
    pytest.param(
        lambda: packed(("configs/a.json", small("1.0.0")), ("configs/a.json", small("2.0.0"))), "2.0.0", id="file twice"
    ),
    pytest.param(
        lambda: gzip.compress(header("configs/a.json", tarfile.GNUTYPE_SPARSE, size=0) + bytes(1024)),
        "sparse",
        id="sparse file",
    ),
    pytest.param(
        lambda: gzip.compress(
            b"".join(
                header(f"configs/gateway/{kind!r}.json", kind)
                for kind in (tarfile.LNKTYPE, tarfile.SYMTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE)
            )
            + entry("configs/../configs/a.json", b"[")
            + entry("../configs/a.json", b"[")
            + entry("configs\0/a.json", b"[")
            + entry("configs\u202e/a.json", b"[")
            + entry("c\u043enfigs/a.json", b"[")
            + entry("//configs/./a.json", small())
            + bytes(1024)
        ),
        "1.0.0",
        id="links, devices and names of all kinds",
    ),
    pytest.param(
        lambda: zstd(header("configs/a.json", size=1 << 40) + bytes(200 * MIB)),
        "unpacks to more|JSON",
        id="zstd bomb",
        marks=needs_zstd,
    ),
    pytest.param(
        lambda: zstd(tar_of(("configs/a.json", small())))[:-9],
        "unpack|ends within",
        id="cut zstd",
        marks=needs_zstd,
    ),
    pytest.param(lambda: zstd(tar_of(("configs/a.json", small()))), "1.0.0", id="zstd", marks=needs_zstd),
]


@pytest.mark.parametrize(("content", "said"), HOSTILE)
def test_hostile_layers_cost_little(tmp_path: Path, content: t.Callable[[], bytes], said: str) -> None:
    (tmp_path / "layer").write_bytes(content())
    seen = read(tmp_path / "layer")
    assert any(word in seen.said for word in said.split("|")), seen
    assert len(seen.said) < 1000
    assert seen.peak < MOST_MEMORY, seen
    assert seen.seconds < MOST_SECONDS, seen
