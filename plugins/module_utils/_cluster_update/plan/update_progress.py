# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""How far an update has come, as a state and in a sentence for a person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.release_request import (
    ReleaseRequest,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.update_pool import UpdatePool
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.version_state import (
    HistoryEntry,
    VersionState,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.listing import listed
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.operator_state import OperatorState

NONE = "none"
REQUESTED = "requested"
REFUSED = "refused"
PARTIAL = "partial"
FAILING = "failing"
COMPLETED = "completed"
SUPERSEDED = "superseded"

_LAST_OPERATOR = "machine-config"


@dataclass(frozen=True)
class UpdateProgress:
    """Where the update stands.

    ``state`` is one of the constants above. ``operators_behind`` names those not at the release yet. ``trouble`` is
    what the cluster version operator says against it, since ``trouble_since``; both are empty while all is well.
    ``nodes_updated`` is when the last node that the release waited for was updated, empty while it waits for more than
    its last operator: that one, and then the cluster version operator, still have to see it. Empty as well where no
    node has been updated since the update started. ``nodes_left`` while some pool is not counted as updated, of
    workers too.
    """

    state: str
    sentence: str
    operators_behind: tuple[str, ...] = ()
    waits_for_nodes: bool = False
    trouble: str = ""
    trouble_since: str = ""
    nodes_updated: str = ""
    nodes_left: bool = False

    @property
    def begun(self) -> bool:
        """Whether the cluster has accepted the release, so that it is followed whatever change management says.

        An update that was requested and has not started can start at any time.
        """
        return self.state in (PARTIAL, FAILING, COMPLETED)

    def reaches(self, goal: str) -> bool:
        """Whether ``goal`` is reached: ``accepted``, ``operators``, ``completed`` or ``nodes``.

        ``operators`` are all but the one that rolls nodes, for sites that roll their nodes themselves, once it has
        rendered the release for them; nodes that it requires may be through by then. ``nodes`` are all of them, those
        of workers too, as the machine-config operator counts them.
        """
        if self.state == COMPLETED:
            return goal != "nodes" or not self.nodes_left
        rendered = self.waits_for_nodes or bool(self.nodes_updated)
        return self.begun and (goal == "accepted" or (goal == "operators" and rendered))


def progress_of(
    request: ReleaseRequest, cluster: VersionState, operators: Sequence[OperatorState], pools: Sequence[UpdatePool]
) -> UpdateProgress:
    """Return the progress of the cluster to ``request``."""
    entry = next((one for one in cluster.history if one.image == request.image), None)
    newest = cluster.history[0] if cluster.history else None
    if not request.is_requested(cluster):
        return _not_requested(request, cluster, entry)
    if newest is not None and newest.image == request.image:
        if newest.state == "Completed":
            return _completed(newest, pools)
        return _partial(newest, cluster, operators, pools)
    return _not_begun(request, cluster)


def _not_requested(request: ReleaseRequest, cluster: VersionState, entry: HistoryEntry | None) -> UpdateProgress:
    if entry is not None and entry.state == "Partial":
        other = cluster.requested_version or cluster.desired_version
        return UpdateProgress(SUPERSEDED, f"{other} was requested before {request.name} was complete")
    current = cluster.current_version or "no release yet"
    return UpdateProgress(NONE, f"the cluster is at {current}, and {request.name} has not been requested")


def _not_begun(request: ReleaseRequest, cluster: VersionState) -> UpdateProgress:
    for condition, against in ((cluster.invalid, "True"), (cluster.release_accepted, "False")):
        if cluster.observed and condition.status == against and _is_about(request, condition.message, condition.type):
            sentence = f"the cluster version operator rejects {request.name}: {condition.message}"
            return UpdateProgress(REFUSED, sentence, trouble=condition.message, trouble_since=condition.last_transition)
    said = cluster.release_accepted.message if cluster.release_accepted.status == "Unknown" else ""
    heard = f": {said}" if said else ""
    return UpdateProgress(REQUESTED, f"the cluster version operator has not accepted {request.name} yet{heard}")


def _is_about(request: ReleaseRequest, message: str, condition: str) -> bool:
    """Whether a refusal is about this release: it stands until the operator has looked at the next request."""
    return condition == "Invalid" or request.digest_hex in message


def _partial(
    entry: HistoryEntry, cluster: VersionState, operators: Sequence[OperatorState], pools: Sequence[UpdatePool]
) -> UpdateProgress:
    behind = _behind(entry, operators)
    only_last = _only_last(behind, operators)
    # Before it waits for nodes it renders the release: rolling them earlier would find nothing, or an older one.
    left = any(pool.required and pool.waits for pool in pools) and not _unrendered(entry, pools)
    waits = only_last and (not behind or not pools or left)
    failing = cluster.failing.is_true
    parts = [f"updating to {entry.version}: {len(operators) - len(behind)} of {len(operators)} operators are updated"]
    if only_last and behind:
        parts.append(_node_words(pools) if waits else _last_words(entry, pools))
    elif behind:
        parts.append(f"next {listed(behind)}")
    if failing:
        parts.append(f"failing: {cluster.failing.message}")
    return UpdateProgress(
        FAILING if failing else PARTIAL,
        "; ".join(parts),
        operators_behind=behind,
        waits_for_nodes=waits,
        trouble=cluster.failing.message if failing else "",
        trouble_since=cluster.failing.last_transition if failing else "",
        nodes_updated=_last_updated(entry, pools) if only_last else "",
    )


def waits_for_last_operator(cluster: VersionState, operators: Sequence[OperatorState]) -> bool:
    """Whether an update is in progress in which no operator but the one that rolls nodes is behind."""
    newest = cluster.history[0] if cluster.history else None
    return newest is not None and newest.state == "Partial" and _only_last(_behind(newest, operators), operators)


def _only_last(behind: Sequence[str], operators: Sequence[OperatorState]) -> bool:
    return set(behind) <= {_LAST_OPERATOR} and bool(operators)


def _behind(entry: HistoryEntry, operators: Sequence[OperatorState]) -> tuple[str, ...]:
    return tuple(one.name for one in operators if one.version != entry.version)


def _unrendered(entry: HistoryEntry, pools: Sequence[UpdatePool]) -> list[str]:
    """Return which required pools have a configuration that was rendered for another release."""
    return [pool.name for pool in pools if pool.required and pool.rendered_for != entry.version]


def _last_updated(entry: HistoryEntry, pools: Sequence[UpdatePool]) -> str:
    """Return when the last of the required pools was updated to the release, nothing while one of them is not."""
    required = [pool for pool in pools if pool.required]
    if any(pool.waits for pool in required) or _unrendered(entry, required):
        return ""
    updated = max((pool.state.updated_since for pool in required), default="")
    return updated if updated > entry.started else ""


def _last_words(entry: HistoryEntry, pools: Sequence[UpdatePool]) -> str:
    """Say what the last operator is at while no node waits for the release."""
    unrendered = _unrendered(entry, pools)
    if unrendered:
        return (
            f"{_LAST_OPERATOR} has not rendered the configuration of {entry.version} yet for pool "
            f"{', '.join(unrendered)}"
        )
    if _last_updated(entry, pools):
        return f"{_LAST_OPERATOR} has not detected yet that its nodes are updated"
    return f"{_LAST_OPERATOR} is in progress, and no node has a new configuration yet"


def _node_words(pools: Sequence[UpdatePool]) -> str:
    waiting = [pool.words for pool in pools if pool.required and pool.waits]
    return f"{_LAST_OPERATOR} is waiting for its nodes" + (f": {', '.join(waiting)}" if waiting else "")


def _completed(entry: HistoryEntry, pools: Sequence[UpdatePool]) -> UpdateProgress:
    waiting = [pool.words for pool in pools if pool.waits]
    rest = f"; {', '.join(waiting)}" if waiting else ", and so have all nodes"
    sentence = f"the cluster has been at {entry.version} since {entry.completed}{rest}"
    return UpdateProgress(COMPLETED, sentence, nodes_left=bool(waiting))
