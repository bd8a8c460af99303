# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""On which platforms the machine-config operator keeps boot images up to date, by release.

Source: machine-config-operator, pkg/controller/common/featuregates.go (CheckBootImagePlatform), pkg/operator/sync.go
(syncManagedBootImagesStatus), manifests/machineconfigcontroller/*bootimages*-validatingadmissionpolicy.yaml.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

Release = tuple[int, int]

AWS, AZURE, GCP, VSPHERE, BARE_METAL = "AWS", "Azure", "GCP", "VSphere", "BareMetal"
AZURE_STACK = "AzureStackCloud"
SKEW_SINCE: Release = (4, 22)
NONE_MODE_SINCE: Release = (4, 19)

ADMITTED_SINCE: Mapping[str, Release] = {GCP: (4, 16), AWS: (4, 17), VSPHERE: (4, 20), AZURE: (4, 21)}
_BY_DEFAULT_SINCE: Mapping[str, Release] = {GCP: (4, 19), AWS: (4, 19), VSPHERE: (4, 22), AZURE: (4, 22)}
CONTROL_PLANE_SINCE: Release = (4, 22)
CONTROL_PLANE_ON = (AWS, AZURE, GCP)


@dataclass(frozen=True)
class Platform:
    """The infrastructure that a cluster of ``release`` runs on; ``cloud`` is Azure's kind of cloud."""

    type: str
    release: Release
    cloud: str = ""
    single_replica: bool = False

    @property
    def manages_machine_sets(self) -> bool:
        """Whether the operator can keep the boot images of MachineSets up to date."""
        return self.admits_machine_sets and not self.is_azure_stack

    @property
    def admits_machine_sets(self) -> bool:
        """Whether the admission policy lets ``spec.managedBootImages`` through; it does not know Azure Stack."""
        since = ADMITTED_SINCE.get(self.type)
        return since is not None and self.release >= since

    @property
    def manages_control_plane(self) -> bool:
        """Whether it can do the same for the ControlPlaneMachineSet."""
        return self.admits_control_plane and not self.is_azure_stack

    @property
    def admits_control_plane(self) -> bool:
        """Whether the admission policy lets an entry for it through."""
        return self.type in CONTROL_PLANE_ON and self.release >= CONTROL_PLANE_SINCE

    @property
    def manages_by_default(self) -> bool:
        """Whether MachineSets are opted in by default."""
        since = _BY_DEFAULT_SINCE.get(self.type)
        return self.manages_machine_sets and since is not None and self.release >= since

    @property
    def is_azure_stack(self) -> bool:
        """Whether it is Azure Stack Hub, for which the operator does not start its controller."""
        return self.type == AZURE and self.cloud == AZURE_STACK


def admitted_platforms(release: Release) -> list[str]:
    """Return the platforms on which ``release`` admits ``spec.managedBootImages``."""
    return [name for name, since in ADMITTED_SINCE.items() if release >= since]


def control_plane_platforms(release: Release) -> list[str]:
    """Return the platforms on which ``release`` admits an entry for the ControlPlaneMachineSet."""
    return list(CONTROL_PLANE_ON) if release >= CONTROL_PLANE_SINCE else []
