# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A MachineConfiguration as far as it is about boot images: what is configured, and what the operator made of it.

Tolerates what older releases do not have, and parts that are not what they should be.
Source: openshift/api, operator/v1/types_machineconfiguration.go.
"""

from __future__ import annotations

import typing as t
from collections.abc import Mapping
from dataclasses import dataclass, field

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.conditions import Condition
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import ObjectKind

MACHINE_CONFIGURATION = ObjectKind("operator.openshift.io/v1", "MachineConfiguration")
NAME = "cluster"
OPTED_IN_AT = "machineconfiguration.openshift.io/boot-image-updates-opted-in-at"

Object = t.Mapping[str, t.Any]
_VERSION_KEYS = (("OCPVersion", "ocpVersion"), ("RHCOSVersion", "rhcosVersion"))


@dataclass(frozen=True)
class SkewStanza:
    """Skew enforcement in spec or status: ``mode`` and the versions that go with it, each empty where there is none."""

    mode: str
    ocp_version: str = ""
    rhcos_version: str = ""

    @classmethod
    def of(cls, raw: object) -> SkewStanza | None:
        """Return the stanza of a spec or status field, None where it is absent or has no mode."""
        stanza = as_mapping(raw)
        mode = stanza.get("mode")
        if not isinstance(mode, str) or not mode:
            return None
        versions = as_mapping(stanza.get(mode.lower()))
        ocp, rhcos = (str(versions.get(key) or "") for _mode, key in _VERSION_KEYS)
        return cls(mode, ocp, rhcos)

    def as_patch(self) -> dict[str, t.Any]:
        """Return the merge patch of ``spec.bootImageSkewEnforcement`` that leaves this stanza and nothing else."""
        if self.mode != "Manual":
            return {"mode": self.mode, "manual": None}
        named = "OCPVersion" if self.ocp_version else "RHCOSVersion"
        versions = {"ocpVersion": self.ocp_version or None, "rhcosVersion": self.rhcos_version or None}
        return {"mode": self.mode, "manual": {"mode": named, **versions}}

    def as_data(self) -> dict[str, str]:
        """Return it as results show it."""
        return dict(vars(self))


@dataclass(frozen=True)
class ObservedPolicy:
    """The object at one ``resource_version``, which is empty where there is no object.

    Managers are entries of ``machineManagers`` as they stand there; None where there is no such list, which is not the
    same as an empty one. ``beside`` names further fields of ``spec.managedBootImages``.
    """

    resource_version: str = ""
    generation: int = 0
    observed_generation: int = 0
    managers: tuple[Object, ...] | None = None
    beside: tuple[str, ...] = ()
    skew: SkewStanza | None = None
    status_managers: tuple[Object, ...] | None = None
    status_skew: SkewStanza | None = None
    conditions: Mapping[str, Condition] = field(default_factory=dict)
    opted_in_at: str = ""

    @property
    def exists(self) -> bool:
        """Whether there is such an object."""
        return bool(self.resource_version)

    @property
    def status_mode(self) -> str:
        """Return the mode of skew enforcement that holds, empty while the operator reports none."""
        return self.status_skew.mode if self.status_skew else ""

    @classmethod
    def of(cls, found: Object | None) -> ObservedPolicy:
        """Return what the object ``cluster`` says, None being its absence."""
        whole = as_mapping(found)
        metadata, spec, status = (as_mapping(whole.get(part)) for part in ("metadata", "spec", "status"))
        managed = as_mapping(spec.get("managedBootImages"))
        return cls(
            resource_version=str(metadata.get("resourceVersion") or ""),
            generation=_number(metadata.get("generation")),
            observed_generation=_number(status.get("observedGeneration")),
            managers=managers_in(managed),
            beside=tuple(sorted(set(managed) - {"machineManagers"})),
            skew=SkewStanza.of(spec.get("bootImageSkewEnforcement")),
            status_managers=managers_in(status.get("managedBootImagesStatus")),
            status_skew=SkewStanza.of(status.get("bootImageSkewEnforcementStatus")),
            conditions=_conditions(status.get("conditions")),
            opted_in_at=str(as_mapping(metadata.get("annotations")).get(OPTED_IN_AT) or ""),
        )


def managers_in(part: object) -> tuple[Object, ...] | None:
    """Return the list of managers in ``managedBootImages`` or its status, None where there is none."""
    found = as_mapping(part).get("machineManagers")
    return tuple(one for one in found if isinstance(one, Mapping)) if isinstance(found, list) else None


def as_mapping(value: object) -> Object:
    """Return ``value`` if it is a mapping, else an empty one."""
    return value if isinstance(value, Mapping) else {}


def as_list(value: object) -> list[t.Any]:
    """Return ``value`` if it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0


def _conditions(value: object) -> dict[str, Condition]:
    found = [one for one in as_list(value) if isinstance(one, Mapping) and isinstance(one.get("type"), str)]
    return {
        one["type"]: Condition(
            type=one["type"],
            status=str(one.get("status") or "Unknown"),
            reason=str(one.get("reason") or ""),
            message=str(one.get("message") or ""),
            last_transition=str(one.get("lastTransitionTime") or ""),
        )
        for one in found
    }
