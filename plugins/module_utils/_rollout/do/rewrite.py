# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Changing an object that others write as well: read, decide and write until the three belong together."""

from __future__ import annotations

import typing as t
from collections.abc import Callable, Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.api_error import ApiError
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import ObjectKind

Object = dict[str, t.Any]
_TRIES = 6


def rewrite(
    client: ClusterClient,
    kind: ObjectKind,
    read: Callable[[], Object],
    decide: Callable[[Object], Mapping[str, t.Any] | None],
) -> tuple[Object, Object]:
    """Patch the object of the cluster that ``read`` returns as ``decide`` says, and return it as it was and as it is.

    ``decide`` returns a merge patch, None for no change. When others changed the object between reading and writing,
    both are done again. Raise the ApiError of the last attempt.
    """
    for _again in range(_TRIES - 1):
        written = _rewrite_once(client, kind, read(), decide, is_last=False)
        if written is not None:
            return written
    return t.cast("tuple[Object, Object]", _rewrite_once(client, kind, read(), decide, is_last=True))


def _rewrite_once(
    client: ClusterClient,
    kind: ObjectKind,
    before: Object,
    decide: Callable[[Object], Mapping[str, t.Any] | None],
    *,
    is_last: bool,
) -> tuple[Object, Object] | None:
    """Return None where others have written the object since then, unless it ``is_last``."""
    patch = decide(before)
    if patch is None:
        return before, before
    metadata = before["metadata"]
    try:
        return before, client.patch(kind, metadata["name"], patch, resource_version=metadata["resourceVersion"])
    except ApiError as error:
        if error.status != 409 or is_last:
            raise
    return None
