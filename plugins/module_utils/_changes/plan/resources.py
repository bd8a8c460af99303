# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The resources that change management governs, and which changes of theirs are pending.

Source: openshift/enhancements pull request 1571, "Resources Supporting Change Management".
"""

from __future__ import annotations

import re
import typing as t
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.config_targets import ConfigTargets
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.pending_changes import PENDING
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.policy_error import PolicyError, quoted
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.stanzas import ABSENT, RESOURCE_KINDS
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_state import NodeState
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.pause_record import PauseRecord

CLUSTER_VERSION, POOL, HOSTED_CLUSTER, NODE_POOL = RESOURCE_KINDS
HOSTED_KINDS = (HOSTED_CLUSTER, NODE_POOL)
CONTROL_PLANE, WORKER_NODES = "control-plane", "worker-nodes"
MASTER_POOL = "master"
PAUSED_BY, PAUSED_BY_US = "fieldops.openshift/paused-by", "change-management"
"""Annotation on a hosted resource that we paused; a pause without it is another user's and stays as it is."""
ENFORCED = "fieldops.openshift/enforced"
"""Label on what change management is enforced on; the admission policy looks at what has it, and at nothing else."""
GOVERNED_SITE = "fieldops.openshift/governed"
"""Annotation on ClusterVersion: in this site a resource that nothing is assigned to is closed, not open."""

