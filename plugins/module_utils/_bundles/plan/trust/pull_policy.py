# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Containers that are pulled at every start."""

from __future__ import annotations

import typing as t
from collections.abc import Iterator

_CONTAINERS = ("containers", "initContainers", "ephemeralContainers")
_DEEPEST = 40
_LONGEST = 300


def pulled_always(document: t.Any) -> list[dict[str, str]]:
    """Return kind, namespace, name, container and image of each container in ``document`` with pull policy Always.

    Containers are found wherever a pod template stands, also inside Lists and custom resources.
    """
    return list(_objects(document, {"kind": "", "namespace": "", "name": ""}, _DEEPEST))


def _objects(value: t.Any, owner: dict[str, str], depth: int) -> Iterator[dict[str, str]]:
    if depth == 0:
        return
    if isinstance(value, list):
        for entry in value:
            yield from _objects(entry, owner, depth - 1)
    elif isinstance(value, dict):
        owner = _owner(value) or owner
        for key, inner in value.items():
            if key in _CONTAINERS and isinstance(inner, list):
                yield from _containers(inner, owner)
            else:
                yield from _objects(inner, owner, depth - 1)


def _owner(value: dict[t.Any, t.Any]) -> dict[str, str] | None:
    kind, metadata = _text(value, "kind"), value.get("metadata")
    if not kind or not isinstance(metadata, dict) or not _text(metadata, "name"):
        return None
    return {"kind": kind, "namespace": _text(metadata, "namespace"), "name": _text(metadata, "name")}


def _containers(containers: list[t.Any], owner: dict[str, str]) -> Iterator[dict[str, str]]:
    for container in containers:
        if isinstance(container, dict) and container.get("imagePullPolicy") == "Always":
            yield {**owner, "container": _text(container, "name"), "image": _text(container, "image")}


def _text(value: dict[t.Any, t.Any], key: str) -> str:
    found = value.get(key)
    return found[:_LONGEST] if isinstance(found, str) else ""
