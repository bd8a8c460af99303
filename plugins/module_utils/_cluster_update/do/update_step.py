# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""One step of an update: request the release if necessary and permitted, then report the progress."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.api_error import ApiError
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.differences import differ, difference
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.server_time import cluster_now
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.do.read_update import (
    VERSION_NAME,
    UpdateObservation,
    judge,
    read_gates,
    read_observation,
    unacknowledged,
    update_report,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.do.stale_record import stale_record
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.errors import (
    UpdateBlockedError,
    UpdateFailedError,
    UpdateRefusedError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.admin_gates import (
    ACKS_NAME,
    ACKS_NAMESPACE,
    acknowledgement,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.preconditions import (
    NOT_EVALUATED,
    Precondition,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.release_request import (
    ReleaseRequest,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.shown_diff import diff_of
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.signature_document import (
    checked_signature,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.update_estimate import (
    update_estimate,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.update_progress import (
    COMPLETED,
    FAILING,
    NONE,
    REFUSED,
    REQUESTED,
    SUPERSEDED,
    UpdateProgress,
    progress_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.micro_time import instant_of
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import CLUSTER_VERSION, CONFIG_MAP
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Step
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.permission import Guard, Permission

REQUEST_OPTIONS: Mapping[str, Mapping[str, t.Any]] = {
    "image": {"type": "str", "required": True},
    "version": {"type": "str", "default": ""},
    "nodes_without_images": {"type": "list", "elements": "str", "default": []},
    "accepted_risks": {"type": "list", "elements": "str", "default": []},
    "replace_running_update": {"type": "bool", "default": False},
}
UPDATE_OPTIONS: Mapping[str, Mapping[str, t.Any]] = {
    **REQUEST_OPTIONS,
    "state": {"type": "str", "choices": ["requested", "withdrawn"], "default": "requested"},
    "signature_config_map": {"type": "dict"},
    "acknowledged_gates": {"type": "list", "elements": "str", "default": []},
    "wait_for": {"type": "str", "choices": ["accepted", "operators", "completed", "nodes"], "default": "completed"},
    "patience": {"type": "int", "default": 600},
}
DELAY = 10.0


@dataclass(frozen=True)
class _Order:
    """What to request: ``acknowledged`` gates, and the release unless the cluster is yet to be evaluated again."""

    found: tuple[Precondition, ...]
    acknowledged: Mapping[str, str]

    @property
    def held_back(self) -> bool:
        return any(one.code == NOT_EVALUATED for one in self.found)


@dataclass(frozen=True)
class _Asked:
    """What the request wrote, as states of the objects before and after."""

    writes: tuple[tuple[Mapping[str, t.Any] | None, Mapping[str, t.Any]], ...] = ()

    @property
    def changed(self) -> bool:
        return any(differ(before, after) for before, after in self.writes)

    @property
    def diff(self) -> dict[str, t.Any] | None:
        return diff_of(difference(before, after) for before, after in self.writes if differ(before, after))


def update_step(client: ClusterClient, params: Mapping[str, t.Any], guard: Guard) -> Step:
    """Ask for the release if need be, and return how far it is; every call may be the first.

    Before anything is written ``guard`` is evaluated for the cluster as a whole, unless the cluster has started; what
    it restricts is done. Raise UpdateBlockedError before that, UpdateRefusedError and UpdateFailedError when the
    cluster has held on to its answer for ``patience`` seconds, InvalidInputError, MissingRequirementError and ApiError.
    """
    request = ReleaseRequest.of(params["image"], params["version"])
    signature = params["signature_config_map"]
    document = checked_signature(signature, request) if signature else None
    observation = read_observation(client)
    progress = progress_of(request, observation.cluster, observation.operators, observation.pools)
    if progress.state == SUPERSEDED and not params["replace_running_update"]:
        raise _superseded(request, observation, progress)
    order = _order(client, request, observation, params) if progress.state in (NONE, SUPERSEDED) else None
    permission = None if progress.begun else guard.ask("", update_estimate(observation.cluster.history))
    if permission and not permission.permitted:
        found = order.found if order else ()
        return _restricted(request, permission, update_report(request, observation, progress, found))
    asked = _Asked()
    if order:
        asked = _ask(client, request, observation, document, order)
        progress = _after_asking(request, client, order)
    elif not progress.begun and document:
        asked = _Asked((_bring_signature(client, document),))
    report = update_report(request, observation, progress, order.found if order else ())
    done = progress.reaches(params["wait_for"])
    # What fails because nodes wait has come as far as it can without them.
    if not done and not asked.changed:
        _check_patience(client, request, progress, params["patience"], report)
    actions = client.actions.as_data() if asked.changed else ()
    return Step(progress.sentence, done, asked.changed, with_permission(report, permission), actions, asked.diff, DELAY)


def with_permission(report: Mapping[str, t.Any], asked: Permission | None) -> dict[str, t.Any]:
    """Return the values that cluster_update returns; ``asked`` is none where no permission was needed."""
    return {**report, "permission": asked.as_data() if asked else None, "ended": asked.ended if asked else None}


def look_at_update(client: ClusterClient, params: Mapping[str, t.Any]) -> dict[str, t.Any]:
    """Return what ``update_step`` would judge by, without writing anything."""
    request = ReleaseRequest.of(params["image"], params["version"])
    observation = read_observation(client)
    progress = progress_of(request, observation.cluster, observation.operators, observation.pools)
    gates, acks = read_gates(client)
    closed = unacknowledged(observation, gates, acks)
    found = judge(client, request, observation, closed, params) if progress.state != COMPLETED else ()
    report = update_report(request, observation, progress, found)
    named = [{"key": gate.key, "description": gate.description} for gate in closed]
    blocked = any(one.blocking for one in found)
    return {**report, "sentence": progress.sentence, "admin_gates": named, "blocked": blocked}


def _order(
    client: ClusterClient, request: ReleaseRequest, observation: UpdateObservation, params: Mapping[str, t.Any]
) -> _Order:
    """Return what to request; raise UpdateBlockedError where a precondition is not met."""
    gates, acks = read_gates(client)
    wanted = acknowledgement(params["acknowledged_gates"], gates)
    closed = unacknowledged(observation, gates, {**acks, **wanted})
    found = judge(client, request, observation, closed, params)
    if any(one.blocking for one in found):
        raise _blocked(request, observation, found)
    missing = wanted if wanted.items() - acks.items() else {}
    return _Order(found, missing)


def _ask(
    client: ClusterClient,
    request: ReleaseRequest,
    observation: UpdateObservation,
    document: Mapping[str, t.Any] | None,
    order: _Order,
) -> _Asked:
    """Write acknowledgements, signature and request, in this order: each is worth nothing without those before it."""
    writes = [_acknowledge(client, order.acknowledged)] if order.acknowledged else []
    if not order.held_back:
        if document:
            writes.append(_bring_signature(client, document))
        writes.append(_request(client, request, observation))
    return _Asked(tuple(writes))


def _acknowledge(
    client: ClusterClient, wanted: Mapping[str, str]
) -> tuple[Mapping[str, t.Any] | None, Mapping[str, t.Any]]:
    before = client.get(CONFIG_MAP, ACKS_NAME, ACKS_NAMESPACE)
    if before is None:
        metadata = {"name": ACKS_NAME, "namespace": ACKS_NAMESPACE}
        return None, client.create(CONFIG_MAP, {"metadata": metadata, "data": dict(wanted)})
    return before, client.patch(CONFIG_MAP, ACKS_NAME, {"data": dict(wanted)}, ACKS_NAMESPACE)


def _bring_signature(
    client: ClusterClient, document: Mapping[str, t.Any]
) -> tuple[Mapping[str, t.Any] | None, Mapping[str, t.Any]]:
    metadata = document["metadata"]
    before = client.get(CONFIG_MAP, metadata["name"], metadata["namespace"])
    if before and (before.get("binaryData") or {}).items() >= document["binaryData"].items():
        return before, before
    return before, client.apply(document)


def _request(
    client: ClusterClient, request: ReleaseRequest, observation: UpdateObservation
) -> tuple[Mapping[str, t.Any] | None, Mapping[str, t.Any]]:
    """Write the request onto the very ClusterVersion that was judged; a newer one is judged in the next step."""
    before = client.get(CLUSTER_VERSION, VERSION_NAME)
    try:
        after = client.patch(
            CLUSTER_VERSION, VERSION_NAME, request.as_patch(), resource_version=observation.cluster.resource_version
        )
    except ApiError as error:
        if error.status == 409:
            error.transient = True
        if stale := stale_record(client, error):
            raise stale from error
        raise
    return before, after


def _after_asking(request: ReleaseRequest, client: ClusterClient, order: _Order) -> UpdateProgress:
    if order.held_back:
        return UpdateProgress(NONE, next(one.seen for one in order.found if one.code == NOT_EVALUATED))
    return UpdateProgress(REQUESTED, f"{request.name} {'would be' if client.dry_run else 'was'} requested")


def _restricted(request: ReleaseRequest, permission: Permission, report: Mapping[str, t.Any]) -> Step:
    sentence = f"the update to {request.name} must not start now: {permission.sentence}"
    return Step(sentence, True, objects=with_permission(report, permission), actions=(), next_delay=DELAY)


def _blocked(
    request: ReleaseRequest, observation: UpdateObservation, found: tuple[Precondition, ...]
) -> UpdateBlockedError:
    progress = UpdateProgress(NONE, "no release was requested")
    blocking = [one for one in found if one.blocking]
    return UpdateBlockedError(
        f"request {request.name}",
        on="ClusterVersion version",
        seen="; ".join(one.seen for one in blocking),
        advice=" ".join(dict.fromkeys(one.advice for one in blocking)),
        partial=update_report(request, observation, progress, found),
    )


def _superseded(request: ReleaseRequest, observation: UpdateObservation, progress: UpdateProgress) -> UpdateFailedError:
    return UpdateFailedError(
        f"update the cluster to {request.name}",
        on="ClusterVersion version",
        seen=progress.sentence,
        advice="Check who requested it. To update to this release nevertheless, set replace_running_update.",
        partial=update_report(request, observation, progress, ()),
    )


def _check_patience(
    client: ClusterClient, request: ReleaseRequest, progress: UpdateProgress, patience: int, report: Mapping[str, t.Any]
) -> None:
    """Raise when the operator has refused, or failed, for longer than ``patience`` seconds.

    It tries again by itself, every two to four minutes only (cluster-version-operator, pkg/start/start.go,
    minResyncPeriod): its first message is not its last. The same holds for its messages while the nodes were rolled.
    """
    if progress.state not in (REFUSED, FAILING):
        return
    since = instant_of(max(progress.trouble_since, progress.nodes_updated))
    if since is not None and (cluster_now(client) - since).total_seconds() < patience:
        return
    if progress.state == REFUSED:
        raise UpdateRefusedError(
            f"update the cluster to {request.name}",
            on="ClusterVersion version",
            seen=f"the cluster version operator has rejected it since {progress.trouble_since}: {progress.trouble}",
            advice="Nothing was changed in the cluster. Resolve the reason; the operator retries on its own.",
            partial=report,
        )
    raise UpdateFailedError(
        f"update the cluster to {request.name}",
        on="ClusterVersion version",
        seen=f"it has failed since {progress.trouble_since}: {progress.trouble}; {progress.sentence.partition(';')[0]}",
        advice="The cluster runs parts of both releases and retries automatically. Fix the named cause, then run "
        "the play again.",
        partial=report,
    )
