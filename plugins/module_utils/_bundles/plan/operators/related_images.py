# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The images of chosen operators: complete names are used, others are named unless they are blocked on purpose."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.operators.catalog import (
    CatalogRecord,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_errors import BundleError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference

_MOST_LISTED = 40
# What occurs in expressions and never in the name of an image.
_SIGNS = re.compile(r"[\\^$*+?()|\[\]{}]")


class BlockedImages:
    """Images that do not travel: names as they are written, repositories, or expressions found in a name.

    Raises InvalidInputError for an expression that is none. Source of the expressions: openshift/oc-mirror
    ``internal/pkg/api/v2alpha1/type_config.go``, BlockedImage.
    """

    def __init__(self, blocked: Iterable[str] = ()) -> None:
        listed = tuple(blocked)
        self._names = frozenset(one for one in listed if not _SIGNS.search(one))
        self._expressions = tuple(_expression(one) for one in listed if _SIGNS.search(one))

    def holds(self, image: str) -> bool:
        """Whether ``image``, as it is written, is one of them."""
        repository, without_digest = _repository(image), image.partition("@")[0]
        is_named = bool(self._names & {image, without_digest, repository})
        return is_named or any(expression.search(image) for expression in self._expressions)


@dataclass(frozen=True)
class OperatorImage:
    """An image of a bundle of ``package``."""

    package: str
    bundle: str
    image: str

    def as_data(self) -> dict[str, str]:
        """Return it as results show it."""
        return {"package": self.package, "bundle": self.bundle, "image": self.image}


@dataclass(frozen=True)
class OperatorImages:
    """The images that travel, each with its package, and those that were left out on purpose."""

    travelling: tuple[tuple[str, ImageReference], ...]
    left_out: tuple[OperatorImage, ...]


def operator_images(bundles: Iterable[CatalogRecord], blocked: BlockedImages, *, on: str) -> OperatorImages:
    """Return the images of ``bundles``; raise BundleError naming every one that cannot be found."""
    everything = [OperatorImage(one.package, one.name, image) for one in bundles for image in one.images]
    left_out = tuple(one for one in everything if blocked.holds(one.image))
    wanted = [(one, _reference(one.image)) for one in everything if not blocked.holds(one.image)]
    unusable = [one for one, reference in wanted if reference is None]
    if unusable:
        raise _unusable(unusable, on)
    travelling = tuple((one.package, reference) for one, reference in wanted if reference is not None)
    return OperatorImages(tuple(dict.fromkeys(travelling)), left_out)


def _reference(image: str) -> ImageReference | None:
    try:
        return ImageReference.parse(image)
    except InvalidInputError:
        return None


def _expression(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text)
    except (re.error, OverflowError) as error:
        raise InvalidInputError(
            "read the blocked images",
            on=repr(text[:100]),
            seen=f"it is not a regular expression: {error}",
            advice="Specify complete names, repositories, or regular expressions.",
        ) from error


def _repository(image: str) -> str:
    name = image.partition("@")[0]
    head, slash, last = name.rpartition("/")
    return f"{head}{slash}{last.partition(':')[0]}"


def _unusable(unusable: list[OperatorImage], on: str) -> BundleError:
    listed = "; ".join(
        f"package {one.package}, bundle {one.bundle[:100]}: {one.image[:100]!r}" for one in unusable[:_MOST_LISTED]
    )
    left = len(unusable) - _MOST_LISTED
    return BundleError(
        "include operators",
        on=on,
        seen="images have no registry and repository, so they cannot be found: "
        + (f"{listed}; and {left} more" if left > 0 else listed),
        advice="Choose versions whose images have complete names. If the operator works without these images, list "
        "them in blocked_images. Report them to the publisher of the catalog.",
    )
