# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Catalogs in the form in which they are written, for tests of what is made of them."""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.operators.catalog import (
    Catalog,
    catalog_record,
)

Json = dict[str, t.Any]


def package(name: t.Any = "odf", default: str = "stable") -> Json:
    """Return a package and its default channel."""
    return {"schema": "olm.package", "name": name, "defaultChannel": default}


def channel(*entries: t.Any, name: str = "stable", owner: str = "odf") -> Json:
    """Return a channel."""
    return {"schema": "olm.channel", "package": owner, "name": name, "entries": list(entries)}


def entry(version: str, replaces: str = "", owner: str = "odf", **more: t.Any) -> Json:
    """Return an entry of a channel."""
    return {"name": f"{owner}.v{version}", **({"replaces": f"{owner}.v{replaces}"} if replaces else {}), **more}


def bundle(version: str, *images: str, owner: str = "odf", **more: t.Any) -> Json:
    """Return a bundle and what it relates to."""
    return {
        "schema": "olm.bundle",
        "package": owner,
        "name": f"{owner}.v{version}",
        "image": f"quay.io/{owner}/bundle:v{version}",
        "properties": [
            {"type": "olm.gvk"},
            {"type": "olm.package", "value": {"packageName": owner, "version": version}},
        ],
        "relatedImages": [{"image": image} for image in images],
        **more,
    }


def read(documents: t.Iterable[Json], wanted: t.Collection[str] = ("odf",)) -> Catalog:
    """Return what is kept of ``documents``."""
    return Catalog(filter(None, (catalog_record(document, wanted) for document in documents)), on="index")
