# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What is asked of the API: which objects, and which of their fields are of no use or no business of a support."""

from __future__ import annotations

import typing as t
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._terms import object_kinds as kinds
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import (
    ETCD_NAMESPACE,
    GUARD_SELECTOR,
    MACHINE_CONFIG_NAMESPACE,
    MACHINE_CONFIG_OPERATOR_SELECTOR,
    NAMESPACE,
    PART_OF,
    PART_OF_LABEL,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import ObjectKind

EVENT = ObjectKind("v1", "Event")

MACHINE_NAMESPACE = "openshift-machine-api"
EVENT_NAMESPACES = (NAMESPACE, MACHINE_CONFIG_NAMESPACE, "openshift-cluster-version", "default")
"""The events of nodes are in the last one."""

OURS = f"{PART_OF_LABEL}={PART_OF}"

_LEFT_OUT_ANNOTATIONS = ("kubectl.kubernetes.io/last-applied-configuration",)


@dataclass(frozen=True)
class ObjectSource:
    """The objects of a kind, in one namespace or in all, that have ``labels``."""

    kind: ObjectKind
    namespace: str | None = None
    labels: str = ""

    @property
    def name(self) -> str:
        """The name of the part."""
        within = f"{self.namespace}/" if self.namespace else ""
        return f"cluster/{within}{self.kind}.json"

    @property
    def source(self) -> str:
        """What was requested, for the manifest."""
        within = f" in {self.namespace}" if self.namespace else ""
        return f"{self.kind}{within}" + (f" with {self.labels}" if self.labels else "")


def _openshift(group: str, kind: str, namespace: str | None = None, version: str = "v1") -> ObjectSource:
    return ObjectSource(ObjectKind(f"{group}.openshift.io/{version}", kind), namespace)


OBJECTS = (
    ObjectSource(kinds.CLUSTER_VERSION),
    ObjectSource(kinds.CLUSTER_OPERATOR),
    ObjectSource(kinds.INFRASTRUCTURE),
    ObjectSource(kinds.NODE),
    ObjectSource(kinds.MACHINE_CONFIG_POOL),
    ObjectSource(kinds.MACHINE_CONFIG_NODE),
    ObjectSource(kinds.MACHINE_CONFIG),
    ObjectSource(kinds.PINNED_IMAGE_SET),
    ObjectSource(kinds.MACHINE_OS_CONFIG),
    _openshift("machineconfiguration", "MachineOSBuild"),
    _openshift("operator", "MachineConfiguration"),
    _openshift("operator", "ImageContentSourcePolicy", version="v1alpha1"),
    _openshift("config", "ImageDigestMirrorSet"),
    _openshift("config", "ImageTagMirrorSet"),
    _openshift("machine", "MachineSet", MACHINE_NAMESPACE, "v1beta1"),
    _openshift("machine", "MachineHealthCheck", MACHINE_NAMESPACE, "v1beta1"),
    ObjectSource(kinds.NAMESPACE, labels=OURS),
    ObjectSource(kinds.VALIDATING_ADMISSION_POLICY, labels=OURS),
    ObjectSource(kinds.VALIDATING_ADMISSION_POLICY_BINDING, labels=OURS),
    ObjectSource(kinds.CONFIG_MAP, NAMESPACE),
    ObjectSource(kinds.LEASE, NAMESPACE),
    ObjectSource(kinds.POD, MACHINE_CONFIG_NAMESPACE, MACHINE_CONFIG_OPERATOR_SELECTOR),
    ObjectSource(kinds.POD, ETCD_NAMESPACE, GUARD_SELECTOR),
    *(ObjectSource(EVENT, namespace) for namespace in EVENT_NAMESPACES),
)
"""Policies, assignments, accepted bundles, readiness and the journals of rollouts are ConfigMaps of our namespace."""


def object_of_use(item: Mapping[str, t.Any]) -> dict[str, t.Any]:
    """Return an object without what repeats it, and a MachineConfig without the files that it brings onto nodes."""
    metadata = dict(item.get("metadata") or {})
    metadata.pop("managedFields", None)
    if metadata.get("annotations"):
        metadata["annotations"] = {
            name: value for name, value in metadata["annotations"].items() if name not in _LEFT_OUT_ANNOTATIONS
        }
    kept = {**item, "metadata": metadata}
    if item.get("kind") == kinds.MACHINE_CONFIG.kind and isinstance(item.get("spec"), dict):
        kept["spec"] = {name: value for name, value in item["spec"].items() if name != "config"}
    return kept


def events_since(items: Iterable[Mapping[str, t.Any]], since: str) -> list[Mapping[str, t.Any]]:
    """Return the events that were last seen at ``since`` or later, an instant as the API writes it."""
    return [item for item in items if _last_seen(item) >= since]


def _last_seen(event: Mapping[str, t.Any]) -> str:
    series = event.get("series") or {}
    created = (event.get("metadata") or {}).get("creationTimestamp")
    times = [series.get("lastObservedTime"), event.get("lastTimestamp"), event.get("eventTime"), created]
    return max((str(time) for time in times if time), default="")