NAME = re.compile(r"[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?", re.ASCII)
_LABEL = re.compile(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?", re.ASCII)
_RENDERED = re.compile(r"rendered-(?P<pool>.+)-[0-9a-f]{32}", re.ASCII)


@dataclass(frozen=True, order=True)
class ResourceName:
    """Which resource is meant; ``namespace`` is empty for kinds of the whole cluster."""

    kind: str
    name: str
    namespace: str = ""

    @property
    def key(self) -> str:
        """Return the key of its entry among the assignments."""
        return ".".join(filter(None, (self.kind, self.namespace, self.name)))

    @property
    def system(self) -> str:
        """Return the value of the metrics' label ``system``."""
        above = self.kind in (CLUSTER_VERSION, HOSTED_CLUSTER) or self == ResourceName(POOL, MASTER_POOL)
        return CONTROL_PLANE if above else WORKER_NODES

    @property
    def title(self) -> str:
        """Return the resource for people."""
        return f"{self.kind} {self.namespace}/{self.name}" if self.namespace else f"{self.kind} {self.name}"

    @classmethod
    def of(cls, kind: str, name: str, namespace: str = "") -> ResourceName:
        """Return the name from its parts; raise PolicyError for parts that cannot be one."""
        if kind not in RESOURCE_KINDS:
            raise PolicyError(
                "kind", f"{quoted(kind)} is not a governed kind", f"Use one of {', '.join(RESOURCE_KINDS)}."
            )
        if not NAME.fullmatch(name):
            raise PolicyError(
                "name", f"{quoted(name)} is not a valid name", "Use lower-case letters, digits, '-' and '.'."
            )
        hosted = kind in HOSTED_KINDS
        if hosted != bool(namespace) or (hosted and not _LABEL.fullmatch(namespace)):
            rule = "Set the namespace of a HostedCluster or NodePool. Other kinds have none."
            raise PolicyError("namespace", f"{quoted(namespace)} is set for a {kind}", rule)
        return cls(kind, name, namespace)

    @classmethod
    def of_key(cls, key: str) -> ResourceName:
        """Return the name that ``key`` stands for; raise PolicyError for a key that is none."""
        kind, _dot, rest = key.partition(".")
        if kind in HOSTED_KINDS:
            namespace, _dot, name = rest.partition(".")
            return cls.of(kind, name, namespace)
        return cls.of(kind, rest)


@dataclass(frozen=True)
class Resource:
    """A resource as it was read: its own stanza where the API has one, whether a change is pending, since
    when as far as the API shows, and was started.

    ``target`` is the configuration that a MachineConfigPool goes to, or the HostedCluster that a NodePool belongs to.
    ``paused_until`` and ``paused_by`` are those of hosted resources; ``paused``, ``pause`` and the ``configs`` that
    concern it those of pools; ``enforced`` is the mark of what is enforced, see ``enforcement.py``. ``governs_site`` is
    the mark on ClusterVersion of a site that declared itself governed.
    """

    name: ResourceName
    stanza: object = ABSENT
    pending: bool = False
    pending_reason: str = ""
    pending_since: str = ""
    begun: bool = False
    target: str = ""
    paused_until: str = ""
    paused_by: str = ""
    governs_site: bool = False
    paused: bool = False
    pause: PauseRecord | None = None
    enforced: str = ""
    configs: ConfigTargets = field(default_factory=ConfigTargets)


def resource_of(found: Mapping[str, t.Any]) -> Resource:
    """Return an API object of one of the four kinds as a resource."""
    kind = found["kind"]
    metadata, spec = found["metadata"], found.get("spec") or {}
    notes = metadata.get("annotations") or {}
    reason, since = PENDING[kind](found)
    return Resource(
        name=ResourceName(kind, metadata["name"], metadata.get("namespace") or ""),
        stanza=spec.get("changeManagement", ABSENT),
        pending=bool(reason),
        pending_reason=reason,
        pending_since=since,
        begun=bool(reason) and _is_begun(kind, found),
        target=_target(kind, spec),
        paused_until=str(spec.get("pausedUntil") or "") if kind in HOSTED_KINDS else "",
        paused_by=str(notes.get(PAUSED_BY) or ""),
        paused=kind == POOL and bool(spec.get("paused")),
        pause=PauseRecord.of(found) if kind == POOL else None,
        enforced=str((metadata.get("labels") or {}).get(ENFORCED) or ""),
        configs=ConfigTargets.of(found) if kind == POOL else ConfigTargets(),
        governs_site=kind == CLUSTER_VERSION and GOVERNED_SITE in notes,
    )


def anticipated(resources: list[Resource]) -> list[Resource]:
    """Return resources as they are once pools are known to follow an update of the release.

    It is pending for them as soon as it is requested, before the machine-config operator renders anything, which is the
    last thing to happen on the control plane.
    """
    asked = next((one for one in resources if one.name.kind == CLUSTER_VERSION and one.pending), None)
    if asked is None:
        return resources
    reason = f"it follows the control plane: {asked.pending_reason}"
    return [
        replace(one, pending=True, pending_reason=reason, pending_since=asked.pending_since)
        if one.name.kind == POOL and not one.pending
        else one
        for one in resources
    ]


def _is_begun(kind: str, found: Mapping[str, t.Any]) -> bool:
    """Return whether a change was started and continues, even if change is restricted now. Pools start node by node."""
    status = found.get("status") or {}
    if kind == HOSTED_CLUSTER:
        status = status.get("version") or {}
    return kind == NODE_POOL or any(one.get("state") == "Partial" for one in (status.get("history") or ())[:1])


def _target(kind: str, spec: Mapping[str, t.Any]) -> str:
    if kind == POOL:
        return (spec.get("configuration") or {}).get("name") or ""
    return spec.get("clusterName") or "" if kind == NODE_POOL else ""


def pool_of(node: NodeState, pools: t.Container[str]) -> str:
    """Return the name of the pool that a node belongs to, empty when none of ``pools``.

    The machine-config operator names rendered configurations after their pool (pkg/controller/common/helpers.go);
    where no daemon runs a role of the node's decides.
    """
    found = _RENDERED.fullmatch(node.desired_config)
    if found and found["pool"] in pools:
        return found["pool"]
    return next((role for role in node.roles if role in pools), "")


def pending_on(node: NodeState, target: str) -> str:
    """Return which change is pending on ``node`` of a pool with the configuration ``target``, empty for none."""
    if not node.is_managed or not target or (node.current_config == target and node.is_updated):
        return ""
    return f"it has {node.current_config or 'no configuration'}, its pool {target}"


def is_begun(node: NodeState, target: str) -> bool:
    """Return whether the change to ``target`` was started on ``node``: a started change is not stopped."""
    return bool(target) and node.desired_config == target
