# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which endpoints are queried for an image, by rules such as those of containers-registries.conf(5)."""

from __future__ import annotations

from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference

ALL, BY_DIGEST, BY_TAG = "all", "digest-only", "tag-only"
"""What may be pulled from a mirror."""


@dataclass(frozen=True)
class Endpoint:
    """Where a repository can be requested: ``name`` is ``host/repository`` there.

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
    pulls: str = ALL

    def serves(self, *, by_digest: bool) -> bool:
        """Whether it may be queried for this kind of reference."""
        return self.pulls == ALL or self.pulls == (BY_DIGEST if by_digest else BY_TAG)


@dataclass(frozen=True)
class MirrorRule:
    """What holds for every name below ``prefix``, ``*.domain`` included. A ``location`` replaces the prefix."""

    prefix: str
    location: str = ""
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

    def joined(self, other: MirrorRules) -> MirrorRules:
        """Return these rules and those of ``other``, which replace rules of the same prefix."""
        replaced = {rule.prefix for rule in other.rules}
        return MirrorRules((*(rule for rule in self.rules if rule.prefix not in replaced), *other.rules))

    def endpoints(self, reference: ImageReference) -> tuple[Endpoint, ...]:
        """Return where to ask for ``reference``, in order. Nothing is left where its own registry is blocked."""
        name = reference.name
        rule = self.rule_for(name)
        if rule is None:
            return (Endpoint(name),)
        rest = name[len(rule.matched(name) or "") :]
        mirrors = [mirror for mirror in rule.mirrors if mirror.serves(by_digest=reference.is_pinned)]
        endpoints = [Endpoint(mirror.location + rest, mirror.insecure) for mirror in mirrors]
        if not rule.blocked:
            endpoints.append(Endpoint(rule.location + rest if rule.location else name, rule.insecure))
        return tuple(dict.fromkeys(endpoints))

    def rule_for(self, name: str) -> MirrorRule | None:
        """Return the one rule that counts for the repository ``name``."""
        matching = [rule for rule in self.rules if rule.matched(name) is not None]
        return max(matching, key=lambda rule: len(rule.prefix), default=None)


def location_in(text: str, *, insecure: bool, on: str) -> str:
    """Return the ``host/path`` in ``text``, which may be written as a URL.

    Raise InvalidInputError for plain HTTP where ``insecure`` does not allow it, and for other schemes.
    """
    scheme, separator, rest = text.strip().partition("://")
    location = (rest if separator else scheme).rstrip("/")
    if separator and scheme.lower() != "https" and not (scheme.lower() == "http" and insecure):
        raise InvalidInputError(
            "read the mirror rules",
            on=on,
            seen=f"{text[:100]!r} starts with {scheme[:20]}://",
            advice="Specify the host and path without a scheme. For a registry without TLS, set insecure.",
        )
    if any(character.isspace() for character in location) or location.startswith("/") or (text and not location):
        raise InvalidInputError(
            "read the mirror rules",
            on=on,
            seen=f"{text[:100]!r} is not a host with an optional path",
            advice="Specify it as registry.example:5000/path.",
        )
    return location
