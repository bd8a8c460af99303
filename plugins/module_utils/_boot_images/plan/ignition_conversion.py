# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""Stub Ignition configurations of specification 2 turned into specification 3.

Only what is known to mean the same in both is converted; anything else is an error with its place, and the stub stays
as it is. Source: https://coreos.github.io/ignition/migrating-configs/ and github.com/coreos/ign-converter, v24tov31.
"""

from __future__ import annotations

import copy
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
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.ignition_units import (
    converted_units,
    last_of_each,
)

TARGET_VERSION = "3.2.0"
"""Understood by every image since 4.7; the installer writes its own stubs in it."""

_SOURCES = ("source", "verification", "httpHeaders")
_USER = (
    "name",
    "passwordHash",
    "sshAuthorizedKeys",
    "uid",
    "gecos",
    "homeDir",
    "noCreateHome",
    "primaryGroup",
    "groups",
    "noUserGroup",
    "noLogInit",
    "shell",
    "system",
)
_GROUP = ("name", "gid", "passwordHash", "system")
_NODE = ("filesystem", "path", "user", "group", "overwrite")


def converted(document: Document, secret: str) -> dict[str, t.Any]:
    """Return ``document``, of specification 2.x, as specification 3; raise UserDataError where that cannot be."""
    try:
        known = _only(document, "", "ignition", "passwd", "storage", "systemd", "networkd")
        if known.get("networkd"):
            raise _unknown("networkd")
        parts = {
            "ignition": _ignition(mapping_at(known, "ignition")),
            "passwd": _passwd(mapping_at(known, "passwd")),
            "storage": _storage(mapping_at(known, "storage")),
            "systemd": converted_units(mapping_at(known, "systemd")),
        }
    except MalformedError as error:
        raise UserDataError(
            "convert a stub to Ignition specification 3",
            on=f"Secret {secret}",
            seen=f"{error.on}: {error.seen}",
            advice="It was customised: convert it by hand, or put what it adds into a MachineConfig.",
        ) from error
    return {name: part for name, part in parts.items() if part}


def _ignition(found: Document) -> dict[str, t.Any]:
    known = _only(found, "ignition", "version", "config", "timeouts", "security", "proxy")
    if not str(known.get("version", "")).startswith("2."):
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
    for name, parts in (("timeouts", ("httpResponseHeaders", "httpTotal")), ("proxy", _PROXY)):
        part = _only(mapping_at(known, name), f"ignition.{name}", *parts)
        if part:
            new[name] = part
    return new


_PROXY = ("httpProxy", "httpsProxy", "noProxy")


def _authorities(ignition: Document) -> list[dict[str, t.Any]]:
    security = _only(mapping_at(ignition, "security"), "ignition.security", "tls")
    tls = _only(mapping_at(security, "tls"), "ignition.security.tls", "certificateAuthorities")
    place = "ignition.security.tls.certificateAuthorities"
    found = [_resource(one, place) for one in list_at(tls, "certificateAuthorities")]
    return last_of_each(found, "source")


def _passwd(found: Document) -> dict[str, t.Any]:
    known = _only(found, "passwd", "users", "groups")
    users = [_only(one, "passwd.users", *_USER) for one in list_at(known, "users")]
    groups = [_only(one, "passwd.groups", *_GROUP) for one in list_at(known, "groups")]
    parts = {"users": last_of_each(users, "name"), "groups": last_of_each(groups, "name")}
    return {name: part for name, part in parts.items() if part}


def _storage(found: Document) -> dict[str, t.Any]:
    known = _only(found, "storage", "files", "directories", "links", "disks", "raid", "filesystems")
    for name in ("disks", "raid", "filesystems"):
        if known.get(name):
            raise _unknown(f"storage.{name}")
    parts = {
        "files": [_file(one) for one in list_at(known, "files")],
        "directories": [_node(one, "storage.directories", "mode") for one in list_at(known, "directories")],
        "links": [_node(one, "storage.links", "hard", "target") for one in list_at(known, "links")],
    }
    return {name: last_of_each(part, "path") for name, part in parts.items() if part}


def _file(found: object) -> dict[str, t.Any]:
    node = _node(found, "storage.files", "append", "contents", "mode")
    contents = _only(node.pop("contents", None), "storage.files.contents", *_SOURCES, "compression")
    if node.pop("append", None):
        node.pop("overwrite", None)
        return {**node, "append": [contents]}
    # Specification 2 overwrites unless told not to, specification 3 does not unless told to.
    return {"overwrite": True, **node, "contents": contents} if contents else {"overwrite": True, **node}


def _node(found: object, place: str, *names: str) -> dict[str, t.Any]:
    node = _only(found, place, *_NODE, *names)
    if node.pop("filesystem", "root") != "root":
        raise _unknown(f"{place}.filesystem")
    return node


def _resource(found: object, place: str) -> dict[str, t.Any]:
    resource = _only(found, place, *_SOURCES)
    if not isinstance(resource.get("source"), str):
        raise _unknown(f"{place}.source")
    return resource


def _only(found: object, place: str, *names: str) -> dict[str, t.Any]:
    """Return a copy of a mapping without what is null or empty; anything beside ``names`` is an error."""
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
        "convert a stub", on=place[:200], seen="this cannot be converted", advice="Convert it by hand."
    )
