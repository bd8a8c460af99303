# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""How actors write the status of MachineConfigNodes, in which several have a share.

Copies machine-config-operator, pkg/upgrademonitor/upgrade_monitor.go (generateAndApplyMachineConfigNodes): a step and
what it is a part of are said together, what was said before is not said again, and a node that is updated, or not any
more, leaves all steps. Not copied: that a missing MachineConfigNode is created.
``tests/integration/lab/test_machine_config_node_conformance.py`` holds it to upstream's package.
"""

from __future__ import annotations

import typing as t
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.tests.lab.actors.actor import now
from ansible_collections.fieldops.openshift.tests.lab.errors import LabApiError
from ansible_collections.fieldops.openshift.tests.lab.rest import Json, RestClient
from ansible_collections.fieldops.openshift.tests.lab.seed.machine_configs import NODE_STEPS

NODES = "/apis/machineconfiguration.openshift.io/v1/machineconfignodes"
ANNOTATIONS = "machineconfiguration.openshift.io"
UPDATED, PREPARED = "Updated", "UpdatePrepared"
NOT_YET = "not-yet-set"
CONFLICT = 409


@dataclass(frozen=True)
class Said:
    """One condition; ``status`` is ``True``, ``False`` or ``Unknown``, which is a step that has begun."""

    kind: str
    status: str
    reason: str
    message: str

    def as_condition(self) -> Json:
        """Return it as the API has it, since now."""
        return _condition(self.kind, self.status, self.reason, self.message)


def report(client: RestClient, node: Json, parent: Said, child: Said | None = None, **status: t.Any) -> None:
    """Say something of a Node, and other fields of the status; again, if another has written in between."""
    path = f"{NODES}/{node['metadata']['name']}/status"
    while True:
        found = client.get(path)
        conditions = _conditions(found, parent, child)
        if conditions is None:
            return
        metadata = found["metadata"]
        told = {
            "conditions": conditions,
            "configVersion": _versions(node["metadata"].get("annotations", {}), parent),
            "observedGeneration": metadata["generation"] + 1,
            **status,
        }
        try:
            client.merge(path, {"metadata": {"resourceVersion": metadata["resourceVersion"]}, "status": told})
        except LabApiError as error:
            if error.status != CONFLICT:
                raise
        else:
            return


def _conditions(found: Json, parent: Said, child: Said | None) -> list[Json] | None:
    """Return all conditions as they are then, None where there is nothing new to say."""
    before = found.get("status", {}).get("conditions") or []
    news = {one.kind: one for one in (parent, child) if one}
    known = {one["type"]: one for one in before}
    old = known.get(parent.kind, {})
    if (old.get("status"), old.get("message")) == (parent.status, parent.message) and not _has_no_part(parent.kind):
        return None
    after = [news[one["type"]].as_condition() if one["type"] in news else _left(one, found, parent) for one in before]
    after += [one.as_condition() for kind, one in news.items() if kind not in known]
    return after if before else [*after, *(_not_yet(kind) for kind in (*NODE_STEPS, UPDATED) if kind not in news)]


def _left(one: Json, found: Json, parent: Said) -> Json:
    """Return what becomes of a condition of which nothing is said.

    Upstream means to take Updated back where a step begins without an update, but writes over that at once.
    """
    if parent.kind == UPDATED and one["status"] != "False":
        message = f"Action during update to {found['spec']['configVersion']['desired']}: {one['message']}"
        return _condition(one["type"], "False", one["reason"], message)
    return one


def _has_no_part(kind: str) -> bool:
    """Whether it is one of those that are written each time, for what stands beside them in the status."""
    return kind.startswith("PinnedImageSets")


def _not_yet(kind: str) -> Json:
    return _condition(kind, "False", "NotYetOccurred", f"This node has not yet entered the {kind} phase")


def _condition(kind: str, status: str, reason: str, message: str) -> Json:
    since = {"lastTransitionTime": now()}
    return {"type": kind, "status": status, "reason": reason, "message": message, **since}


def _versions(notes: dict[str, str], parent: Said) -> Json:
    """Return the configurations of a node: the wanted one only once it is known that the node can have it."""
    desired, current = (notes.get(f"{ANNOTATIONS}/{name}Config", "") for name in ("desired", "current"))
    is_known = parent.status == "True" if parent.kind == PREPARED else desired != ""
    return {"desired": desired if is_known else NOT_YET, **({"current": current} if current else {})}
