# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Creating what this collection keeps in its own namespace, which is made with the first of it."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.api_error import ApiError
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import (
    NAMESPACE,
    PART_OF,
    PART_OF_LABEL,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import NAMESPACE as NAMESPACE_KIND
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import ObjectKind


def create_in_own_namespace(client: ClusterClient, kind: ObjectKind, body: Mapping[str, t.Any]) -> Mapping[str, t.Any]:
    """Create an object in the collection's namespace, and the namespace where it is missing; return the object.

    Raise ApiError, of status 409 where the object is there already. A dry run without the namespace returns {}.
    """
    try:
        return client.create(kind, body)
    except ApiError as error:
        if error.status != 404:
            raise
    client.create(NAMESPACE_KIND, {"metadata": {"name": NAMESPACE, "labels": {PART_OF_LABEL: PART_OF}}})
    # Nothing can be tried in a namespace that is not there.
    return {} if client.dry_run else client.create(kind, body)
