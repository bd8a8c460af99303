# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the API returns of a cluster, by kind: a rejection affects that kind only, an absent API is queried once."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.answers import KIND_NOT_SERVED
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.api_error import ApiError
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.listings import list_call
from ansible_collections.fieldops.openshift.plugins.module_utils._support.plan.cluster_sources import (
    EVENT,
    OBJECTS,
    ObjectSource,
    events_since,
    object_of_use,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._support.plan.parts import (
    ABSENT,
    AWAY,
    FAILED,
    REFUSED,
    Part,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._support.plan.redaction import Redaction
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError

Found = tuple[Part, str]

_REFUSALS = (401, 403)


def reached(connect: Callable[[], ClusterClient]) -> tuple[ClusterClient | None, str]:
    """Return the client that ``connect`` makes, or None with the reason why there is none."""
    try:
        return connect(), ""
    except FieldOpsError as error:
        return None, str(error)


def read_cluster_parts(client: ClusterClient | None, away: str, since: str, redaction: Redaction) -> Iterator[Found]:
    """Yield each kind with its objects as JSON, and one part for all those that an absent API cannot return."""
    for number, source in enumerate(OBJECTS):
        found, away = _asked(client, source, since, redaction) if client else (None, away)
        if found is None:
            untold = ", ".join(left.source for left in OBJECTS[number:])
            yield Part("cluster", f"the API: {untold}", AWAY, reason=redaction.text(away)), ""
            return
        yield found


def _asked(client: ClusterClient, source: ObjectSource, since: str, redaction: Redaction) -> tuple[Found | None, str]:
    """Return the part of a kind, or None with the reason if the API cannot be queried for others either."""
    part = Part(source.name, source.source)
    try:
        return (part, _objects(client, source, since, redaction)), ""
    except ApiError as error:
        if error.status is None:
            return None, str(error)
        return (replace(part, state=_state_of(error), reason=redaction.text(str(error))), ""), ""
    except FieldOpsError as error:
        return None, str(error)


def _objects(client: ClusterClient, source: ObjectSource, since: str, redaction: Redaction) -> str:
    found = client.listing(list_call(source.kind, source.namespace, labels=source.labels), once=True)
    items = events_since(found, since) if source.kind == EVENT else found
    return json.dumps([redaction.document(object_of_use(item)) for item in items], indent=1, sort_keys=True) + "\n"


def _state_of(error: ApiError) -> str:
    if error.reason == KIND_NOT_SERVED:
        return ABSENT
    return REFUSED if error.status in _REFUSALS else FAILED
