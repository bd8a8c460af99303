# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Lists of objects: read in pages, whole, and as of one moment."""

from __future__ import annotations

import typing as t
from collections.abc import Callable, Iterator
from dataclasses import replace

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.api_error import ApiError
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.calls import Call
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import ObjectKind

PAGE_SIZE = 500
"""Objects in one page of a list; kubectl asks for as many."""

Object = dict[str, t.Any]


def list_call(
    kind: ObjectKind, namespace: str | None = None, *, labels: str = "", fields: str = "", page_size: int = PAGE_SIZE
) -> Call:
    """Return the call for the objects of one namespace, or of all, that match the selectors."""
    query = (("labelSelector", labels), ("fieldSelector", fields), ("limit", str(page_size)))
    return Call("list", kind, namespace=namespace, query=tuple((name, value) for name, value in query if value))


def whole_listing(call: Call, ask: Callable[[Call], Object]) -> list[Object]:
    """Return all objects that ``call`` lists; ``ask`` returns the page that a call asks for, or raises ApiError.

    When the server no longer remembers the state of the first page (410 Expired), the whole list is read once more
    from the beginning.
    """
    try:
        return _joined(call, ask)
    except ApiError as error:
        if error.status != 410:
            raise
        return _joined(call, ask)


def _joined(call: Call, ask: Callable[[Call], Object]) -> list[Object]:
    items: list[Object] = []
    for page in _pages(call, ask):
        # Items of the lists of built-in kinds do not say what they are.
        kind = {"apiVersion": call.kind.api_version, "kind": call.kind.kind}
        items += [{**kind, **item} for item in page.get("items") or []]
    return items


def _pages(call: Call, ask: Callable[[Call], Object]) -> Iterator[Object]:
    token = ""
    while True:
        page = ask(replace(call, query=(*call.query, ("continue", token))) if token else call)
        yield page
        token = (page.get("metadata") or {}).get("continue") or ""
        if not token:
            return
