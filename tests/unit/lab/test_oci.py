# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Images written by hand are real ones: digests hold, and the same input gives the same bytes."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import tarfile
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab import oci


def test_every_blob_lies_under_its_digest(tmp_path: Path) -> None:
    oci.Layout(tmp_path).add_image("a", [oci.layer({"bin/x": b"1"})])
    blobs = list((tmp_path / "blobs/sha256").iterdir())
    assert len(blobs) == 3
    assert all(hashlib.sha256(blob.read_bytes()).hexdigest() == blob.name for blob in blobs)


def test_the_index_names_the_image_and_leads_to_its_files(tmp_path: Path) -> None:
    digest = oci.Layout(tmp_path).add_image("quay.io/x/y", [oci.layer({"bin/x": b"1"}, {"bin/y": "x"})])
    [entry] = json.loads((tmp_path / "index.json").read_text())["manifests"]
    manifest = json.loads(_blob(tmp_path, digest))
    assert (entry["digest"], entry["annotations"]["org.opencontainers.image.ref.name"]) == (digest, "quay.io/x/y")
    layer = gzip.decompress(_blob(tmp_path, manifest["layers"][0]["digest"]))
    config = json.loads(_blob(tmp_path, manifest["config"]["digest"]))
    assert config["rootfs"]["diff_ids"] == [oci.digest_of(layer)]
    with tarfile.open(fileobj=io.BytesIO(layer)) as files:
        assert sorted(files.getnames()) == ["bin/x", "bin/y"]


def test_the_same_files_give_the_same_digest_anywhere(tmp_path: Path) -> None:
    digests = {oci.Layout(tmp_path / name).add_image("a", [oci.layer({"bin/x": b"1"})]) for name in ("one", "two")}
    assert len(digests) == 1


def _blob(layout: Path, digest: str) -> bytes:
    return (layout / "blobs/sha256" / digest.partition(":")[2]).read_bytes()
