# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a bundle must contain, and where its parts come from: the request that a build job carries out."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.installed_operator import (
    InstalledOperator,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.operators.operator_request import (
    CatalogRequest,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.operators.related_images import (
    BlockedImages,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.selection import Selection
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.trust.image_policies import (
    SignaturePolicy,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.architecture import MULTI, Architecture
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference

RELEASE_REPOSITORY = "quay.io/openshift-release-dev/ocp-release"


@dataclass(frozen=True)
class MirrorOption:
    """Mirrors of everything below ``source``, as in an ImageDigestMirrorSet."""

    source: str
    mirrors: tuple[str, ...]
    insecure: bool = False
    contact_source: bool = True


@dataclass(frozen=True)
class RegistryOptions:
    """How registries are reached: files by their absolute paths, and mirrors.

    ``auth_files`` may have logins where there is no ``pull_secret``; they need not exist, nor need ``certs_dirs``.
    """

    pull_secret: str | None = None
    auth_files: tuple[str, ...] = ()
    registries_conf: str | None = None
    mirrors: tuple[MirrorOption, ...] = ()
    ca_file: str | None = None
    certs_dirs: tuple[str, ...] = ()

    @classmethod
    def from_document(cls, document: Mapping[str, t.Any]) -> RegistryOptions:
        """Return the options in a job's arguments."""
        values: dict[str, t.Any] = {
            key: tuple(value) if isinstance(value, (list, tuple)) else value for key, value in document.items()
        }
        values["mirrors"] = tuple(
            MirrorOption(**{**mirror, "mirrors": tuple(mirror["mirrors"])}) for mirror in document.get("mirrors", ())
        )
        return cls(**values)


@dataclass(frozen=True)
class BundleRequest:
    """A request as options and job arguments give it; paths are absolute. ``release`` is by tag or by digest.

    With ``update_from``, versions that sites run, all releases travel that lead from them to ``version``, by the update
    graph at the path or URL ``update_graph``. Without ``trusted_keys`` (None) the keys count that are built in for the
    release's repository; with an empty list none, so that nothing is verified. With a ``plan``, a file, only what it
    lists may be built. ``further_architectures`` are those of other nodes of the same sites.
    """

    release: str
    architecture: str
    further_architectures: tuple[str, ...] = ()
    version: str | None = None
    image_references: str | None = None
    extra_images: tuple[str, ...] = ()
    extra_files: tuple[str, ...] = ()
    boot_images: tuple[str, ...] = ()
    boot_image_streams: tuple[str, ...] = ()
    platforms: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    base: str | None = None
    registry: RegistryOptions = field(default_factory=RegistryOptions)
    trusted_keys: tuple[str, ...] | None = None
    signature_stores: tuple[str, ...] = ()
    image_signatures: bool = True
    attestations: bool = False
    policies: tuple[SignaturePolicy, ...] = ()
    signing_key: str | None = None
    refresh_tags: bool = False
    connections: int = 12
    catalogs: tuple[CatalogRequest, ...] = ()
    installed: tuple[InstalledOperator, ...] = ()
    blocked_images: tuple[str, ...] = ()
    source_date_epoch: int | None = None
    plan: str | None = None
    update_from: tuple[str, ...] = ()
    update_graph: str | None = None
    inventory: str | None = None
    inventory_keys: tuple[str, ...] = ()

    @classmethod
    def from_document(cls, document: Mapping[str, t.Any]) -> BundleRequest:
        """Return the request in a job's arguments, as ``as_document`` gave it."""
        values: dict[str, t.Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in document.items()
        }
        values["registry"] = RegistryOptions.from_document(document.get("registry", {}))
        values["catalogs"] = tuple(CatalogRequest.from_document(one) for one in document.get("catalogs", ()))
        values["installed"] = tuple(InstalledOperator(**one) for one in document.get("installed", ()))
        values["policies"] = tuple(SignaturePolicy.from_document(one) for one in document.get("policies", ()))
        return cls(**values)

    def as_document(self) -> dict[str, t.Any]:
        """Return the request as plain data."""
        return asdict(self)

    @property
    def machine(self) -> Architecture:
        """Return the architecture whose images travel, the first one if there are several."""
        return Architecture.parse(self.architecture)

    @property
    def machines(self) -> tuple[Architecture, ...]:
        """Return all architectures whose images travel."""
        return tuple(dict.fromkeys((self.machine, *map(Architecture.parse, self.further_architectures))))

    @property
    def release_reference(self) -> ImageReference:
        """Return the release image as it was requested."""
        return ImageReference.parse(self.release)

    @property
    def selection(self) -> Selection:
        """Return which components travel."""
        return Selection(platforms=self.platforms, only=self.only, exclude=self.exclude)

    def extra_references(self) -> tuple[ImageReference, ...]:
        """Return the extra images; raise InvalidInputError for one that is no image reference."""
        return tuple(ImageReference.parse(text) for text in self.extra_images)

    def file_references(self) -> tuple[ImageReference, ...]:
        """Return the extra files; raise InvalidInputError for one that is no reference."""
        return tuple(ImageReference.parse(text) for text in self.extra_files)

    def check(self) -> None:
        """Raise InvalidInputError for anything that could only fail later."""
        self.extra_references()
        self.file_references()
        BlockedImages(self.blocked_images)
        for catalog in self.catalogs:
            ImageReference.parse(catalog.catalog)
        if self.policies and not self.image_signatures:
            raise InvalidInputError(
                "read the request for a bundle",
                on="image_policies",
                seen="image_signatures is false",
                advice="Include image signatures, or set no policies that require them.",
            )
        if self.update_from and self.image_references:
            raise InvalidInputError(
                "read the request for a bundle",
                on="image_references",
                seen="update_from is set, so that the bundle can hold several releases",
                advice="Set one of them, not both.",
            )
        self._check_architectures()
        Selection(platforms=self.platforms, only=self.only, exclude=self.exclude)
        if not self.release_reference.is_pinned and not self.release_reference.tag:
            raise InvalidInputError(
                "read the request for a bundle",
                on="image",
                seen=f"{self.release} has neither a tag nor a digest",
                advice="Specify the release image by digest, or by a tag such as 4.20.1-x86_64.",
            )

    def _check_architectures(self) -> None:
        if len(self.machines) > 1 and (self.catalogs or self.boot_images):
            raise InvalidInputError(
                "read the request for a bundle",
                on="architecture",
                seen="operators and boot images are included for one architecture only",
                advice="Specify one architecture, or leave out operators and boot images.",
            )


def release_name(version: str, architectures: Sequence[str]) -> str:
    """Return the release image of ``version`` for nodes of ``architectures``, as Red Hat publishes it."""
    name = MULTI if len(architectures) > 1 else Architecture.parse(architectures[0]).release
    return f"{RELEASE_REPOSITORY}:{version}-{name}"


def listed_images(content: str) -> tuple[str, ...]:
    """Return the references in a file that has one in each line; empty lines and those from ``#`` on do not count."""
    lines = (line.partition("#")[0].strip() for line in content.splitlines())
    return tuple(line for line in lines if line)
