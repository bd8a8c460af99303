# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""MachineSets and ControlPlaneMachineSets as one thing: a template of machines with a provider's specification."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.documents import Document
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import ObjectKind

MACHINE_API = "openshift-machine-api"
MACHINE_SET = ObjectKind("machine.openshift.io/v1beta1", "MachineSet")
CONTROL_PLANE_MACHINE_SET = ObjectKind("machine.openshift.io/v1", "ControlPlaneMachineSet")

_PROVIDER_VALUE = ("spec", "providerSpec", "value")
_TEMPLATES = {
    MACHINE_SET.kind: ("spec", "template"),
    CONTROL_PLANE_MACHINE_SET.kind: ("spec", "template", "machines_v1beta1_machine_openshift_io"),
}
OS_STREAM_LABEL = "machineconfiguration.openshift.io/osstream"
OS_ID_LABEL = "machine.openshift.io/os-id"
CAPACITY_LABELS = "capacity.cluster-autoscaler.kubernetes.io/labels"


@dataclass(frozen=True)
class MachineResource:
    """What a decision needs to know of one MachineSet or ControlPlaneMachineSet.

    ``provider`` is ``providerSpec.value``; where there is none it is None and ``flaw`` says so. ``root`` leads to it
    within the object. ``state`` and ``strategy`` are those of a ControlPlaneMachineSet.
    """

    kind: str
    name: str
    resource_version: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)
    annotations: Mapping[str, str] = field(default_factory=dict)
    template_labels: Mapping[str, str] = field(default_factory=dict)
    owners: tuple[str, ...] = ()
    provider: Document | None = field(default=None, repr=False)
    replicas: int | None = None
    authority: str = ""
    state: str = ""
    strategy: str = ""
    flaw: str = ""
    being_deleted: bool = False
    managed_fields: tuple[Document, ...] = field(default=(), repr=False)
    uid: str = ""
    created: str = ""

    @property
    def key(self) -> str:
        """How history and results name it, such as ``MachineSet/site-worker-0``."""
        return f"{self.kind}/{self.name}"

    @property
    def object_kind(self) -> ObjectKind:
        """The kind as the API has it."""
        return MACHINE_SET if self.kind == MACHINE_SET.kind else CONTROL_PLANE_MACHINE_SET

    @property
    def is_control_plane(self) -> bool:
        """Whether it makes the machines of the control plane."""
        return self.kind == CONTROL_PLANE_MACHINE_SET.kind

    @property
    def root(self) -> tuple[str, ...]:
        """The path of ``provider`` within the object."""
        return (*_TEMPLATES[self.kind], *_PROVIDER_VALUE)

    @property
    def stream_label(self) -> str:
        """The stream that it asks for, empty where it does not."""
        return self.labels.get(OS_STREAM_LABEL, "")

    @property
    def is_windows(self) -> bool:
        """Whether its machines run Windows."""
        return self.template_labels.get(OS_ID_LABEL) == "Windows"


def resource_of(found: Document) -> MachineResource:
    """Return the resource that the API's object ``found`` is; what is missing or of a wrong type is a flaw of it."""
    kind = str(found["kind"])
    metadata = _mapping(found.get("metadata"))
    spec, status = _mapping(found.get("spec")), _mapping(found.get("status"))
    template: t.Any = found
    for step in _TEMPLATES[kind]:
        template = _mapping(_mapping(template).get(step))
    provider = _mapping(_mapping(_mapping(template.get("spec")).get("providerSpec"))).get("value")
    replicas = spec.get("replicas")
    return MachineResource(
        kind=kind,
        name=str(metadata.get("name", "")),
        resource_version=str(metadata.get("resourceVersion", "")),
        labels=_texts(metadata.get("labels")),
        annotations=_texts(metadata.get("annotations")),
        template_labels=_texts(_mapping(template.get("metadata")).get("labels")),
        owners=tuple(_owner(one) for one in metadata.get("ownerReferences") or []),
        provider=provider if isinstance(provider, Mapping) else None,
        replicas=replicas if isinstance(replicas, int) else None,
        authority=str(status.get("authoritativeAPI") or spec.get("authoritativeAPI") or ""),
        state=str(spec.get("state") or ""),
        strategy=str(_mapping(spec.get("strategy")).get("type") or ""),
        flaw="" if isinstance(provider, Mapping) else "it has no providerSpec.value",
        being_deleted="deletionTimestamp" in metadata,
        uid=str(metadata.get("uid", "")),
        created=str(metadata.get("creationTimestamp", "")),
        managed_fields=tuple(one for one in metadata.get("managedFields") or [] if isinstance(one, Mapping)),
    )


def is_as_judged(found: MachineResource, judged: MachineResource) -> bool:
    """Return whether nothing has changed that bears on the boot image; counts of machines and notes may have."""
    return _bearing(found) == _bearing(judged)


def _bearing(resource: MachineResource) -> MachineResource:
    noted = {key: text for key, text in resource.annotations.items() if key == CAPACITY_LABELS}
    return replace(resource, resource_version="", replicas=None, managed_fields=(), annotations=noted)


def _owner(reference: object) -> str:
    found = _mapping(reference)
    return f"{found.get('kind', '')}/{found.get('name', '')}"


def _mapping(value: object) -> Document:
    return value if isinstance(value, Mapping) else {}


def _texts(value: object) -> dict[str, str]:
    return {str(key): str(text) for key, text in _mapping(value).items()}
