# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Container images written by hand: an OCI image layout (image-spec 1.1) from files, without a container engine."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import tarfile
import typing as t
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

MANIFEST = "application/vnd.oci.image.manifest.v1+json"
CONFIG = "application/vnd.oci.image.config.v1+json"
LAYER = "application/vnd.oci.image.layer.v1.tar+gzip"
EPOCH = "2026-01-12T08:00:00Z"


@dataclass(frozen=True)
class Blob:
    """A descriptor: media type, digest (``sha256:...``) and size in bytes."""

    media_type: str
    digest: str
    size: int

    def as_json(self) -> dict[str, t.Any]:
        """Return the descriptor as documents hold it."""
        return {"mediaType": self.media_type, "digest": self.digest, "size": self.size}


class Layout:
    """An OCI image layout in a directory."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        (directory / "blobs" / "sha256").mkdir(parents=True, exist_ok=True)
        (directory / "oci-layout").write_text('{"imageLayoutVersion": "1.0.0"}')
        self._manifests: list[dict[str, t.Any]] = []

    def add_image(
        self,
        name: str,
        layers: Sequence[bytes],
        command: Sequence[str] = (),
        settings: Mapping[str, Sequence[str]] | None = None,
    ) -> str:
        """Add an image of uncompressed layer tars under the reference ``name``; return its digest.

        ``settings`` are others of the image's configuration, such as ``Entrypoint``, or replace those written here.
        """
        descriptors = [self.add_blob(LAYER, gzip.compress(layer, 1, mtime=0)) for layer in layers]
        config = {
            "architecture": "amd64",
            "os": "linux",
            "created": EPOCH,
            "config": {"Cmd": list(command), "Env": ["PATH=/bin"], **(settings or {})},
            "rootfs": {"type": "layers", "diff_ids": [digest_of(layer) for layer in layers]},
        }
        manifest = {
            "schemaVersion": 2,
            "mediaType": MANIFEST,
            "config": self.add_blob(CONFIG, _canonical(config)).as_json(),
            "layers": [descriptor.as_json() for descriptor in descriptors],
        }
        blob = self.add_blob(MANIFEST, _canonical(manifest))
        reference = {"org.opencontainers.image.ref.name": name}
        self._manifests.append({**blob.as_json(), "annotations": reference})
        index = {"schemaVersion": 2, "manifests": self._manifests}
        (self.directory / "index.json").write_bytes(_canonical(index))
        return blob.digest

    def add_blob(self, media_type: str, content: bytes) -> Blob:
        """Store a blob under its digest."""
        digest = digest_of(content)
        (self.directory / "blobs" / "sha256" / digest.partition(":")[2]).write_bytes(content)
        return Blob(media_type, digest, len(content))


def digest_of(content: bytes) -> str:
    """Return ``sha256:`` and the hexadecimal digest."""
    return f"sha256:{hashlib.sha256(content).hexdigest()}"


def layer(files: Mapping[str, bytes], links: Mapping[str, str] | None = None) -> bytes:
    """Return an uncompressed layer: executable files and symbolic links, always the same bytes for the same input."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for name, content in sorted(files.items()):
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = len(content), 0o755
            tar.addfile(entry, io.BytesIO(content))
        for name, target in sorted((links or {}).items()):
            entry = tarfile.TarInfo(name)
            entry.type, entry.linkname, entry.mode = tarfile.SYMTYPE, target, 0o777
            tar.addfile(entry)
    return buffer.getvalue()


def _canonical(document: t.Any) -> bytes:
    return json.dumps(document, sort_keys=True, separators=(",", ":")).encode()
