# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What differs between two states of an object, without the server's bookkeeping and without secret content."""

from __future__ import annotations

import copy
import typing as t
from collections.abc import Mapping

_BOOKKEEPING = ("managedFields", "resourceVersion", "generation", "uid", "creationTimestamp", "selfLink")
_LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"
_SECRET_PARTS = ("data", "stringData")


def meaningful(found: Mapping[str, t.Any] | None) -> dict[str, t.Any]:
    """Return ``found`` without what the server keeps for itself; an absent object is an empty one.

    Left out are managedFields, resourceVersion, generation, uid, creationTimestamp and the annotation in which
    ``kubectl apply`` keeps a copy of the object. The content of Secrets is still there: never show this.
    """
    if not found:
        return {}
    kept = copy.deepcopy(dict(found))
    metadata = kept.get("metadata")
    if isinstance(metadata, dict):
        for name in _BOOKKEEPING:
            metadata.pop(name, None)
        annotations = metadata.get("annotations")
        if isinstance(annotations, dict):
            annotations.pop(_LAST_APPLIED, None)
            if not annotations:
                del metadata["annotations"]
    return kept


def differ(before: Mapping[str, t.Any] | None, after: Mapping[str, t.Any] | None) -> bool:
    """Return whether two states of an object differ in anything that means something."""
    return meaningful(before) != meaningful(after)


def difference(before: Mapping[str, t.Any] | None, after: Mapping[str, t.Any] | None) -> dict[str, dict[str, t.Any]]:
    """Return both states as Ansible's ``diff`` shows them; of a Secret only which keys differ can be seen."""
    old, new = meaningful(before), meaningful(after)
    for part in _SECRET_PARTS:
        old_content, new_content = old.get(part), new.get(part)
        if _is_secret(old) and isinstance(old_content, dict):
            old[part] = _masked(old_content, new_content, "hidden, value before")
        if _is_secret(new) and isinstance(new_content, dict):
            new[part] = _masked(new_content, old_content, "hidden, value after")
    return {"before": old, "after": new}


def _is_secret(found: Mapping[str, t.Any]) -> bool:
    return found.get("kind") == "Secret"


def _masked(content: Mapping[str, t.Any], other: object, when_different: str) -> dict[str, str]:
    counterpart = other if isinstance(other, dict) else {}
    same = {key for key, value in content.items() if key in counterpart and counterpart[key] == value}
    return {key: "hidden, unchanged" if key in same else when_different for key in content}
