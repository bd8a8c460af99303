# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The releases that the cluster of the lab has come from, as its ClusterVersion lists them."""

from __future__ import annotations

import contextlib
import typing as t
from collections.abc import Iterator

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import BundleIndex
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab

CLUSTER_VERSION = "/apis/config.openshift.io/v1/clusterversions/version"


@contextlib.contextmanager
def came_to(lab: Lab, *indexes: BundleIndex) -> Iterator[None]:
    """Let the cluster have completed its updates to the releases of these bundles, the last one first."""
    before = lab.api.rest.get(CLUSTER_VERSION)["status"]
    entries = [_completed(index) for index in indexes]
    desired = {key: entries[0][key] for key in ("version", "image")}
    lab.api.rest.merge(f"{CLUSTER_VERSION}/status", {"status": {"history": entries, "desired": desired}})
    try:
        yield
    finally:
        kept = {key: before[key] for key in ("history", "desired")}
        lab.api.rest.merge(f"{CLUSTER_VERSION}/status", {"status": kept})


def _completed(index: BundleIndex) -> dict[str, t.Any]:
    times = {"startedTime": "2026-11-21T20:00:00Z", "completionTime": "2026-11-21T21:00:00Z"}
    return {"state": "Completed", "version": index.version, "image": str(index.release), "verified": True, **times}
