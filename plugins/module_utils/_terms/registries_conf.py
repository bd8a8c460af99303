# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.
"""A registries.conf: containers-registries.conf(5), version 2.

Short names, and the keys that are about them, have no meaning here: images are always named in full.
"""

from __future__ import annotations

import importlib
import importlib.util
import typing as t
from collections.abc import Mapping
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import (
    InvalidInputError,
    MissingRequirementError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.mirror_rules import (
    ALL,
    BY_DIGEST,
    BY_TAG,
    Mirror,
    MirrorRule,
    MirrorRules,
    location_in,
)

_AUTH_FILES = "containers-auth.json"
"""Stands for the files with logins in the list of credential helpers."""


@dataclass(frozen=True)
class RegistriesConf:
    """What one file, or several that were joined, say."""

    rules: MirrorRules
    credential_helpers: tuple[str, ...] = ()

    @classmethod
    def parse(cls, text: str, *, on: str = "registries.conf") -> RegistriesConf:
        """Return what the document ``text`` says; raise InvalidInputError for any other form."""
        return cls.of(_toml(text.removeprefix("\ufeff"), on), on=on)

    @classmethod
    def of(cls, document: Mapping[str, t.Any], *, on: str = "registries.conf") -> RegistriesConf:
        """Return what the parsed ``document`` says; raise InvalidInputError for any other form."""
        entries = document.get("registry", [])
        if not isinstance(entries, list) or "registries" in document:
            raise _refusal(on, "it is not of version 2, with [[registry]] tables")
        helpers = document.get("credential-helpers", [])
        if not isinstance(helpers, list) or not all(isinstance(helper, str) for helper in helpers):
            raise _refusal(on, "credential-helpers is not a list of strings")
        return cls(
            MirrorRules(tuple(_rule(entry, f"{on}: registry {number}") for number, entry in enumerate(entries, 1))),
            tuple(helper for helper in helpers if helper != _AUTH_FILES),
        )

    def joined(self, later: RegistriesConf) -> RegistriesConf:
        """Return both, where ``later`` counts if they are about the same prefix or key."""
        return RegistriesConf(self.rules.joined(later.rules), later.credential_helpers or self.credential_helpers)


def _rule(entry: object, on: str) -> MirrorRule:
    if not isinstance(entry, dict):
        raise _refusal(on, "it is not a table")
    insecure = _flag(entry, "insecure", on)
    location = location_in(_text(entry, "location", on), insecure=insecure, on=on)
    prefix = location_in(_text(entry, "prefix", on), insecure=insecure, on=on)
    if not location and not prefix:
        raise _refusal(on, "it has neither a location nor a prefix")
    mirrors = entry.get("mirror", [])
    if not isinstance(mirrors, list) or not all(isinstance(mirror, dict) for mirror in mirrors):
        raise _refusal(on, "its mirrors are not tables")
    pulls = BY_DIGEST if _flag(entry, "mirror-by-digest-only", on) else ALL
    return MirrorRule(
        prefix=prefix or location,
        location=location,
        insecure=insecure,
        blocked=_flag(entry, "blocked", on),
        mirrors=tuple(_mirror(mirror, pulls, on) for mirror in mirrors),
    )


def _mirror(entry: Mapping[str, t.Any], pulls: str, on: str) -> Mirror:
    insecure = _flag(entry, "insecure", on)
    location = location_in(_text(entry, "location", on), insecure=insecure, on=on)
    if not location:
        raise _refusal(on, "one of its mirrors has no location")
    chosen = _text(entry, "pull-from-mirror", on) or pulls
    if chosen not in (ALL, BY_DIGEST, BY_TAG):
        raise _refusal(on, f"pull-from-mirror is {chosen[:40]!r}")
    return Mirror(location, insecure, chosen)


def _text(entry: Mapping[str, t.Any], key: str, on: str) -> str:
    value = entry.get(key, "")
    if not isinstance(value, str):
        raise _refusal(on, f"{key} is not a string")
    return value


def _flag(entry: Mapping[str, t.Any], key: str, on: str) -> bool:
    value = entry.get(key, False)
    if not isinstance(value, bool):
        raise _refusal(on, f"{key} is neither true nor false")
    return value


def _toml(text: str, on: str) -> dict[str, t.Any]:
    library = _toml_library()
    try:
        document: dict[str, t.Any] = library.loads(text)
    except (library.TOMLDecodeError, RecursionError) as error:
        raise _refusal(on, f"it is not TOML: {error}") from error
    return document


def _toml_library() -> t.Any:
    for name in ("tomllib", "tomli"):
        if importlib.util.find_spec(name) is not None:
            return importlib.import_module(name)
    raise MissingRequirementError(
        "read registries.conf",
        on="this Python",
        seen="it is older than 3.11 and has no TOML library",
        advice="Install the Python package tomli, or specify the mirrors as options instead of a file.",
    )


def _refusal(on: str, seen: str) -> InvalidInputError:
    return InvalidInputError(
        "read the mirror rules",
        on=on,
        seen=seen,
        advice="Use the format of containers-registries.conf(5), with [[registry]] and [[registry.mirror]] tables.",
    )
