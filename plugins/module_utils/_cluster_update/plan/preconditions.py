# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What blocks an update, or is useful to know before it, with a reason for each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.admin_gates import AdminGate
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.release_request import (
    ReleaseRequest,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.update_pool import UpdatePool
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.upgradeability import is_outdated
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.version_state import (
    VersionState,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.listing import listed
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.operator_state import OperatorState
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.release_version import (
    ReleaseVersion,
)

NOT_UPGRADEABLE, NOT_EVALUATED = "not_upgradeable", "not_evaluated"
_NAMED = 5


@dataclass(frozen=True)
class Precondition:
    """One of them: ``code`` for programs, ``seen`` and ``advice`` for a person."""

    code: str
    blocking: bool
    seen: str
    advice: str


@dataclass(frozen=True)
class Situation:
    """What the judgement rests on.

    ``signed`` says whether the cluster holds a signature of the release or must get one with the request.
    ``nodes_without_images`` are the nodes that lack a pinned image of the release, as far as it was checked.
    """

    cluster: VersionState
    pools: tuple[UpdatePool, ...]
    gates: tuple[AdminGate, ...]
    signed: bool
    operators: tuple[OperatorState, ...] = ()
    nodes_without_images: tuple[str, ...] = ()
    accepted_risks: frozenset[str] = frozenset()
    replace_running_update: bool = False


def preconditions(request: ReleaseRequest, seen: Situation) -> tuple[Precondition, ...]:
    """Return all of them, those that block first.

    The rules on versions are those of the cluster version operator (pkg/payload/precondition/clusterversion): here
    they are known before anything is requested.
    """
    found = chain(
        _running(request, seen),
        _versions(request, seen),
        _risks(request, seen),
        _images(seen),
        _signature(seen),
        _pools(seen.pools),
    )
    return tuple(sorted(found, key=lambda one: not one.blocking))


def target_version(request: ReleaseRequest, cluster: VersionState) -> ReleaseVersion | None:
    """Return the version that is requested, as given or as the cluster knows the image; None when it is unknown."""
    known = [(one.image, one.version) for one in cluster.known_updates]
    known += [(one.image, one.version) for one in cluster.history]
    text = request.version or next((version for image, version in known if image == request.image), "")
    return ReleaseVersion.parse(text)


def _running(request: ReleaseRequest, seen: Situation) -> Iterator[Precondition]:
    newest = seen.cluster.history[0] if seen.cluster.history else None
    if newest is None:
        advice = "Wait until the cluster is installed."
        yield Precondition("not_installed", True, "the cluster has never completed a release", advice)
    elif newest.state == "Partial" and newest.image != request.image:
        words = f"the update to {newest.version} started at {newest.started} and has not ended"
        advice = "Wait until it ends, or set replace_running_update to replace it with this release."
        yield Precondition("another_update", not seen.replace_running_update, words, advice)


def _versions(request: ReleaseRequest, seen: Situation) -> Iterator[Precondition]:
    current = ReleaseVersion.parse(seen.cluster.desired_version)
    target = target_version(request, seen.cluster)
    if current is None or target is None:
        advice = "Set the version. The cluster version operator validates the image in any case."
        yield Precondition("version_unknown", False, "it is unknown whether this is a new minor version", advice)
        return
    if target < current:
        yield from _rollback(target, current, seen.cluster)
    elif _too_far(target, current):
        words = f"{target.minor_name} is more than one minor version beyond {current.minor_name}"
        yield Precondition("too_far", True, words, "Update to the minor versions in between first, one at a time.")
    if target.minor_name != current.minor_name:
        yield from _minor(seen)
    elif seen.cluster.upgradeable.status == "False":
        words = f"the cluster is not upgradeable: {seen.cluster.upgradeable.message}"
        advice = "This blocks updates to new minor versions, but not this update. Resolve it before the next one."
        yield Precondition(NOT_UPGRADEABLE, False, words, advice)


def _minor(seen: Situation) -> Iterator[Precondition]:
    upgradeable = seen.cluster.upgradeable
    for gate in seen.gates:
        advice = f"Resolve the described issue, then acknowledge {gate.key}."
        yield Precondition("admin_ack", True, f"{gate.key} is not acknowledged: {gate.description}", advice)
    if upgradeable.status != "False":
        return
    if is_outdated(seen.cluster, seen.operators, seen.gates):
        words = f"the cluster version operator still reports what is resolved ({upgradeable.reason})"
        yield Precondition(
            NOT_EVALUATED, False, words, "It evaluates this every two minutes. The request waits for it."
        )
    else:
        words = f"the cluster is not upgradeable ({upgradeable.reason}): {upgradeable.message}"
        advice = (
            "Resolve the named cause. The condition Upgradeable of each ClusterOperator shows which one blocks "
            "the update."
        )
        yield Precondition(NOT_UPGRADEABLE, True, words, advice)


def _too_far(target: ReleaseVersion, current: ReleaseVersion) -> bool:
    if target.major > current.major:
        return (current.major, target.major, target.minor) != (4, 5, 0)
    return target.minor > current.minor + 1


def _rollback(target: ReleaseVersion, current: ReleaseVersion, cluster: VersionState) -> Iterator[Precondition]:
    """Only a rollback to the release just before, within one minor version, is possible."""
    earlier = (
        entry.version
        for entry in cluster.history
        if (entry.version, entry.image) != (cluster.desired_version, cluster.desired_image)
    )
    previous = next(earlier, "")
    if target == ReleaseVersion.parse(previous) and target.minor_name == current.minor_name:
        advice = "This is a rollback, which not every component supports."
        yield Precondition("rollback", False, f"the cluster is rolled back to {previous}", advice)
        return
    words = f"{cluster.desired_version} is newer, and only a rollback to the release just before it is possible"
    yield Precondition("rollback", True, words, "Choose this release or a later one.")


def _risks(request: ReleaseRequest, seen: Situation) -> Iterator[Precondition]:
    for update in seen.cluster.known_updates:
        if update.image != request.image:
            continue
        for risk in update.risks:
            words = f"the update service warns of {risk.name}: {risk.message}"
            advice = f"Read {risk.url}. If the site accepts the risk, add {risk.name} to accepted_risks."
            yield Precondition("risk", risk.name not in seen.accepted_risks, words, advice)


def _images(seen: Situation) -> Iterator[Precondition]:
    if seen.nodes_without_images:
        words = f"images of the release are not pinned on {listed(sorted(seen.nodes_without_images), _NAMED)}"
        advice = "Load and pin them there first: without a registry, the node cannot pull them during the update."
        yield Precondition("missing_images", True, words, advice)


def _signature(seen: Situation) -> Iterator[Precondition]:
    if not seen.signed:
        words = "the cluster has no signature of the release"
        advice = (
            "Set the signature_config_map of the bundle. Otherwise the cluster version operator needs internet access."
        )
        yield Precondition("signature", False, words, advice)


def _pools(pools: tuple[UpdatePool, ...]) -> Iterator[Precondition]:
    for pool in pools:
        if pool.state.degraded:
            words = f"pool {pool.name} is degraded: {pool.state.degraded_reason or 'no reason is reported'}"
            advice = "Fix the named node: the pool applies no new configuration until then."
            yield Precondition("pool_degraded", False, words, advice)
        if pool.state.paused and pool.required:
            words = f"pool {pool.name} is paused, and the update is waiting for it"
            advice = "Everything else is updated in the meantime. Unpause the pool when its nodes may be rebooted."
            yield Precondition("required_pool_paused", False, words, advice)
        elif pool.state.paused:
            advice = "This is normal if workers are rolled in a separate maintenance window."
            yield Precondition("pool_paused", False, f"pool {pool.name} is paused and remains unchanged", advice)
