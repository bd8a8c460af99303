# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The names one processor architecture has in releases, container images and the machine-config API."""

from __future__ import annotations

from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

MULTI = "multi"
"""What releases for several architectures have in place of the name of one."""


@dataclass(frozen=True, order=True)
class Architecture:
    """One architecture under its three names.

    ``release`` stands in release tags and stream metadata, ``oci`` in image configs, node labels and manifest lists,
    ``machine_config`` in ``MachineOSConfig.spec.containerFile[].containerfileArch``.
    """

    release: str
    oci: str
    machine_config: str

    def __str__(self) -> str:
        return self.release

    @classmethod
    def parse(cls, text: str) -> Architecture:
        """Return the architecture known under any of its names; raise InvalidInputError for others.

        ``multi`` is refused too: it names a payload for several architectures, never the architecture of a machine.
        """
        for known in ARCHITECTURES:
            if text in (known.release, known.oci, known.machine_config):
                return known
        raise InvalidInputError(
            "read an architecture",
            on=repr(text[:100]),
            seen="OpenShift has no release for it",
            advice="Use one of " + ", ".join(known.release for known in ARCHITECTURES) + ".",
        )


ARCHITECTURES = (
    Architecture(release="x86_64", oci="amd64", machine_config="AMD64"),
    Architecture(release="aarch64", oci="arm64", machine_config="ARM64"),
    Architecture(release="ppc64le", oci="ppc64le", machine_config="PPC64LE"),
    Architecture(release="s390x", oci="s390x", machine_config="S390X"),
)
