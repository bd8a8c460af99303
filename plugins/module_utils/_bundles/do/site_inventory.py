# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The inventory of a site as a file: what nodes have reported, and what the API says of release and operators."""

from __future__ import annotations

import hashlib
import typing as t
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.delta_base import SIGNATURE_ENDING
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.signatures.signing import sign_content
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.installed_operator import (
    InstalledOperator,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.site_inventory import (
    LARGEST_INVENTORY,
    SiteInventory,
    read_inventory,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.trust.freshness import RunningRelease
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import read_file, remove_file, write_file
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_errors import BundleError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import (
    CLUSTER_VERSION,
    SUBSCRIPTION,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Result
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.timestamps import timestamp


def write_inventory(client: ClusterClient, options: Mapping[str, t.Any], *, check_mode: bool) -> Result:
    """Write the inventory to ``path``, and its signature next to it if there is a ``signing_key``.

    A file that says the same but for the time stays. Raises ApiError, SignatureError, InvalidInputError and what
    writing raises.
    """
    path = Path(options["path"]).absolute()
    found = _inventory(client, options["blobs_by_node"])
    known = read_file(path, limit=LARGEST_INVENTORY)
    before = _known_inventory(known)
    is_same = before is not None and replace(before, written=found.written) == found
    content = known if known is not None and is_same else found.as_bytes()
    signature = path.with_name(f"{path.name}{SIGNATURE_ENDING}")
    signs, is_signed = options["signing_key"] is not None, signature.exists()
    changed = content != known or (signs and not is_signed)
    if changed and not check_mode:
        _write(path, content, signature, options, client)
    return Result(
        changed,
        {"inventory": _report(found, path, content)},
        [{"action": "write", "path": str(path)}] if changed else [],
        diff={"before": _state(before, is_signed), "after": _state(found, signs or (is_signed and not changed))},
    )


def _state(inventory: SiteInventory | None, is_signed: bool) -> dict[str, t.Any]:
    """Return what a difference shows; the time is not part of it."""
    timeless = replace(inventory, written="").as_bytes() if inventory is not None else b""
    return {"content": f"sha256:{hashlib.sha256(timeless).hexdigest()}" if timeless else "", "signed": is_signed}


def _write(path: Path, content: bytes, signature: Path, options: Mapping[str, t.Any], client: ClusterClient) -> None:
    signed = None
    if options["signing_key"] is not None:
        signed = sign_content(content, Path(options["signing_key"]), options["signing_passphrase"], client.clock)
    # An inventory must not appear with the signature of an earlier one.
    remove_file(signature)
    write_file(path, content)
    if signed is not None:
        write_file(signature, signed)


def _known_inventory(known: bytes | None) -> SiteInventory | None:
    try:
        return read_inventory(known, on="the inventory") if known is not None else None
    except BundleError:
        return None


def _inventory(client: ClusterClient, blobs_by_node: Mapping[str, list[str]]) -> SiteInventory:
    served = client.serves(CLUSTER_VERSION)
    cluster_version = (client.get(CLUSTER_VERSION, "version") if served else None) or {}
    subscriptions = client.list_objects(SUBSCRIPTION, missing_ok=True)
    return SiteInventory(
        written=timestamp(client.clock.utcnow()),
        cluster=str((cluster_version.get("spec") or {}).get("clusterID") or ""),
        version=RunningRelease.of(cluster_version).completed,
        operators=tuple(sorted(InstalledOperator.of(one) for one in subscriptions)),
        nodes={name: frozenset(Digest.parse(text) for text in blobs) for name, blobs in blobs_by_node.items()},
    )


def _report(found: SiteInventory, path: Path, content: bytes) -> dict[str, t.Any]:
    return {
        "path": str(path),
        "size": len(content),
        "version": found.version,
        "cluster": found.cluster,
        "nodes": [{"name": name, "blobs": len(found.nodes[name])} for name in sorted(found.nodes)],
        "common_blobs": len(found.common),
        "operators": [operator.as_data() for operator in sorted(found.operators)],
    }
