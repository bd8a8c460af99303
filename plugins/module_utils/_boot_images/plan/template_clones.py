# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Another boot image for a MachineSet or MachineDeployment of the Cluster API: a clone of the template that it names.

A template is never changed. The one of before is kept, so that going back is naming it again. A MachineDeployment then
replaces its machines, one with the strategy OnDelete as they are deleted.
Source: machine-config-operator, docs/BootImageCAPIDesign.md: names by a hash of the specification (FNV-1a, 32 bits), no
blockOwnerDeletion, the field of the image on each platform, MachineSets of the Machine API's mirror and what a
ClusterClass keeps left alone.
"""

from __future__ import annotations

import json
import typing as t
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.cluster_api import (
    ClusterApiResource,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.documents import (
    Document,
    list_at,
    mapping_at,
    text_at,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.verdict import (
    CURRENT,
    OUTDATED,
    Verdict,
)

BEFORE = "fieldops-openshift/template-before"
"""Annotation of an object: the template that it had before it was pointed at a clone."""
_GROUP = "cluster.x-k8s.io"
_OF_TOPOLOGY = "topology.cluster.x-k8s.io/owned"
_ROLE = "machine.openshift.io/cluster-api-machine-role"
_FNV_OFFSET, _FNV_PRIME = 0x811C9DC5, 0x01000193


@dataclass(frozen=True)
class Pointing:
    """What is to become of one object: ``outcome`` as results show it, ``to`` the template that it is pointed at.

    ``fields`` are those of the clone that becomes ``to``, empty where the template is there.
    """

    outcome: str
    code: str
    reason: str = ""
    to: str = ""
    fields: Mapping[str, t.Any] = field(default_factory=dict)

    @property
    def points(self) -> bool:
        """Whether the object gets another template."""
        return bool(self.to or self.fields)


def update_of(one: ClusterApiResource, verdict: Verdict, platform: str, configuration: Document | None) -> Pointing:
    """Return how an object gets the right image."""
    if verdict.standing != OUTDATED:
        outcome = "unchanged" if verdict.standing == CURRENT else verdict.standing
        return Pointing(outcome, verdict.code, verdict.reason)
    refusal = _refusal(one, platform, configuration)
    return refusal or Pointing("updated", verdict.code, verdict.reason, fields=_FIELDS[platform](verdict))


def reversion_of(one: ClusterApiResource, platform: str, configuration: Document | None) -> Pointing:
    """Return how an object gets the template that it had before."""
    before = text_at(mapping_at(one.found, "metadata", "annotations"), BEFORE)
    if not before:
        return Pointing("unchanged", "no_clone", "it does not use a clone")
    return _refusal(one, platform, configuration) or Pointing("reverted", "", to=before)


def replaces_machines(one: ClusterApiResource) -> bool:
    """Whether another template makes it replace the machines that it has."""
    ways = (text_at(one.found, "spec", "rollout", "strategy", "type"), text_at(one.found, "spec", "strategy", "type"))
    return one.kind == "MachineDeployment" and "OnDelete" not in ways


def is_replacing(one: ClusterApiResource) -> bool:
    """Whether it is at that: of machines that it is to have not all are of its present template, or it has more."""
    metadata, status = mapping_at(one.found, "metadata"), mapping_at(one.found, "status")
    seen, wanted = status.get("observedGeneration"), one.replicas
    updated = status.get("upToDateReplicas", status.get("updatedReplicas", wanted))
    is_unseen = isinstance(seen, int) and seen < metadata.get("generation", 0)
    is_under_way = wanted is not None and (updated < wanted or status.get("replicas", wanted) > wanted)
    return replaces_machines(one) and (is_unseen or is_under_way)


def pool_of(one: ClusterApiResource) -> str:
    """Return the MachineConfigPool that its machines join: as their role says, else that of workers."""
    return text_at(one.found, "spec", "template", "metadata", "labels", _ROLE) or "worker"


def clone_of(template: Document, owner: str, fields: Mapping[str, t.Any]) -> dict[str, t.Any]:
    """Return a template like ``template`` but for ``fields``, under a name of its owner's and its content."""
    spec = json.loads(json.dumps(template["spec"]))
    spec["template"]["spec"].update(fields)
    metadata = mapping_at(template, "metadata")
    owners = [
        {key: value for key, value in one.items() if key != "blockOwnerDeletion"}
        for one in list_at(metadata, "ownerReferences")
    ]
    kept = {"labels": metadata.get("labels"), "ownerReferences": owners}
    name = {"name": f"{owner}-{_hash(spec)}", "namespace": text_at(metadata, "namespace")}
    return {"metadata": {**name, **{key: value for key, value in kept.items() if value}}, "spec": spec}


