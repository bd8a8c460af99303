# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What modules report about a bundle, as plain data."""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import (
    BundledImage,
    BundledRelease,
    BundleIndex,
)


def bundle_report(index: BundleIndex, path: str, *, signed: bool) -> dict[str, t.Any]:
    """Return what the index says; ``signed`` is whether a signature of it is next to it, trusted or not."""
    unpacked = [blob.unpacked_size for blob in index.blobs.values() if blob.unpacked_size is not None]
    return {
        "path": path,
        "index_digest": str(index.digest),
        "folder_name": index.folder_name,
        "version": index.version,
        "architecture": index.architecture.release,
        "release": str(index.release),
        "previous": list(index.previous),
        "releases": [_release_report(index, release) for release in index.releases],
        "update_path": [edge.as_data() for edge in index.path],
        "built": index.built,
        "serial": index.serial,
        "base": str(index.base) if index.base is not None else None,
        "size": index.size,
        "unpacked_size": sum(unpacked),
        "blobs": len(index.blobs),
        "images": [_image_report(index, image) for image in index.images],
        "signatures": [{"kind": one.kind, "image": str(one.image)} for one in index.signatures],
        "signed": signed,
    }


def named_releases(index: BundleIndex) -> str:
    """Return the versions of the releases, in the order in which a site passes them."""
    return ", ".join(dict.fromkeys(release.version for release in index.releases))


def comparison(index: BundleIndex, base: BundleIndex) -> dict[str, t.Any]:
    """Return what ``index`` has that ``base`` does not: images by name, blobs and bytes."""
    known = {str(image.name) for image in base.images}
    new = [blob for digest, blob in index.blobs.items() if digest not in base.blobs]
    return {
        "base": str(base.digest),
        "images": [str(image.name) for image in index.images if str(image.name) not in known],
        "blobs": len(new),
        "size": sum(blob.size for blob in new),
        "shared": index.size - sum(blob.size for blob in new),
    }


def _release_report(index: BundleIndex, release: BundledRelease) -> dict[str, t.Any]:
    return {
        "version": release.version,
        "architecture": release.architecture.release,
        "release": str(release.image),
        "previous": list(release.previous),
        "images": [str(image.name) for image in index.images_of(release)],
    }


def _image_report(index: BundleIndex, image: BundledImage) -> dict[str, t.Any]:
    return {
        "name": str(image.name),
        "reason": image.reason,
        "component": image.component,
        "tag": image.tag,
        "media_type": index.media_type_of(image),
        "size": sum(index.blobs[digest].size for digest in set(image.blobs()) if digest in index.blobs),
        "left_out": [str(digest) for digest in image.blobs() if digest not in index.blobs],
    }
