# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Stub Ignition configurations of specification 2 turned into specification 3.

Exactly the form that installers before 4.6 wrote is converted: where the rest of the configuration is, its certificate
authorities and timeouts. Anything more was added manually: it is an error with its place, and the stub stays as it is.
Source: openshift/installer, pkg/asset/ignition/machine/node.go of 4.1 to 4.5 (pointerIgnitionConfig), and
https://coreos.github.io/ignition/migrating-configs/.
"""

from __future__ import annotations

import copy
import re
import typing as t
from collections.abc import Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.errors import (
    MalformedError,
    UserDataError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.documents import (
    Document,
    list_at,
    mapping_at,
)

TARGET_VERSION = "3.2.0"
"""Understood by every image since 4.7; the installer writes its own stubs in it."""

_READ_VERSIONS = ("2.2.0", "2.3.0", "2.4.0")
"""Those that know certificate authorities; the installer wrote the first one."""

_SOURCE = re.compile(r"(https?|tftp|s3)://.+|data:[^,]*,.*", re.ASCII)
_HASH = re.compile(r"sha512-[0-9a-fA-F]{128}", re.ASCII)
"""What both specifications accept. Of anything else Ignition would only say at first boot that it is not valid."""

_EMPTY = ("networkd", "passwd", "storage", "systemd")
"""Parts that the installer left empty."""


def converted(document: Document, secret: str) -> dict[str, t.Any]:
    """Return ``document``, of specification 2.x, as specification 3; raise UserDataError where that cannot be."""
    try:
        known = _only(document, "", "ignition", *_EMPTY)
        for name in _EMPTY:
            _only(known.get(name), name)
        return {"ignition": _ignition(mapping_at(known, "ignition"))}
    except MalformedError as error:
        raise UserDataError(
            "convert a stub to Ignition specification 3",
            on=f"Secret {secret}",
            seen=f"{error.on}: {error.seen}",
            advice="Convert it manually, or move its additions to a MachineConfig. It was customized.",
        ) from error


def _ignition(found: Document) -> dict[str, t.Any]:
    known = _only(found, "ignition", "version", "config", "timeouts", "security")
    if known.get("version") not in _READ_VERSIONS:
        raise _unknown("ignition.version")
    config = _only(mapping_at(known, "config"), "ignition.config", "append", "replace")
    new: dict[str, t.Any] = {"version": TARGET_VERSION}
    merged = [_resource(one, "ignition.config.append") for one in list_at(config, "append")]
    replaced = mapping_at(config, "replace")
    sources = {"merge": merged, "replace": _resource(replaced, "ignition.config.replace") if replaced else {}}
    kept = {name: part for name, part in sources.items() if part}
    if kept:
        new["config"] = kept
    authorities = _authorities(known)
    if authorities:
        new["security"] = {"tls": {"certificateAuthorities": authorities}}
    timeouts = _timeouts(known)
    return {**new, "timeouts": timeouts} if timeouts else new


def _timeouts(ignition: Document) -> dict[str, t.Any]:
    seconds = _only(mapping_at(ignition, "timeouts"), "ignition.timeouts", "httpResponseHeaders", "httpTotal")
    for name, value in seconds.items():
        if not isinstance(value, int) or isinstance(value, bool):
            raise _unknown(f"ignition.timeouts.{name}")
    return seconds


def _authorities(ignition: Document) -> list[dict[str, t.Any]]:
    security = _only(mapping_at(ignition, "security"), "ignition.security", "tls")
    tls = _only(mapping_at(security, "tls"), "ignition.security.tls", "certificateAuthorities")
    place = "ignition.security.tls.certificateAuthorities"
    found = {one["source"]: one for one in (_resource(each, place) for each in list_at(tls, "certificateAuthorities"))}
    # Specification 3 refuses one that is named twice.
    return list(found.values())


def _resource(found: object, place: str) -> dict[str, t.Any]:
    resource = _only(found, place, "source", "verification")
    if not _SOURCE.fullmatch(str(resource.get("source"))):
        raise _unknown(f"{place}.source")
    verification = _only(resource.get("verification"), f"{place}.verification", "hash")
    if verification and not _HASH.fullmatch(str(verification["hash"])):
        raise _unknown(f"{place}.verification.hash")
    return resource


def _only(found: object, place: str, *names: str) -> dict[str, t.Any]:
    """Return a copy of a mapping without what is null or empty; anything besides ``names`` is an error."""
    kept = {}
    for name, value in mapping_at(found).items():
        if value is None or (isinstance(value, (Mapping, list, str)) and not value):
            continue
        if name not in names:
            raise _unknown(f"{place}.{name}".strip("."))
        kept[name] = copy.deepcopy(value)
    return kept


def _unknown(place: str) -> MalformedError:
    return MalformedError(
        "convert a stub", on=place[:200], seen="this part cannot be converted", advice="Convert it manually."
    )
