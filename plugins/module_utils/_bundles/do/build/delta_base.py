# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a delta leaves out: the blobs of another bundle, or what every node of a site has by its inventory."""

from __future__ import annotations

from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import BundleFolder
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import SignatureError
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.signatures.gpgv import Gpgv
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.signatures.trusted_keys import TrustedKeys
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.bundle_request import BundleRequest
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.site_inventory import (
    LARGEST_INVENTORY,
    DeltaBase,
    read_inventory,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import read_file
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_errors import BundleError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import BundleIndex
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index_reader import (
    LARGEST_INDEX,
    read_index,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock

SIGNATURE_ENDING = ".asc"


def delta_base(request: BundleRequest, clock: Clock) -> DeltaBase | None:
    """Return what the bundle of ``request`` leaves out. Raises SignatureError for an inventory that is not trusted."""
    if request.inventory is not None:
        return _of_inventory(Path(request.inventory), request.inventory_keys, clock)
    base = read_base(request.base)
    return DeltaBase.of_blobs(base.digest, base.blobs) if base is not None else None


def read_base(path: str | None) -> BundleIndex | None:
    """Return the index of the bundle that a delta builds on: ``path`` is its folder or its index alone."""
    if path is None:
        return None
    place = Path(path)
    content = read_file(BundleFolder(place).index_path if place.is_dir() else place, limit=LARGEST_INDEX)
    if content is None:
        raise BundleError(
            "read the base of the delta",
            on=path,
            seen="there is no index",
            advice="Specify the folder of the bundle that the site has, or a copy of its index.json.",
        )
    return read_index(content)


def open_base(path: str | None) -> BundleFolder | None:
    """Return the base itself where ``path`` is more than its index: what it holds need not be requested again."""
    return BundleFolder(Path(path)) if path is not None and Path(path).is_dir() else None


def _of_inventory(path: Path, keys: tuple[str, ...], clock: Clock) -> DeltaBase:
    content = read_file(path, limit=LARGEST_INVENTORY)
    if content is None:
        raise BundleError(
            "read the inventory of the site", on=str(path), seen="there is no such file", advice="Correct inventory."
        )
    if keys:
        _require_signed(path, content, keys, clock)
    return DeltaBase.of_inventory(read_inventory(content, on=str(path)), content)


def _require_signed(path: Path, content: bytes, keys: tuple[str, ...], clock: Clock) -> None:
    signature = read_file(path.with_name(f"{path.name}{SIGNATURE_ENDING}"))
    if signature is None:
        problem = f"there is no {path.name}{SIGNATURE_ENDING}"
    else:
        problem = Gpgv(TrustedKeys.read(keys).ring, clock).verify_detached(content, signature).problem
    if problem:
        raise SignatureError(
            "verify the inventory of the site",
            on=str(path),
            seen=problem,
            advice="Get the inventory and its signature again, or correct inventory_keys.",
        )
