# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the cluster-version-operator reads of a release image, where no image is needed around it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab.registry.release_payload import payload_files
from ansible_collections.fieldops.openshift.tests.lab.registry.release_spec import ReleaseSpec
from ansible_collections.fieldops.openshift.tests.lab.registry.version_operator_payload import (
    VersionOperatorSpec,
    own_manifests,
)
from ansible_collections.fieldops.openshift.tests.lab.seed.cluster import release_image


@dataclass(frozen=True)
class VersionPayload:
    """The files of a release by their path in its image."""

    version: str
    image: str
    told: VersionOperatorSpec
    files: Mapping[str, bytes] = field(repr=False)

    def write(self, directory: Path) -> None:
        """Lay the files out below a directory, complete or not at all."""
        unfinished = directory.with_name(f"{directory.name}-unfinished")
        for name, content in self.files.items():
            path = unfinished / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        unfinished.rename(directory)


def version_payload(version: str, told: VersionOperatorSpec, *, says: str = "", image: str = "") -> VersionPayload:
    """Return the payload of the release image of ``version``; it ``says`` another version only if it is told to.

    Without ``image`` its pull specification is the one that the seeds make up.
    """
    spec = ReleaseSpec(says or version, operator=told)
    references = {plan.name: release_image(f"{version}/{plan.name}") for plan in spec.plans()}
    files = {**own_manifests(told), **payload_files(spec, references)}
    return VersionPayload(version, image or release_image(version), told, files)
