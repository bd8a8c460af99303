# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""Which endpoints are asked for an image: containers-registries.conf(5), version 2, as mirror sets become it."""

from __future__ import annotations

import importlib
import importlib.util
import typing as t
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import (
    InvalidInputError,
    MissingRequirementError,
)

if t.TYPE_CHECKING:
    from collections.abc import Mapping

    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference

_BY_DIGEST, _BY_TAG = "digest-only", "tag-only"


@dataclass(frozen=True)
class Endpoint:
    """Where a repository can be asked for: ``name`` is ``host/repository`` there.

    ``insecure`` allows a certificate that no trusted CA issued, and plain HTTP.
    """

    name: str
    insecure: bool = False

    @property
    def host(self) -> str:
        """Return the host, with its port where one is given."""
        return self.name.partition("/")[0]

    @property
    def repository(self) -> str:
        """Return the repository on that host."""
        return self.name.partition("/")[2]


@dataclass(frozen=True)
class Mirror:
    """An endpoint that serves what another one holds; ``pulls`` is "all", "digest-only" or "tag-only"."""

    location: str
    insecure: bool = False
    pulls: str = "all"

    def serves(self, *, by_digest: bool) -> bool:
        """Whether it may be asked for this kind of reference."""
        return self.pulls == "all" or self.pulls == (_BY_DIGEST if by_digest else _BY_TAG)


@dataclass(frozen=True)
class MirrorRule:
    """What holds for every name below ``prefix``, ``*.domain`` included. ``location`` replaces the prefix."""

    prefix: str
    location: str
    insecure: bool = False
    blocked: bool = False
    mirrors: tuple[Mirror, ...] = ()

    def matched(self, name: str) -> str | None:
        """Return the part of ``name`` that the prefix stands for, None if it does not match."""
        if self.prefix.startswith("*."):
            host = name.partition("/")[0].partition(":")[0]
            return host if host.endswith(self.prefix[1:]) and host != self.prefix[2:] else None
        boundary = name[len(self.prefix) : len(self.prefix) + 1]
        return self.prefix if name.startswith(self.prefix) and boundary in ("", "/", ":") else None


@dataclass(frozen=True)
class MirrorRules:
    """All rules; the one with the longest matching prefix alone counts."""

    rules: tuple[MirrorRule, ...] = ()

    @classmethod
    def parse(cls, text: str, *, on: str = "registries.conf") -> MirrorRules:
        """Return the rules of a registries.conf in version 2; raise InvalidInputError for any other document."""
        document = _toml(text, on)
        entries = document.get("registry", [])
        if not isinstance(entries, list) or "registries" in document:
            raise _refusal(on, "it is not of version 2, with [[registry]] tables")
        return cls(tuple(_rule(entry, f"{on}: registry {number + 1}") for number, entry in enumerate(entries)))

    def joined(self, other: MirrorRules) -> MirrorRules:
        """Return these rules and those of ``other``, which replace rules of the same prefix."""
        replaced = {rule.prefix for rule in other.rules}
        return MirrorRules((*(rule for rule in self.rules if rule.prefix not in replaced), *other.rules))

    def endpoints(self, reference: ImageReference) -> tuple[Endpoint, ...]:
        """Return where to ask for ``reference``, in order. Nothing is left where its own registry is blocked."""
        name = reference.name
        rule = self._rule_for(name)
        if rule is None:
            return (Endpoint(name),)
        rest = name[len(rule.matched(name) or "") :]
        mirrors = [mirror for mirror in rule.mirrors if mirror.serves(by_digest=reference.is_pinned)]
        endpoints = [Endpoint(mirror.location + rest, mirror.insecure) for mirror in mirrors]
        if not rule.blocked:
            endpoints.append(Endpoint(rule.location + rest if rule.location else name, rule.insecure))
        return tuple(dict.fromkeys(endpoints))

    def _rule_for(self, name: str) -> MirrorRule | None:
        matching = [rule for rule in self.rules if rule.matched(name) is not None]
        return max(matching, key=lambda rule: len(rule.prefix), default=None)


def _rule(entry: object, on: str) -> MirrorRule:
    if not isinstance(entry, dict):
        raise _refusal(on, "it is not a table")
    location, prefix = _text(entry, "location", on), _text(entry, "prefix", on)
    if not location and not prefix:
        raise _refusal(on, "it has neither a location nor a prefix")
    mirrors = entry.get("mirror", [])
    if not isinstance(mirrors, list) or not all(isinstance(mirror, dict) for mirror in mirrors):
        raise _refusal(on, "its mirrors are not tables")
    pulls = _BY_DIGEST if _flag(entry, "mirror-by-digest-only", on) else "all"
    is_pattern = prefix.startswith("*.")
    return MirrorRule(
        prefix=prefix or location,
        location=location or ("" if is_pattern else prefix),
        insecure=_flag(entry, "insecure", on),
        blocked=_flag(entry, "blocked", on),
        mirrors=tuple(_mirror(mirror, pulls, on) for mirror in mirrors),
    )


def _mirror(entry: Mapping[str, t.Any], pulls: str, on: str) -> Mirror:
    location = _text(entry, "location", on)
    if not location:
        raise _refusal(on, "one of its mirrors has no location")
    chosen = _text(entry, "pull-from-mirror", on) or pulls
    if chosen not in ("all", _BY_DIGEST, _BY_TAG):
        raise _refusal(on, f"pull-from-mirror is {chosen[:40]!r}")
    return Mirror(location, _flag(entry, "insecure", on), chosen)


def _text(entry: Mapping[str, t.Any], key: str, on: str) -> str:
    value = entry.get(key, "")
    if not isinstance(value, str):
        raise _refusal(on, f"{key} is not a string")
    return value.rstrip("/")


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
        seen="it is older than 3.11 and has no library for TOML",
        advice="Install the Python package tomli, or give the mirrors as options instead of a file.",
    )


def _refusal(on: str, seen: str) -> InvalidInputError:
    return InvalidInputError(
        "read the mirror rules",
        on=on,
        seen=seen,
        advice="Write it as containers-registries.conf(5) describes, with [[registry]] and [[registry.mirror]] tables.",
    )
