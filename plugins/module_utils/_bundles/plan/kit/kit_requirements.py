# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which packages a target needs: requirements joined, and those of wheels evaluated for the target.

pip evaluates the markers of requirements for the Python that runs it, whatever ``--python-version`` says
(pypa/pip issue 11010). A kit is made on one machine for many, so the markers are evaluated here.
"""

from __future__ import annotations

import email.parser
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.kit.kit_lock import KitTarget
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import (
    InvalidInputError,
    MissingRequirementError,
)

Requested = dict[str, tuple[str, tuple[str, ...]]]
"""By canonical name: the version specifiers that all requirements make together, and the extras."""

_PATCHES = (0, 99)
"""Of a Python such as 3.11 any patch release may be on the laptop: what one of them needs, the kit holds."""


@dataclass(frozen=True)
class WheelMetadata:
    """What a wheel says of itself in ``METADATA`` (core metadata specification of the PyPA)."""

    name: str
    version: str
    requires: tuple[str, ...]

    @classmethod
    def parse(cls, text: str) -> WheelMetadata:
        """Return the metadata in ``text``."""
        headers = email.parser.HeaderParser().parsestr(text)
        requires = tuple(map(str, headers.get_all("Requires-Dist", [])))
        return cls(canonical_name(headers["Name"]), headers["Version"], requires)


def canonical_name(name: str) -> str:
    """Return the name of a package as the Simple API compares it."""
    _require_packaging()
    from packaging.utils import canonicalize_name

    return str(canonicalize_name(name))


def lines_of(text: str) -> list[str]:
    """Return the requirements in a file such as ``requirements.txt``, without comments."""
    stripped = (line.partition("#")[0].strip() for line in text.splitlines())
    return [line for line in stripped if line]


def requested(wanted: Iterable[str], wheels: Mapping[str, WheelMetadata], target: KitTarget) -> Requested:
    """Return what ``target`` has to install for ``wanted``, as far as the known ``wheels`` show.

    Raises InvalidInputError for what is no requirement.
    """
    found: Requested = {}
    waiting = [(line, "") for line in wanted]
    seen = set(waiting)
    while waiting:
        line, extra = waiting.pop(0)
        name, specifier, extras = _read(line)
        if not _applies(line, target, extra):
            continue
        found[name] = _joined(found.get(name, ("", ())), specifier, extras)
        for one in ("", *found[name][1]):
            more = [(each, one) for each in wheels[name].requires] if name in wheels else []
            waiting += [each for each in more if each not in seen]
            seen.update(more)
    return found


def _joined(known: tuple[str, tuple[str, ...]], specifier: str, extras: set[str]) -> tuple[str, tuple[str, ...]]:
    parts = {part for part in (*known[0].split(","), *specifier.split(",")) if part}
    return ",".join(sorted(parts)), tuple(sorted({*known[1], *extras}))


def _read(line: str) -> tuple[str, str, set[str]]:
    _require_packaging()
    from packaging.requirements import InvalidRequirement, Requirement

    try:
        one = Requirement(line)
    except InvalidRequirement as error:
        raise InvalidInputError(
            "read a requirement",
            on=line[:200],
            seen=str(error).splitlines()[0],
            advice="Specify packages as in 'kubernetes>=28.1.0'.",
        ) from error
    return canonical_name(one.name), str(one.specifier), set(one.extras)


def _applies(line: str, target: KitTarget, extra: str) -> bool:
    from packaging.requirements import Requirement

    marker = Requirement(line).marker
    return marker is None or any(marker.evaluate(_environment(target, patch, extra)) for patch in _PATCHES)


def _environment(target: KitTarget, patch: int, extra: str) -> dict[str, str]:
    """Return the values of all markers; source: dependency specifiers, "Environment Markers"."""
    full = f"{target.python}.{patch}"
    return {
        "extra": extra,
        "implementation_name": "cpython",
        "implementation_version": full,
        "os_name": "posix",
        "platform_machine": target.machine,
        "platform_python_implementation": "CPython",
        "platform_release": "",
        "platform_system": "Linux",
        "platform_version": "",
        "python_full_version": full,
        "python_version": target.python,
        "sys_platform": "linux",
    }


def _require_packaging() -> None:
    try:
        import packaging  # noqa: F401
    except ImportError as error:
        raise MissingRequirementError(
            "read requirements of Python packages",
            on="this machine",
            seen="the Python package packaging is not installed",
            advice="Install ansible-core with pip: it requires packaging.",
        ) from error
