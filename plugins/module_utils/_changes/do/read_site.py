# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""Reads what change management governs, and judges it at the present instant."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass, replace

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.asker import CLOCK_LIMIT, Asker, who_asks
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.changes_store import read_stored
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.resources import (
    Resource,
    ResourceName,
    resource_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.site_changes import (
    Governance,
    Judged,
    judge,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.store_documents import (
    POLICIES,
    Entries,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_state import NodeState
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import (
    CLUSTER_VERSION,
    MACHINE_CONFIG_POOL,
    NODE,
    ObjectKind,
)

if t.TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient

HOSTED_CLUSTER = ObjectKind("hypershift.openshift.io/v1beta1", "HostedCluster")
NODE_POOL = ObjectKind("hypershift.openshift.io/v1beta1", "NodePool")
GOVERNED_KINDS = (CLUSTER_VERSION, MACHINE_CONFIG_POOL, HOSTED_CLUSTER, NODE_POOL)

LOOK_SECONDS = 20.0
"""How long one look may try to get answers."""

Document = dict[str, t.Any]


@dataclass(frozen=True)
class Look:
    """What one look takes from its module's options.

    ``policies`` and ``assignments`` are documents given by the play, in place of the stored ones. In a ``governed``
    site what nothing is assigned to is closed.
    """

    policies: Mapping[str, t.Any] | None = None
    assignments: Mapping[str, t.Any] | None = None
    windows: int = 3
    clock_limit: int = CLOCK_LIMIT
    governed: bool = False

    def with_stanza(self, stanza: Mapping[str, t.Any], *names: ResourceName) -> Look:
        """Return this look with ``stanza`` as that of all ``names``, whatever the cluster keeps for them."""
        return replace(self, policies=self.policies or {}, assignments={name.key: stanza for name in names})


@dataclass(frozen=True)
class Site:
    """What was read and judged."""

    asker: Asker
    governance: Governance
    judged: tuple[Judged, ...]
    nodes: tuple[NodeState, ...]

    @property
    def now(self) -> int:
        """Return the instant of the judgement by our own clock."""
        return self.asker.clock.answered

    def of(self, name: ResourceName) -> Judged | None:
        """Return the judgement on one resource, None when there is no such resource."""
        return next((one for one in self.judged if one.resource.name == name), None)


def read_site(client: ClusterClient, look: Look, *, with_nodes: bool = True) -> Site:
    """Read the cluster once and judge it; raise ApiError when the API does not answer for LOOK_SECONDS or refuses.

    One request for each kind and page, two for what is stored, and one that says who asks and what time it is.
    """
    deadline = Deadline(LOOK_SECONDS, client.clock)
    resources = [
        resource_of(found)
        for kind in GOVERNED_KINDS
        for found in client.list_objects(kind, missing_ok=True, deadline=deadline)
    ]
    governance = _governance(client, look, resources, deadline)
    nodes = [NodeState.of(found) for found in client.list_objects(NODE, deadline=deadline)] if with_nodes else []
    asker = who_asks(client, clock_limit=look.clock_limit, deadline=deadline)
    judged = judge(resources, governance, asker.clock, look.windows)
    return Site(asker, governance, tuple(judged), tuple(nodes))


def _governance(client: ClusterClient, look: Look, resources: Iterable[Resource], deadline: Deadline) -> Governance:
    """Return policies and assignments, those of the play where it gives any."""
    stored = read_stored(client, deadline)
    return Governance(
        stored.policies if look.policies is None else Entries(POLICIES, look.policies),
        stored.assignments if look.assignments is None else _given(stored.assignments, look.assignments),
        governed=look.governed or any(one.governs_site for one in resources),
    )


def _given(stored: Entries, stanzas: Mapping[str, t.Any]) -> Entries:
    """Return what a play assigns, which is all that is assigned then. Overrides of the cluster are in force over it."""
    overridden = {key: one for key, one in stored.documents.items() if one.get("override") is not None}
    documents = {key: {"override": one["override"]} for key, one in overridden.items()}
    for key, stanza in stanzas.items():
        documents[key] = {**documents.get(key, {}), "changeManagement": stanza}
    return replace(stored, documents=documents)