def pointing_patch(to: str, before: str | None) -> dict[str, t.Any]:
    """Return the merge patch that points an object at a template; ``before`` is what is noted as that of before."""
    reference = {"infrastructureRef": {"name": to}}
    return {
        "metadata": {"annotations": {BEFORE: before}},
        "spec": {"template": {"spec": reference}},
    }


def pointing_data(one: ClusterApiResource, done: Pointing, to: str) -> dict[str, t.Any]:
    """Return what became of an object, as results show it."""
    kind, _slash, _name = one.template.partition("/")
    return {
        "kind": one.kind,
        "name": one.name,
        "outcome": done.outcome,
        "code": done.code,
        "reason": done.reason,
        "template_before": one.template,
        "template": f"{kind}/{to}" if to else one.template,
    }


def _refusal(one: ClusterApiResource, platform: str, configuration: Document | None) -> Pointing | None:
    def left(code: str, reason: str) -> Pointing:
        return Pointing("left_alone", code, reason)

    if _OF_TOPOLOGY in mapping_at(one.found, "metadata", "labels"):
        return left("topology", "a ClusterClass keeps its template: change the image there")
    if platform not in _FIELDS:
        return left("not_cloned", f"templates on {platform} are not cloned")
    if any(_keeps(manager, one.kind) for manager in _managers(configuration)):
        return Pointing("left_to_operator", "managed_by_operator", "the machine-config operator manages its image")
    return None


def _managers(configuration: Document | None) -> list[t.Any]:
    status = mapping_at(configuration, "status", "managedBootImagesStatus")
    spec = mapping_at(configuration, "spec", "managedBootImages")
    return list_at(status, "machineManagers") or list_at(spec, "machineManagers")


def _keeps(manager: Mapping[str, t.Any], kind: str) -> bool:
    is_its = text_at(manager, "apiGroup") == _GROUP and text_at(manager, "resource") == f"{kind.lower()}s"
    return is_its and text_at(manager, "selection", "mode") not in ("", "None")


def _hash(spec: t.Any) -> str:
    value = _FNV_OFFSET
    for byte in json.dumps(spec, sort_keys=True, separators=(",", ":")).encode():
        value = ((value ^ byte) * _FNV_PRIME) & 0xFFFFFFFF
    return f"{value:08x}"


def _aws(verdict: Verdict) -> dict[str, t.Any]:
    return {"ami": {"id": verdict.target.reference}}


def _azure(verdict: Verdict) -> dict[str, t.Any]:
    (change,) = verdict.changes
    image = next(iter(change.after))
    listed = {part: image[part] for part in ("publisher", "offer", "sku", "version")}
    return {"image": {"marketplace": {**listed, "thirdPartyImage": image["type"] == "MarketplaceWithPlan"}}}


def _gcp(verdict: Verdict) -> dict[str, t.Any]:
    return {"image": verdict.target.reference}


def _vsphere(verdict: Verdict) -> dict[str, t.Any]:
    return {"template": verdict.target.reference}


_FIELDS: Mapping[str, Callable[[Verdict], dict[str, t.Any]]] = {
    "AWS": _aws,
    "Azure": _azure,
    "GCP": _gcp,
    "VSphere": _vsphere,
}
