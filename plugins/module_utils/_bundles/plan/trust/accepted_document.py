# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The ConfigMap in which a cluster keeps the bundles that it has accepted; it is validated when it is read."""

from __future__ import annotations

import json
import typing as t
from collections.abc import Mapping, Sequence

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import AcceptedBundlesError
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.trust.freshness import AcceptedBundle
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.architecture import Architecture
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import (
    NAMESPACE,
    PART_OF,
    PART_OF_LABEL,
    SCHEMA_VERSION_KEY,
)

NAME = "accepted-bundles"
SCHEMA_VERSION = "1"
_KEY = "bundles"
_FIELDS: dict[str, tuple[type, ...]] = {
    "index_digest": (str,),
    "version": (str,),
    "architecture": (str,),
    "serial": (int, type(None)),
    "built": (str, type(None)),
    "accepted": (str,),
    "by": (str,),
    "older": (bool,),
}


def accepted_bundles(config_map: Mapping[str, t.Any] | None) -> tuple[AcceptedBundle, ...]:
    """Return the bundles in a ConfigMap, oldest first, none without one; raise AcceptedBundlesError for damage."""
    if config_map is None:
        return ()
    data = config_map.get("data") or {}
    if data.get(SCHEMA_VERSION_KEY) != SCHEMA_VERSION:
        raise _unusable(
            f"its {SCHEMA_VERSION_KEY} is {str(data.get(SCHEMA_VERSION_KEY))[:40]!r}, not {SCHEMA_VERSION!r}"
        )
    try:
        entries = json.loads(data.get(_KEY, ""))
    except (ValueError, RecursionError) as error:
        raise _unusable(f"{_KEY} is not JSON: {str(error)[:100]}") from error
    if not isinstance(entries, list):
        raise _unusable(f"{_KEY} is not a list")
    return tuple(_bundle(entry, number) for number, entry in enumerate(entries))


def accepted_config_map(bundles: Sequence[AcceptedBundle]) -> dict[str, t.Any]:
    """Return the body that creates or merges the ConfigMap with ``bundles``."""
    text = json.dumps([one.as_data() for one in bundles], sort_keys=True, separators=(",", ":"))
    return {
        "metadata": {"name": NAME, "namespace": NAMESPACE, "labels": {PART_OF_LABEL: PART_OF}},
        "data": {SCHEMA_VERSION_KEY: SCHEMA_VERSION, _KEY: text},
    }


def _bundle(entry: t.Any, number: int) -> AcceptedBundle:
    if not isinstance(entry, dict) or set(entry) != set(_FIELDS):
        raise _unusable(f"entry {number} does not have exactly the fields {', '.join(_FIELDS)}")
    for name, types in _FIELDS.items():
        if type(entry[name]) not in types:
            raise _unusable(f"{name} of entry {number} is {str(entry[name])[:100]!r}")
    try:
        Digest.parse(entry["index_digest"])
        Architecture.parse(entry["architecture"])
    except InvalidInputError as error:
        raise _unusable(f"entry {number}: {error.seen}") from error
    return AcceptedBundle(**entry)


def _unusable(seen: str) -> AcceptedBundlesError:
    return AcceptedBundlesError(
        "read the accepted bundles of the cluster",
        on=f"ConfigMap {NAMESPACE}/{NAME}",
        seen=seen,
        advice="Check who changed it and correct it, or delete it. Then the record of accepted bundles starts again.",
    )
