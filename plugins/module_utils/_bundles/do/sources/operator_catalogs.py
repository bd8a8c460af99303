# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The catalogs and mirror sets of a bundle in a cluster: applied, or taken away; objects of others are left alone.

Source of what uses a catalog: operator-framework/api ``operators/v1alpha1/subscription_types.go``, ``spec.source``.
"""

from __future__ import annotations

import typing as t
from collections.abc import Iterable, Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.differences import differ, difference
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import (
    InvalidInputError,
    MissingRequirementError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import PART_OF, PART_OF_LABEL
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import (
    CATALOG_SOURCE,
    CLUSTER_CATALOG,
    IMAGE_DIGEST_MIRROR_SET,
    IMAGE_TAG_MIRROR_SET,
    SUBSCRIPTION,
    ObjectKind,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Result

Object = Mapping[str, t.Any]

CATALOGS = (CATALOG_SOURCE, CLUSTER_CATALOG)
KINDS = (*CATALOGS, IMAGE_DIGEST_MIRROR_SET, IMAGE_TAG_MIRROR_SET)


def ensure_catalogs(client: ClusterClient, options: Mapping[str, t.Any]) -> Result:
    """Bring ``objects`` into ``state``, present or absent. Everything is checked before anything is written.

    With ``prune``, catalogs of other bundles are removed, except those that a Subscription names. Raises
    InvalidInputError for other objects and for those of others, MissingRequirementError, ApiError.
    """
    state = options["state"]
    wanted = [_checked(one) for one in options["objects"]]
    before = [_existing(client, one, state) for one in wanted]
    earlier = _earlier(client, wanted) if options["prune"] else []
    used = _in_use(client, earlier)
    obsolete = [one for one in earlier if one not in used]
    after = [_written(client, one, found, state) for one, found in zip(wanted, before)]
    after += [_written(client, one, one, "absent") for one in obsolete]
    changed = [(old, new) for old, new in zip([*before, *obsolete], after) if differ(old, new)]
    shown = [difference(old, new) for old, new in changed]
    diff = {side: {_title(one["before"] or one["after"]): one[side] for one in shown} for side in ("before", "after")}
    found = {"objects": [_title(one) for one in after if one], "in_use": [_title(one) for one in used]}
    return Result(bool(changed), found, None if changed else (), diff if changed else None)


def _checked(found: t.Any) -> Object:
    document = found if isinstance(found, dict) else {}
    kind = ObjectKind(str(document.get("apiVersion")), str(document.get("kind")))
    metadata = document.get("metadata")
    if kind not in KINDS or not isinstance(metadata, dict) or not metadata.get("name"):
        raise InvalidInputError(
            "apply the catalogs of a bundle",
            on=f"{kind} {str((metadata or {}).get('name')) if isinstance(metadata, dict) else ''}"[:200],
            seen="it is not a named object of one of the kinds " + ", ".join(kind.kind for kind in KINDS),
            advice="Use the objects that release_bundle_info returns.",
        )
    return document


def _existing(client: ClusterClient, wanted: Object, state: str) -> Object:
    kind = ObjectKind(wanted["apiVersion"], wanted["kind"])
    if not client.serves(kind):
        if state == "absent":
            return {}
        raise MissingRequirementError(
            "apply the catalogs of a bundle",
            on=client.access.server,
            seen=f"the cluster does not serve {kind}",
            advice="Use CatalogSources for OLM, or ClusterCatalogs for OLM v1, whichever the cluster has.",
        )
    found = client.get(kind, wanted["metadata"]["name"], wanted["metadata"].get("namespace")) or {}
    if found and (found["metadata"].get("labels") or {}).get(PART_OF_LABEL) != PART_OF:
        raise InvalidInputError(
            "change an object of a bundle",
            on=_title(found),
            seen=f"it exists, and has no label {PART_OF_LABEL}={PART_OF}",
            advice="Rename or delete it, if it is not needed.",
        )
    return found


def _earlier(client: ClusterClient, wanted: Iterable[Object]) -> list[Object]:
    """Return the catalogs of other bundles, of the kinds and in the namespaces of those that are ``wanted``."""
    places = dict.fromkeys((ObjectKind(one["apiVersion"], one["kind"]), _namespace(one)) for one in wanted)
    names = {_title(one) for one in wanted}
    labels = f"{PART_OF_LABEL}={PART_OF}"
    found = (
        client.list_objects(kind, namespace, labels=labels, missing_ok=True)
        for kind, namespace in places
        if kind in CATALOGS
    )
    return [one for listed in found for one in listed if _title(one) not in names]


def _in_use(client: ClusterClient, earlier: list[Object]) -> list[Object]:
    """Return the CatalogSources among ``earlier`` that a Subscription names."""
    sources = [one for one in earlier if one["kind"] == CATALOG_SOURCE.kind]
    specs = [one.get("spec") or {} for one in client.list_objects(SUBSCRIPTION, missing_ok=True)] if sources else []
    named = {(spec.get("sourceNamespace"), spec.get("source")) for spec in specs}
    return [one for one in sources if (_namespace(one), one["metadata"]["name"]) in named]


def _written(client: ClusterClient, wanted: Object, found: Object, state: str) -> Object:
    if state == "present":
        return client.apply(wanted)
    if found:
        metadata = found["metadata"]
        kind = ObjectKind(found["apiVersion"], found["kind"])
        client.delete(kind, metadata["name"], metadata.get("namespace"), uid=metadata["uid"])
    return {}


def _namespace(found: Object) -> str | None:
    return t.cast("str | None", found["metadata"].get("namespace"))


def _title(found: Object) -> str:
    namespace = _namespace(found)
    return f"{found['kind']} {namespace + '/' if namespace else ''}{found['metadata']['name']}"
