# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Values inside documents that others wrote: absent is empty, and of the wrong type is an error with its place."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.errors import MalformedError

Document = t.Mapping[str, t.Any]


def mapping_at(document: object, *path: str) -> Document:
    """Return the mapping at ``path``, empty where it is absent; raise MalformedError for anything else there."""
    found = _found(document, path)
    if found is None:
        return {}
    if not isinstance(found, Mapping):
        raise malformed(path, found, "a mapping")
    return found


def text_at(document: object, *path: str) -> str:
    """Return the text at ``path``, empty where it is absent; raise MalformedError for anything else there."""
    found = _found(document, path)
    if found is None:
        return ""
    if not isinstance(found, str):
        raise malformed(path, found, "a string")
    return found


def list_at(document: object, *path: str) -> list[t.Any]:
    """Return the list at ``path``, empty where it is absent; raise MalformedError for anything else there."""
    found = _found(document, path)
    if found is None:
        return []
    if not isinstance(found, list):
        raise malformed(path, found, "a list")
    return found


def malformed(path: tuple[str, ...], seen: object, wanted: str) -> MalformedError:
    """Return the error for a value that is not what is ``wanted`` at ``path``."""
    return MalformedError(
        "read a document",
        on=".".join(path) or "the document",
        seen=f"{type(seen).__name__!s} instead of {wanted}",
        advice="Correct it at its source, then run this again.",
    )


def _found(document: object, path: tuple[str, ...]) -> object:
    for position, key in enumerate(path):
        if document is None:
            return None
        if not isinstance(document, Mapping):
            raise malformed(path[:position], document, "a mapping")
        document = document.get(key)
    return document
