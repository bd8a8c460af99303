# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""An OS image as hosts name it, in the words of bootc, and when two names mean the same image.

Sources: bootc ``crates/lib/src/spec.rs`` (ImageReference), ostree-ext ``OstreeImageReference`` (origin files and
``rpm-ostree rebase``), containers-transports(5).
"""

from __future__ import annotations

import posixpath
import typing as t
from dataclasses import dataclass, replace

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference

REGISTRY = "registry"
CONTAINER_STORAGE = "containers-storage"
TRANSPORTS = (REGISTRY, CONTAINER_STORAGE, "oci-archive", "oci", "dir", "docker-daemon")

POLICY, INSECURE = "containerPolicy", "insecure"

_NAMED = (REGISTRY, CONTAINER_STORAGE)
"""Transports that name an image by registry and repository: the same name is the same image, wherever it is read."""

_HUB = {"index.docker.io": "docker.io", "registry-1.docker.io": "docker.io"}


@dataclass(frozen=True)
class ImageSpec:
    """``name`` is a reference or a path, by ``transport``; ``signature`` is "containerPolicy", "insecure",
    "ostreeRemote:NAME" or None for no demand."""

    transport: str
    name: str
    signature: str | None = None

    @property
    def reference(self) -> ImageReference | None:
        """The name as a reference with its default tag; None for a path, and for a name that only its host knows."""
        if self.transport not in _NAMED:
            return None
        try:
            found = ImageReference.parse(self.name)
        except InvalidInputError:
            return None
        registry = _HUB.get(found.registry.lower(), found.registry.lower())
        is_short = registry == "docker.io" and "/" not in found.repository
        repository = f"library/{found.repository}" if is_short else found.repository
        tag = found.tag or (None if found.digest else "latest")
        return replace(found, registry=registry, repository=repository, tag=tag)

    @property
    def digest(self) -> str | None:
        """The digest that the name carries."""
        reference = self.reference
        return str(reference.digest) if reference is not None and reference.digest else None

    @property
    def repository(self) -> str | None:
        """Registry and repository of the name."""
        reference = self.reference
        return reference.name if reference is not None else None

    @property
    def verifies(self) -> bool:
        """Whether the host's policy on signatures is enforced for it."""
        return self.signature == POLICY

    def names_same(self, other: ImageSpec | None) -> bool:
        """Whether ``other`` names the same image: same repository and digest, or tag where there is no digest.

        Signatures do not count, and registry and container storage are two paths to one image.
        """
        return other is not None and _identity(self) == _identity(other)

    def by(self, transport: str) -> ImageSpec:
        """Return the same name, read by another transport."""
        return replace(self, transport=transport)

    def __str__(self) -> str:
        return self.name if self.transport == REGISTRY else f"{self.transport}:{self.name}"


def parse_wanted(text: str) -> ImageSpec:
    """Return the image that a person wrote as ``text``: ``quay.io/os/image:tag``, ``oci:/path``, ``docker://...``, or
    what rpm-ostree shows. Raises InvalidInputError for anything that a host could read with more than one meaning."""
    spec = parse_refspec(text) if text.startswith("ostree-") else _with_transport(text.strip())
    if spec.transport in _NAMED and spec.reference is None:
        ImageReference.parse(spec.name)
    if spec.transport not in _NAMED and not spec.name.startswith("/"):
        raise InvalidInputError(
            "read the name of an OS image",
            on=repr(text[:200]),
            seen=f"what follows {spec.transport}: is not an absolute path",
            advice="Specify the image with its registry, or a transport with an absolute path on the host.",
        )
    return spec


def parse_refspec(text: str) -> ImageSpec:
    """Return the image of an origin's ``container-image-reference``; raises InvalidInputError for another form."""
    scheme, _colon, rest = text.partition(":")
    if scheme == "ostree-unverified-registry":
        return ImageSpec(REGISTRY, rest)
    if scheme == "ostree-unverified-image":
        return _with_transport(rest)
    if scheme == "ostree-image-signed":
        return replace(_with_transport(rest), signature=POLICY)
    remote, _colon, rest = rest.partition(":")
    if scheme == "ostree-remote-registry":
        return ImageSpec(REGISTRY, rest, f"ostreeRemote:{remote}")
    if scheme == "ostree-remote-image":
        return replace(_with_transport(rest), signature=f"ostreeRemote:{remote}")
    raise InvalidInputError(
        "read the reference of a deployment",
        on=repr(text[:200]),
        seen="it does not start with a known scheme",
        advice="Compare it with the output of 'rpm-ostree status'. A newer version may use a new form.",
    )


def refspec_of(spec: ImageSpec) -> str:
    """Return the image as ``rpm-ostree rebase`` takes it."""
    if spec.transport == REGISTRY:
        return f"{'ostree-image-signed:registry' if spec.verifies else 'ostree-unverified-registry'}:{spec.name}"
    return f"{'ostree-image-signed' if spec.verifies else 'ostree-unverified-image'}:{spec.transport}:{spec.name}"


def demanded_digest(spec: ImageSpec | None, digest: str | None) -> str | None:
    """Return the digest that a wanted image must have, None for any; raises InvalidInputError for two that differ."""
    named = spec.digest if spec is not None else None
    given = str(Digest.parse(digest)) if digest else None
    if named and given and named != given:
        raise InvalidInputError(
            "determine the requested OS image",
            on="image, digest",
            seen=f"the image names {named}, the option digest {given}",
            advice="Set the digest once.",
        )
    return given or named


def with_digest(spec: ImageSpec, digest: str | None) -> ImageSpec:
    """Return ``spec`` pinned to ``digest``, the tag kept as bootc keeps it; a path cannot be pinned by its name."""
    if digest is None or spec.reference is None or spec.digest is not None:
        return spec
    return replace(spec, name=f"{spec.name}@{digest}")


def _with_transport(text: str) -> ImageSpec:
    for transport in (*TRANSPORTS, "docker"):
        if text.startswith(f"{transport}:") and not _is_host_with_port(text, transport):
            rest = text[len(transport) + 1 :]
            is_registry = transport in ("docker", REGISTRY)
            return ImageSpec(REGISTRY if is_registry else transport, rest.removeprefix("//"))
    return ImageSpec(REGISTRY, text)


def _is_host_with_port(text: str, transport: str) -> bool:
    # "registry:5000/os/image" is a host of that name, "registry:quay.io/os/image" is not.
    port = text[len(transport) + 1 :].partition("/")[0]
    return transport in (REGISTRY, "docker") and port.isdigit()


def _identity(spec: ImageSpec) -> t.Hashable:
    reference = spec.reference
    if reference is None:
        path, colon, rest = spec.name.partition(":")
        return (spec.transport, posixpath.normpath(path) if path else path, colon, rest)
    return (reference.name, str(reference.digest) if reference.digest else reference.tag)
