# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""References to container images, parsed strictly: they become file names, TOML entries and command arguments."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

_LABEL = r"[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?"
_REGISTRY = re.compile(rf"(?:{_LABEL}(?:\.{_LABEL})*|\[[0-9a-fA-F:]+\])(?::[0-9]{{1,5}})?", re.ASCII)
_COMPONENT = r"[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*"
_REPOSITORY = re.compile(rf"{_COMPONENT}(?:/{_COMPONENT})*", re.ASCII)
_TAG = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,127}", re.ASCII)
_LONGEST_NAME = 255


@dataclass(frozen=True, order=True)
class ImageReference:
    """A fully qualified image: ``registry/repository`` with a tag, a digest or both.

    A registry is always demanded: what an unqualified name means depends on the host that reads it, and a bundle is
    read on many hosts. Source of the grammar: the ``reference`` package of the distribution project.
    """

    registry: str
    repository: str
    tag: str | None = None
    digest: Digest | None = None

    @property
    def name(self) -> str:
        """Return ``registry/repository`` without tag and digest."""
        return f"{self.registry}/{self.repository}"

    @property
    def is_pinned(self) -> bool:
        """Whether the reference names its content by digest."""
        return self.digest is not None

    def by_digest(self, digest: Digest | None = None) -> ImageReference:
        """Return the ``repo@digest`` form that container storage, CRI-O pins and payloads use.

        Raise InvalidInputError when neither the reference nor the argument has a digest.
        """
        chosen = digest or self.digest
        if chosen is None:
            raise _invalid(str(self), "it has no digest", "Specify the image by digest: a tag can move.")
        return replace(self, tag=None, digest=chosen)

    def __str__(self) -> str:
        tag = f":{self.tag}" if self.tag else ""
        digest = f"@{self.digest}" if self.digest else ""
        return f"{self.name}{tag}{digest}"

    @classmethod
    def parse(cls, text: str) -> ImageReference:
        """Return the reference written as ``text``; raise InvalidInputError naming the part that is wrong."""
        rest, at, digest_text = text.partition("@")
        digest = Digest.parse(digest_text) if at else None
        registry, slash, path = rest.partition("/")
        if not slash or not _looks_like_registry(registry):
            raise _invalid(
                text,
                "it does not start with a registry host",
                "Specify the complete name, such as quay.io/openshift-release-dev/ocp-release:4.20.1-x86_64.",
            )
        repository, colon, tag = path.partition(":")
        _check_parts(text, registry, repository, tag if colon else None)
        return cls(registry=registry, repository=repository, tag=tag if colon else None, digest=digest)


def _looks_like_registry(host: str) -> bool:
    return any(mark in host for mark in ".:[") or host == "localhost"


def _check_parts(text: str, registry: str, repository: str, tag: str | None) -> None:
    advice = "Check the reference against the listing of the registry. Nothing was read or written."
    if not _REGISTRY.fullmatch(registry):
        raise _invalid(text, f"the registry {registry[:100]!r} is not a host name with an optional port", advice)
    if len(registry) + 1 + len(repository) > _LONGEST_NAME or not _REPOSITORY.fullmatch(repository):
        raise _invalid(text, f"the repository {repository[:100]!r} is not lower-case path components", advice)
    if tag is not None and not _TAG.fullmatch(tag):
        raise _invalid(text, f"the tag {tag[:100]!r} has characters that are not allowed in a tag", advice)


def _invalid(text: str, seen: str, advice: str) -> InvalidInputError:
    return InvalidInputError("read an image reference", on=repr(text[:200]), seen=seen, advice=advice)
