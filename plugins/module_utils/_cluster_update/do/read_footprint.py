# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Reads what of a release a cluster can run."""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.footprint import footprint
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import (
    CLUSTER_VERSION,
    INFRASTRUCTURE,
    POD,
)


def footprint_report(client: ClusterClient) -> dict[str, t.Any]:
    """Return platform, capabilities and used images of the cluster; raises ApiError."""
    infrastructure = client.get(INFRASTRUCTURE, "cluster")
    return footprint(infrastructure, client.get(CLUSTER_VERSION, "version"), client.list_objects(POD))
