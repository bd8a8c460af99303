# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The inventory of a site: what its nodes hold, so that a bundle can leave out what every node has.

A group of blobs that the same nodes hold is listed once. A release of 190 images takes some 60 KiB.
"""

from __future__ import annotations

import hashlib
import json
import re
import typing as t
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.installed_operator import (
    InstalledOperator,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_errors import BundleError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.json_document import Document
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import MIB

KIND = "FieldOpsSiteInventory"
SCHEMA_VERSION = 1
LARGEST_INVENTORY = 8 * MIB
_HEX = re.compile(r"[0-9a-f]{64}", re.ASCII)


@dataclass(frozen=True)
class SiteInventory:
    """What a site holds: the digests of blobs by node, its ``version``, and its operators."""

    written: str
    cluster: str
    version: str
    operators: tuple[InstalledOperator, ...]
    nodes: Mapping[str, frozenset[Digest]]

    @property
    def common(self) -> frozenset[Digest]:
        """Return the blobs that every node holds."""
        return frozenset.intersection(*self.nodes.values()) if self.nodes else frozenset()

    def as_bytes(self) -> bytes:
        """Return the file, the same for the same content."""
        return json.dumps(self._document(), sort_keys=True, separators=(",", ":")).encode() + b"\n"

    def _document(self) -> dict[str, t.Any]:
        holders: dict[Digest, list[str]] = {}
        for name in sorted(self.nodes):
            for digest in self.nodes[name]:
                holders.setdefault(digest, []).append(name)
        groups: dict[tuple[str, ...], list[str]] = {}
        for digest in sorted(holders):
            groups.setdefault(tuple(holders[digest]), []).append(digest.hex)
        return {
            "schemaVersion": SCHEMA_VERSION,
            "kind": KIND,
            "written": self.written,
            "cluster": self.cluster,
            "version": self.version,
            "operators": [operator.as_data() for operator in sorted(self.operators)],
            "nodes": sorted(self.nodes),
            "groups": [{"nodes": list(names), "blobs": blobs} for names, blobs in sorted(groups.items())],
        }


class _Inventory(Document):
    """An inventory from outside; a part of it that is wrong is a BundleError."""

    error = BundleError
    attempted = "read the inventory of the site"
    advice = "Write it again on the site with fieldops.openshift.export_inventory."


def read_inventory(content: bytes, *, on: str) -> SiteInventory:
    """Return the inventory in ``content``; raise BundleError for anything else."""
    document = _Inventory.parse(content, on=on)
    if (document["kind"].text(), document["schemaVersion"].number(1 << 16)) != (KIND, SCHEMA_VERSION):
        raise document.broken(f"it is not a {KIND} of version {SCHEMA_VERSION}")
    held: dict[str, set[Digest]] = {name.text(): set() for name in document["nodes"].entries()}
    for group in document["groups"].entries():
        blobs = {Digest(entry.matching(_HEX, "a digest")) for entry in group["blobs"].entries()}
        for node in group["nodes"].entries():
            if node.text() not in held:
                raise node.broken("it is none of the nodes")
            held[node.text()] |= blobs
    return SiteInventory(
        written=document["written"].text(),
        cluster=document["cluster"].text(),
        version=document["version"].text(),
        operators=tuple(map(InstalledOperator.from_document, document["operators"].entries())),
        nodes={name: frozenset(blobs) for name, blobs in held.items()},
    )


@dataclass(frozen=True)
class DeltaBase:
    """What a bundle leaves out: blobs that are ``held`` at the site; ``digest`` is of the document that lists them."""

    digest: Digest
    held: frozenset[Digest]

    @classmethod
    def of_inventory(cls, inventory: SiteInventory, content: bytes) -> DeltaBase:
        """Return what every node of an inventory has; ``content`` is its file."""
        return cls(Digest(hashlib.sha256(content).hexdigest()), inventory.common)

    @classmethod
    def of_blobs(cls, digest: Digest, blobs: Iterable[Digest]) -> DeltaBase:
        """Return the blobs of the bundle whose index has ``digest``."""
        return cls(digest, frozenset(blobs))
