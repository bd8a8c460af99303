# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.
"""Mirrors as a cluster declares them: ImageDigestMirrorSet, ImageTagMirrorSet and ImageContentSourcePolicy.

Several of them about one source make one rule, rendered as the machine-config operator renders it for CRI-O.
Source: openshift/api ``config/v1`` and ``operator/v1alpha1``, openshift/runtime-utils ``pkg/registries``.
"""

from __future__ import annotations

import re
import typing as t
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.mirror_rules import (
    BY_DIGEST,
    BY_TAG,
    Mirror,
    MirrorRule,
    MirrorRules,
    location_in,
)

_CONFIG = "config.openshift.io/v1"
_KINDS: t.Final[dict[str, tuple[str, str, str]]] = {
    "ImageDigestMirrorSet": (_CONFIG, "imageDigestMirrors", BY_DIGEST),
    "ImageTagMirrorSet": (_CONFIG, "imageTagMirrors", BY_TAG),
    "ImageContentSourcePolicy": ("operator.openshift.io/v1alpha1", "repositoryDigestMirrors", BY_DIGEST),
}
_LISTS = ("List", *(f"{kind}List" for kind in _KINDS))
_POLICIES = ("", "AllowContactingSource", "NeverContactSource")
_MANIFEST = re.compile(r"^\s*(?:-\s+)?[\"']?(?:apiVersion|kind)[\"']?\s*:", re.MULTILINE)


@dataclass
class _Source:
    """What all documents together define for one source: the mirrors of each kind, as lists in their order."""

    blocked: bool = False
    chains: dict[str, list[list[str]]] = field(default_factory=lambda: {BY_DIGEST: [], BY_TAG: []})


def is_manifest(text: str) -> bool:
    """Whether ``text`` looks like a manifest in YAML or JSON, which no TOML document does."""
    return text.lstrip("\ufeff \t\r\n").startswith("{") or _MANIFEST.search(text.lstrip("\ufeff")) is not None


def mirror_sets(documents: Sequence[object], *, on: str) -> MirrorRules:
    """Return the rules in ``documents``, lists of objects among them.

    Raise InvalidInputError naming the document and the field for anything else.
    """
    sources: dict[str, _Source] = {}
    for number, document in enumerate(documents, 1):
        if document is not None:
            for one, name in _objects(document, f"{on}: document {number}"):
                _collect(one, name, sources)
    return MirrorRules(tuple(_rule(source, found) for source, found in sorted(sources.items())))


def _objects(document: object, name: str) -> Iterator[tuple[Mapping[str, t.Any], str]]:
    if not isinstance(document, dict):
        raise _refusal(name, "it is not an object with apiVersion and kind")
    if document.get("kind") not in _LISTS:
        yield document, name
        return
    items = document.get("items")
    if not isinstance(items, list):
        raise _refusal(f"{name}, items", "it is not a list")
    for number, item in enumerate(items):
        if not isinstance(item, dict):
            raise _refusal(f"{name}, items[{number}]", "it is not an object with apiVersion and kind")
        yield item, f"{name}, items[{number}]"


def _collect(document: Mapping[str, t.Any], name: str, sources: dict[str, _Source]) -> None:
    kind = document.get("kind")
    if not isinstance(kind, str) or kind not in _KINDS:
        raise _refusal(f"{name}, kind", f"it is {_shown(kind)}")
    version, key, pulls = _KINDS[kind]
    if document.get("apiVersion") != version:
        raise _refusal(f"{name}, apiVersion", f"it is not {version}, the one of {kind}")
    spec = document.get("spec") or {}
    entries = (spec.get(key) or []) if isinstance(spec, dict) else None
    if not isinstance(entries, list):
        raise _refusal(f"{name} ({kind}), spec.{key}", "it is not a list")
    for number, entry in enumerate(entries):
        _collect_entry(entry, f"{name} ({kind}), spec.{key}[{number}]", pulls, sources)


def _collect_entry(entry: object, name: str, pulls: str, sources: dict[str, _Source]) -> None:
    if not isinstance(entry, dict):
        raise _refusal(name, "it is not a mapping")
    source = _location(entry.get("source"), f"{name}.source")
    listed = entry.get("mirrors") or []
    if not isinstance(listed, list):
        raise _refusal(f"{name}.mirrors", "it is not a list")
    mirrors = [_location(mirror, f"{name}.mirrors[{number}]") for number, mirror in enumerate(listed)]
    policy = entry.get("mirrorSourcePolicy") or ""
    if policy not in _POLICIES:
        raise _refusal(f"{name}.mirrorSourcePolicy", f"it is {_shown(policy)}")
    # Without a mirror other than the source itself the operator passes over the entry, its policy included.
    if set(mirrors) - {source}:
        found = sources.setdefault(source, _Source())
        found.blocked = found.blocked or policy == "NeverContactSource"
        found.chains[pulls].append(mirrors)


def _location(value: object, name: str) -> str:
    if not isinstance(value, str) or not value:
        raise _refusal(name, "it is not the name of a registry or repository")
    return location_in(value, insecure=False, on=name)


def _rule(source: str, found: _Source) -> MirrorRule:
    mirrors = [
        Mirror(location, pulls=pulls) for pulls, chains in found.chains.items() for location in _merged(source, chains)
    ]
    return MirrorRule(source, blocked=found.blocked, mirrors=tuple(mirrors))


def _merged(source: str, chains: Sequence[Sequence[str]]) -> list[str]:
    """Return the mirrors of all ``chains``, each before those that follow it in any of them as far as possible.

    The source stands at the end unless a chain says otherwise, and is left out there: it is asked last anyway.
    """
    before: dict[str, set[str]] = {}
    for chain in chains:
        ordered = [*chain, *(() if source in chain else (source,))]
        for earlier, later in zip(ordered, ordered[1:]):
            before.setdefault(earlier, set())
            before.setdefault(later, set()).add(earlier)
    ordered = _sorted(before)
    return ordered[:-1] if ordered and ordered[-1] == source else ordered


def _sorted(before: Mapping[str, set[str]]) -> list[str]:
    """Sort topologically: what is free at the same time by name, and a circle broken at its first name."""
    waiting = {name: set(names) for name, names in before.items()}
    free = sorted(name for name, names in waiting.items() if not names)
    found: list[str] = []
    while waiting:
        name = free.pop(0) if free else min(waiting)
        del waiting[name]
        found.append(name)
        for names in waiting.values():
            names.discard(name)
        known = set(free)
        free += sorted(other for other, names in waiting.items() if not names and other not in known)
    return found


def _shown(value: object) -> str:
    # A few lines of YAML with aliases can stand for gigabytes of text.
    return repr(value[:60]) if isinstance(value, str) else f"a {type(value).__name__} instead of a string"


def _refusal(on: str, seen: str) -> InvalidInputError:
    return InvalidInputError(
        "read the mirror rules",
        on=on,
        seen=seen,
        advice=f"Specify objects of the kinds {', '.join(_KINDS)}, as 'oc get -o yaml' shows them.",
    )
