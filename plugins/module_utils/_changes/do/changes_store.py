# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Reading and writing policies, assignments and overrides where they last: ConfigMaps of the collection's namespace."""

from __future__ import annotations

import typing as t
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.store_documents import (
    ASSIGNMENTS,
    OVERRIDES,
    POLICIES,
    Change,
    Entries,
    changed_document,
    config_map,
    read_entries,
    with_overrides,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.api_error import ApiError
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.field_owners import require_own_fields
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.own_namespace import create_in_own_namespace
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import NAMESPACE
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import CONFIG_MAP

_TRIES = 8

Document = dict[str, t.Any]


class ChangeConflictError(FieldOpsError):
    """Another client changed the same documents repeatedly."""

    kind = "change_conflict"


@dataclass(frozen=True)
class Stored:
    """What is stored of policies, and of assignments with their overrides."""

    policies: Entries
    assignments: Entries


@dataclass(frozen=True)
class Edit:
    """The change of one entry: new ``parts``, or None to remove it; ``did`` says it for the record."""

    parts: Mapping[str, t.Any] | None
    did: str


def read_stored(client: ClusterClient, deadline: Deadline | None = None) -> Stored:
    """Return what is stored; raise PolicyError where the format of the whole is not known."""
    policies, assignments, overrides = (_read(client, name, deadline) for name in (POLICIES, ASSIGNMENTS, OVERRIDES))
    return Stored(policies, with_overrides(assignments, overrides))


def edit_entries(
    client: ClusterClient,
    name: str,
    decide: Callable[[Entries], Mapping[str, Edit]],
    *,
    by: str,
    reason: str,
    at: str,
    take_over: bool = False,
) -> Entries:
    """Apply what ``decide`` returns for the entries of ConfigMap ``name`` and return those that were found.

    Nothing is written when it wants nothing. When another client wrote since then it decides again on the new content.
    Raise FieldOwnedError for a field that another manager applies, unless ``take_over``.
    """
    for _unused in range(_TRIES):
        held = client.get(CONFIG_MAP, name, NAMESPACE)
        found = read_entries(name, held)
        edits = decide(found)
        if not edits:
            return found
        data = {key: _written(name, found, key, edit, by, reason, at) for key, edit in edits.items()}
        if held is not None:
            require_own_fields(held, config_map(name, data, by), take_over=take_over)
        try:
            _write(client, name, found, data, by)
        except ApiError as error:
            if error.status != 409:
                raise
        else:
            return found
    raise ChangeConflictError(
        "record a change",
        on=f"ConfigMap {NAMESPACE}/{name}",
        seen=f"another client changed it {_TRIES} times in a row",
        advice="Check which other client writes to it, then run this again.",
        transient=True,
    )


def _read(client: ClusterClient, name: str, deadline: Deadline | None = None) -> Entries:
    return read_entries(name, client.get(CONFIG_MAP, name, NAMESPACE, deadline=deadline))


def _written(name: str, found: Entries, key: str, edit: Edit, by: str, reason: str, at: str) -> str | None:
    if edit.parts is None:
        return None
    return changed_document(name, found.documents.get(key), edit.parts, Change(by, at, reason, edit.did))


def _write(client: ClusterClient, name: str, found: Entries, data: Mapping[str, str | None], by: str) -> None:
    if found.exists:
        client.patch(CONFIG_MAP, name, config_map(name, data, by), NAMESPACE, resource_version=found.resource_version)
        return
    body = config_map(name, {key: text for key, text in data.items() if text is not None}, by)
    create_in_own_namespace(client, CONFIG_MAP, body)
