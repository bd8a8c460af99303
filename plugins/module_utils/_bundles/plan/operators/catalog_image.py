# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A catalog image that is made here: one layer with the files of the catalog, and no program.

OLM extracts the files and serves them with its own program; see ``catalog_objects``. Nothing in it depends on when and
where it is made, and its layer is not compressed, since compression differs between versions of libraries.

Sources: OCI image specification, ``manifest.md`` and ``config.md``; operator-framework/operator-registry
``alpha/action/generate_dockerfile.go``, images without a program.
"""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
import typing as t
from collections.abc import Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.gathered import GatheredImage
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.manifests import Descriptor
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.operators.catalog import CONFIGS_LABEL
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.architecture import Architecture
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.media_types import OCI_MANIFEST

CATALOGS = "catalogs.fieldops.invalid"
"""The registry in the names of catalogs that are made here. It never exists: RFC 2606, section 2."""
FOLDER = "configs"
SOURCE = "io.fieldops.catalog.source"
REQUEST = "io.fieldops.catalog.request"
REPORT = "io.fieldops.catalog.operators"
"""Annotations of the manifest: the catalog that it was made of by digest, a digest of what was requested of it, and
what came of that, as JSON."""

_CONFIG = "application/vnd.oci.image.config.v1+json"
_LAYER = "application/vnd.oci.image.layer.v1.tar"


def catalog_name(source: ImageReference) -> str:
    """Return the repository of the catalog that is made of ``source``."""
    return f"{CATALOGS}/{source.registry.lower().replace(':', '-').strip('[]')}/{source.repository}"


def catalog_image(
    source: ImageReference, files: Mapping[str, bytes], machine: Architecture, annotations: Mapping[str, str]
) -> tuple[GatheredImage, Mapping[Digest, bytes]]:
    """Return the image with ``files`` by package, and the blobs of it. ``source`` gives its name and its tag."""
    layer = _archive({f"{FOLDER}/{package}/catalog.json": content for package, content in files.items()})
    config = _canonical(
        {
            "architecture": machine.oci,
            "os": "linux",
            "config": {"Labels": {CONFIGS_LABEL: f"/{FOLDER}"}},
            "rootfs": {"type": "layers", "diff_ids": [str(_digest(layer))]},
        }
    )
    described = [Descriptor(_digest(config), len(config), _CONFIG), Descriptor(_digest(layer), len(layer), _LAYER)]
    manifest = _canonical(
        {
            "schemaVersion": 2,
            "mediaType": OCI_MANIFEST,
            "config": _described(described[0]),
            "layers": [_described(described[1])],
            "annotations": dict(annotations),
        }
    )
    named = Descriptor(_digest(manifest), len(manifest), OCI_MANIFEST)
    name = ImageReference.parse(f"{catalog_name(source)}@{named.digest}")
    image = GatheredImage(name, "catalog", None, source.tag, (named,), tuple(described), (described[1],))
    return image, {named.digest: manifest, described[0].digest: config, described[1].digest: layer}


def _archive(files: Mapping[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        folders = {name.rpartition("/")[0] for name in files} | {FOLDER}
        for name in sorted(folders | set(files)):
            entry = tarfile.TarInfo(name)
            entry.type, entry.mode = (tarfile.DIRTYPE, 0o755) if name in folders else (tarfile.REGTYPE, 0o644)
            entry.size = len(files.get(name, b""))
            archive.addfile(entry, io.BytesIO(files.get(name, b"")))
    return packed.getvalue()


def _canonical(document: Mapping[str, t.Any]) -> bytes:
    return json.dumps(document, sort_keys=True, separators=(",", ":")).encode()


def _described(blob: Descriptor) -> dict[str, t.Any]:
    return {"mediaType": blob.media_type, "digest": str(blob.digest), "size": blob.size}


def _digest(content: bytes) -> Digest:
    return Digest(hashlib.sha256(content).hexdigest())
