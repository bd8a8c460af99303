# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the modules about bundles have in common: the shape of a step, and what they return of a bundle."""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import BundleFolder
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.bundle_report import bundle_report
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.content_report import content_report
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.operators.catalog_objects import (
    catalog_sources,
    cluster_catalogs,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.trust.signature_config_map import (
    signature_config_map,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import BundleIndex
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest


class NoProgress:
    """Progress that is not reported."""

    def report(
        self, sentence: str | None = None, *, done: int | None = None, total: int | None = None, unit: str | None = None
    ) -> None:
        """Report nothing."""


def bundle_objects(source: BundleFolder, index: BundleIndex) -> dict[str, t.Any]:
    """Return what modules report about the bundle in ``source``, whose index is ``index``."""

    def read(digest: Digest) -> bytes:
        return source.read_blob(digest) or b""

    return {
        "bundle": bundle_report(index, str(source.path), signed=source.index_signature() is not None),
        "content": content_report(index, {}),
        "signature_config_map": signature_config_map(index, read),
        "signature_config_maps": [signature_config_map(index, read, release) or {} for release in index.releases],
        "catalog_sources": catalog_sources(index),
        "cluster_catalogs": cluster_catalogs(index),
    }
