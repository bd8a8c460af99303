# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The request for a release, as it is written into the ClusterVersion."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.version_state import (
    VersionState,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.release_version import (
    ReleaseVersion,
)


@dataclass(frozen=True)
class ReleaseRequest:
    """A release by digest; ``version`` is empty where only the image is known.

    There is no place for ``force``: it would skip the check of the signature and every precondition.
    """

    image: str
    version: str
    digest_hex: str

    @classmethod
    def of(cls, image: str, version: str) -> ReleaseRequest:
        """Return the request for ``repository@sha256:...``; raise InvalidInputError for a tag and for a wrong version.

        Nodes hold, pin and mirror the image under the name that is given, so a tag in addition to the digest is refused
        too.
        """
        parsed = ImageReference.parse(image)
        if parsed.digest is None or parsed.tag is not None:
            raise InvalidInputError(
                "request a release",
                on=repr(image[:200]),
                seen="it is not of the form repository@digest",
                advice="Specify the release image as repository@sha256:..., as release_bundle_info returns it.",
            )
        if version and ReleaseVersion.parse(version) is None:
            raise InvalidInputError(
                "request a release",
                on=repr(version[:100]),
                seen="it is not a version such as 4.21.3",
                advice="Set the version of the release, or omit it.",
            )
        return cls(image=str(parsed), version=version, digest_hex=parsed.digest.hex)

    @property
    def name(self) -> str:
        """Return what people call the release."""
        return self.version or f"the release sha256:{self.digest_hex[:12]}"

    def is_requested(self, cluster: VersionState) -> bool:
        """Whether exactly this was requested, or the cluster has it without a request for another one."""
        if cluster.requested_image:
            return cluster.requested_image == self.image and not cluster.request_forced
        if cluster.requested_version:
            return (
                bool(self.version) and cluster.requested_version == self.version and cluster.desired_image == self.image
            )
        return cluster.desired_image == self.image

    def as_patch(self) -> dict[str, t.Any]:
        """Return the merge patch that asks for it; other fields of an earlier request are removed.

        Source: openshift/api, config/v1/types_cluster_version.go, Update: ``architecture`` excludes ``image``.
        """
        request = dict.fromkeys(("architecture", "force", "acceptRisks", "mode"))
        return {"spec": {"desiredUpdate": {**request, "image": self.image, "version": self.version or None}}}
