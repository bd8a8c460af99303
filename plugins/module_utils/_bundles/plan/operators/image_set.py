# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""An ImageSetConfiguration of oc-mirror as options of a build, so that one file serves both tools.

Source: openshift/oc-mirror ``v1/pkg/api/v1alpha2`` and ``internal/pkg/api/v2alpha1``, ImageSetConfigurationSpec.
"""

from __future__ import annotations

import typing as t
from collections.abc import Iterator
from dataclasses import dataclass, field

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.image_set_releases import (
    RequestedReleases,
    requested_releases,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

Json = dict[str, t.Any]

VERSIONS = ("mirror.openshift.io/v1alpha2", "mirror.openshift.io/v2alpha1")
_RANGE: dict[str, t.Any] = {"name": {}, "minVersion": {}, "maxVersion": {}}
_READ: dict[str, t.Any] = {
    "apiVersion": {},
    "kind": {},
    "metadata": None,
    "mirror": {
        "platform": {"architectures": {}, "channels": [{**_RANGE, "type": {}, "shortestPath": {}}]},
        "operators": [
            {"catalog": {}, "packages": [{**_RANGE, "defaultChannel": {}, "channels": [_RANGE]}]},
        ],
        "additionalImages": [{"name": {}}],
        "blockedImages": [{"name": {}}],
    },
}
"""The keys that are read: mappings and lists of mappings within each other, {} for a value, None for anything."""


@dataclass(frozen=True)
class ImageSet:
    """What the configuration asks for. ``operators`` has the form of the option of this name.

    ``passed_over`` are the dotted names of keys with a value that have no effect, in their order. ``differences`` say
    what oc-mirror would include besides.
    """

    releases: RequestedReleases = field(default_factory=RequestedReleases)
    architectures: tuple[str, ...] = ()
    operators: tuple[Json, ...] = ()
    extra_images: tuple[str, ...] = ()
    blocked_images: tuple[str, ...] = ()
    passed_over: tuple[str, ...] = ()
    differences: tuple[str, ...] = ()


def read_image_set(document: t.Any, *, on: str) -> ImageSet:
    """Return the configuration; raise InvalidInputError for a document of another kind, version or structure."""
    if not isinstance(document, dict) or document.get("kind") != "ImageSetConfiguration":
        raise _refusal(on, "it is not an ImageSetConfiguration")
    if document.get("apiVersion", VERSIONS[0]) not in VERSIONS:
        raise _refusal(on, f"its apiVersion is {str(document['apiVersion'])[:60]!r}, not one of {', '.join(VERSIONS)}")
    unread = list(_unread(document, _READ, "", on))
    mirror = document.get("mirror") or {}
    platform = mirror.get("platform") or {}
    releases = requested_releases(platform.get("channels") or [])
    operators = [
        (f"mirror.operators[{at}]", _operator(one, f"{on}: mirror.operators[{at}]"))
        for at, one in enumerate(mirror.get("operators") or [])
    ]
    return ImageSet(
        releases=releases,
        architectures=tuple(str(one) for one in platform.get("architectures") or ()),
        operators=tuple(one for _path, one in operators if one["packages"]),
        extra_images=tuple(_names(mirror, "additionalImages", on)),
        blocked_images=tuple(_names(mirror, "blockedImages", on)),
        passed_over=tuple(
            dict.fromkeys(
                [
                    *unread,
                    *releases.passed_over,
                    *(f"{path} without packages" for path, one in operators if not one["packages"]),
                ]
            )
        ),
        differences=(
            *releases.differences,
            *(
                f"{path}: of a range with maxVersion and without minVersion, only the newest version is included"
                for path, one in operators
                if any(map(_is_open, one["packages"]))
            ),
        ),
    )


def _unread(document: Json, read: Json, path: str, on: str) -> Iterator[str]:
    """Yield the names of keys with a value that are not read; one of the wrong type is refused."""
    for key, value in document.items():
        name = f"{path}.{str(key)[:100]}".lstrip(".")
        if not value or read.get(key, "") is None:
            continue
        inner = read.get(key)
        if inner is None:
            yield name
        elif isinstance(inner, list):
            for entry in _entries(value, name, on):
                yield from _unread(entry, inner[0], f"{name}[]", on)
        elif inner:
            if not isinstance(value, dict):
                raise _refusal(on, f"{name} is not a mapping")
            yield from _unread(value, inner, name, on)


def _entries(value: t.Any, name: str, on: str) -> list[Json]:
    if not isinstance(value, list):
        raise _refusal(on, f"{name} is not a list")
    if not all(isinstance(entry, dict) for entry in value):
        raise _refusal(on, f"an entry of {name} is not a mapping")
    return value


def _is_open(package: Json) -> bool:
    ranges = package["channels"] or [package]
    return any(
        (one["max_version"] or package["max_version"]) and not (one["min_version"] or package["min_version"])
        for one in ranges
    )


def _operator(entry: Json, on: str) -> Json:
    catalog = entry.get("catalog")
    if not catalog or not isinstance(catalog, str):
        raise _refusal(on, "it has no catalog")
    packages = [_package(one, on) for one in entry.get("packages") or ()]
    return {"catalog": catalog.removeprefix("docker://"), "packages": packages, "complete": False}


def _package(entry: Json, on: str) -> Json:
    return {
        "name": _name(entry, f"{on}.packages"),
        "channel": None,
        "version": None,
        "min_version": _text(entry.get("minVersion")),
        "max_version": _text(entry.get("maxVersion")),
        "default_channel": _text(entry.get("defaultChannel")),
        "channels": [
            {
                "name": _name(one, f"{on}.packages[].channels"),
                "min_version": _text(one.get("minVersion")),
                "max_version": _text(one.get("maxVersion")),
            }
            for one in entry.get("channels") or ()
        ],
    }


def _names(mirror: Json, key: str, on: str) -> list[str]:
    return [_name(entry, f"{on}: mirror.{key}") for entry in mirror.get(key) or ()]


def _name(entry: Json, on: str) -> str:
    name = entry.get("name")
    if not name or not isinstance(name, str):
        raise _refusal(on, "an entry has no name")
    return name


def _text(value: t.Any) -> str | None:
    return str(value) if value else None


def _refusal(on: str, seen: str) -> InvalidInputError:
    return InvalidInputError(
        "read the image set configuration", on=on, seen=seen, advice="Use the format of the oc-mirror documentation."
    )
