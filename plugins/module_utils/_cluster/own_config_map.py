# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Changing a ConfigMap of this collection that others may change at the same time."""

from __future__ import annotations

import typing as t
from collections.abc import Callable, Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.api_error import ApiError
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.own_namespace import create_in_own_namespace
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import NAMESPACE
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import CONFIG_MAP

Object = Mapping[str, t.Any]

_TRIES = 8
Outcome = t.TypeVar("Outcome")


def change_config_map(
    client: ClusterClient,
    name: str,
    decide: Callable[[Object | None], tuple[Object | None, Outcome]],
    *,
    attempted: str,
    error: type[FieldOpsError],
) -> Outcome:
    """Create or patch the ConfigMap ``name`` in the collection's namespace, and return the outcome of the decision.

    ``decide`` returns the body, None for no change, and an outcome. When others changed the object between reading and
    writing, both are done again. Raise ``error`` when that continues, ApiError, and what ``decide`` raises.
    """
    for _unused in range(_TRIES):
        found = client.get(CONFIG_MAP, name, NAMESPACE)
        body, outcome = decide(found)
        if body is None or _is_written(client, name, found, body):
            return outcome
    raise error(
        attempted,
        on=f"ConfigMap {NAMESPACE}/{name}",
        seen=f"another client changed it {_TRIES} times in a row",
        advice="Check which other client writes to it, then run this again.",
        transient=True,
    )


def _is_written(client: ClusterClient, name: str, found: Object | None, body: Object) -> bool:
    """Write ``body`` unless the object has changed since it was ``found``, and return whether that was so."""
    try:
        if found is None:
            create_in_own_namespace(client, CONFIG_MAP, body)
        else:
            client.patch(CONFIG_MAP, name, body, NAMESPACE, resource_version=found["metadata"]["resourceVersion"])
    except ApiError as error:
        if error.status != 409:
            raise
        return False
    return True
