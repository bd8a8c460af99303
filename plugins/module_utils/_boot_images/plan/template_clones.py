# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Another boot image for a MachineSet of the Cluster API: a clone of its template, which it is pointed at.

A template is never changed. The one of before is kept, so that going back is pointing the MachineSet at it again.
Source: machine-config-operator, docs/BootImageCAPIDesign.md: names by a hash of the specification (FNV-1a, 32 bits), no
blockOwnerDeletion, MachineSets of the Machine API's mirror left alone, Amazon's cloud alone.
"""

from __future__ import annotations

import json
import typing as t
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.documents import (
    Document,
    list_at,
    mapping_at,
    text_at,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.verdict import CURRENT, OUTDATED

if t.TYPE_CHECKING:
    from collections.abc import Mapping

    from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.cluster_api import (
        ClusterApiResource,
    )
    from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.verdict import Verdict

BEFORE = "fieldops-openshift/template-before"
"""Annotation of a MachineSet: the template that it had before it was pointed at a clone."""
PLATFORM = "AWS"
_GROUP = "cluster.x-k8s.io"
_FNV_OFFSET, _FNV_PRIME = 0x811C9DC5, 0x01000193


@dataclass(frozen=True)
class Pointing:
    """What is to become of one object: ``outcome`` as results show it, ``to`` the template that it is pointed at.

    ``image`` is that of the clone that becomes ``to``, empty where the template is there.
    """

    outcome: str
    code: str
    reason: str = ""
    to: str = ""
    image: str = ""


def update_of(one: ClusterApiResource, verdict: Verdict, platform: str, configuration: Document | None) -> Pointing:
    """Return how a MachineSet gets the right image."""
    if verdict.standing != OUTDATED:
        outcome = "unchanged" if verdict.standing == CURRENT else verdict.standing
        return Pointing(outcome, verdict.code, verdict.reason)
    refusal = _refusal(one, platform, configuration)
    return refusal or Pointing("updated", verdict.code, verdict.reason, image=verdict.target.reference)


def reversion_of(one: ClusterApiResource, platform: str, configuration: Document | None) -> Pointing:
    """Return how a MachineSet gets the template that it had before."""
    before = text_at(mapping_at(one.found, "metadata", "annotations"), BEFORE)
    if not before:
        return Pointing("unchanged", "no_clone", "it was pointed at no clone")
    return _refusal(one, platform, configuration) or Pointing("reverted", "", to=before)


def clone_of(template: Document, owner: str, image: str) -> dict[str, t.Any]:
    """Return a template like ``template`` that boots ``image``, under a name of its owner's and its content."""
    spec = json.loads(json.dumps(template["spec"]))
    spec["template"]["spec"]["ami"] = {"id": image}
    metadata = mapping_at(template, "metadata")
    owners = [
        {key: value for key, value in one.items() if key != "blockOwnerDeletion"}
        for one in list_at(metadata, "ownerReferences")
    ]
    kept = {"labels": metadata.get("labels"), "ownerReferences": owners}
    name = {"name": f"{owner}-{_hash(spec)}", "namespace": text_at(metadata, "namespace")}
    return {"metadata": {**name, **{key: value for key, value in kept.items() if value}}, "spec": spec}


def pointing_patch(to: str, before: str | None) -> dict[str, t.Any]:
    """Return the merge patch that points a MachineSet at a template; ``before`` is what is noted as that of before."""
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

    if one.kind != "MachineSet":
        return left("replaces_machines", "with another template it replaces its machines")
    if platform != PLATFORM:
        return left("not_cloned", f"templates on {platform} are not cloned")
    if any(map(_keeps, _managers(configuration))):
        return Pointing("left_to_operator", "managed_by_operator", "the machine-config operator keeps its image")
    return None


def _managers(configuration: Document | None) -> list[t.Any]:
    status = mapping_at(configuration, "status", "managedBootImagesStatus")
    spec = mapping_at(configuration, "spec", "managedBootImages")
    return list_at(status, "machineManagers") or list_at(spec, "machineManagers")


def _keeps(manager: Mapping[str, t.Any]) -> bool:
    is_its = text_at(manager, "apiGroup") == _GROUP and text_at(manager, "resource") == "machinesets"
    return is_its and text_at(manager, "selection", "mode") not in ("", "None")


def _hash(spec: t.Any) -> str:
    value = _FNV_OFFSET
    for byte in json.dumps(spec, sort_keys=True, separators=(",", ":")).encode():
        value = ((value ^ byte) * _FNV_PRIME) & 0xFFFFFFFF
    return f"{value:08x}"
