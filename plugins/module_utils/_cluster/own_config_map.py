# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Changing a ConfigMap of this collection that others may change at the same time."""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.api_error import ApiError
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.own_namespace import create_in_own_namespace
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import NAMESPACE
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import CONFIG_MAP

if t.TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient

    Object = Mapping[str, t.Any]

_TRIES = 8


def change_config_map(client: ClusterClient, name: str, decide: Callable[[Object | None], Object]) -> None:
    """Create or patch the ConfigMap ``name`` in the collection's namespace with what ``decide`` makes of it.

    When others changed it between reading and writing, both are done again. Raise the ApiError of the last attempt,
    and what ``decide`` raises.
    """
    for attempt in range(1, _TRIES + 1):
        found = client.get(CONFIG_MAP, name, NAMESPACE)
        body = decide(found)
        try:
            if found is None:
                create_in_own_namespace(client, CONFIG_MAP, body)
            else:
                version = found["metadata"]["resourceVersion"]
                client.patch(CONFIG_MAP, name, body, NAMESPACE, resource_version=version)
        except ApiError as error:
            if error.status != 409 or attempt == _TRIES:
                raise
        else:
            return
