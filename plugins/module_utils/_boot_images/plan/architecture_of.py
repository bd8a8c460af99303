# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which architecture the machines of a resource have, found as the machine-config operator finds it.

Source: machine-config-operator, pkg/controller/bootimage/helpers.go, getArchFromMachineSet.
"""

from __future__ import annotations

from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.machine_resource import (
    CAPACITY_LABELS,
    MachineResource,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.architecture import ARCHITECTURES, Architecture

_PREFIX = "kubernetes.io/arch="


@dataclass(frozen=True)
class ClusterArchitecture:
    """What the cluster says: the architecture of its control plane, and whether its release is for several ones."""

    control_plane: Architecture | None = None
    is_multi: bool = False


@dataclass(frozen=True)
class FoundArchitecture:
    """The architecture, or None and why it is not known; ``damaged`` where what says it says it wrongly."""

    architecture: Architecture | None
    reason: str = ""
    damaged: bool = False


def architecture_of(
    resource: MachineResource, cluster: ClusterArchitecture, given: Architecture | None
) -> FoundArchitecture:
    """Return the architecture of a resource; ``given`` is what the site says where nothing else does."""
    noted = resource.annotations.get(CAPACITY_LABELS)
    if resource.is_control_plane:
        return _known(cluster.control_plane, "no control plane node reports its architecture")
    if noted is not None:
        return _of_annotation(noted)
    if not cluster.is_multi:
        return _known(cluster.control_plane or given, "no control plane node reports its architecture")
    return _known(given, f"the cluster supports several architectures, and the annotation {CAPACITY_LABELS} is missing")


def _of_annotation(noted: str) -> FoundArchitecture:
    for item in noted.split(","):
        if item.strip().startswith(_PREFIX):
            value = item.strip()[len(_PREFIX) :]
            for known in ARCHITECTURES:
                if known.oci == value:
                    return FoundArchitecture(known)
            return FoundArchitecture(None, f"annotation {CAPACITY_LABELS} names the architecture {value[:40]!r}", True)
    return FoundArchitecture(None, f"annotation {CAPACITY_LABELS} contains no architecture", True)


def _known(architecture: Architecture | None, otherwise: str) -> FoundArchitecture:
    return FoundArchitecture(architecture, "" if architecture else otherwise)
