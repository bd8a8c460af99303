# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Enforces change management for all clients: pauses, and the published state that the admission policy reads."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.read_site import (
    HOSTED_CLUSTER,
    NODE_POOL,
    GuardCheck,
    Site,
    read_site,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.durations import read_duration
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.enforcement import (
    ADMISSION,
    STATE,
    Enforced,
    binding_of,
    enforced,
    published,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.instants import write_instant
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.resources import ResourceName
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.site_changes import (
    MASTER,
    THE_CLUSTER,
    Judged,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.store_documents import config_map
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.api_error import ApiError
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.own_namespace import create_in_own_namespace
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.side_by_side import side_by_side
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import NAMESPACE
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import (
    CLUSTER_VERSION,
    CONFIG_MAP,
    MACHINE_CONFIG_POOL,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Result

_KINDS = {kind.kind: kind for kind in (CLUSTER_VERSION, MACHINE_CONFIG_POOL, HOSTED_CLUSTER, NODE_POOL)}
_TRIES = 5
_SEEN_AFTER, _LOOK_AGAIN = 10.0, 0.5

Fields = dict[str, t.Any]


class WrongClockError(FieldOpsError):
    """The clocks of this machine and of the API server differ too much to evaluate windows. Nothing was enforced."""

    kind = "clock_skew"


def carry_out(client: ClusterClient, params: Mapping[str, t.Any]) -> Result:
    """Enforce change management for the module's arguments, or with state absent give everything back as it was.

    Raise WrongClockError, before anything is touched, while the clocks disagree.
    """
    found = client.get(CONFIG_MAP, STATE, NAMESPACE)
    if params["if_enforced"] and found is None:
        return Result(False, {"resources": [], "published_until": "", "next_transition": ""})
    present = params["state"] == "present"
    check = GuardCheck.of(params["guard"])
    lifetime = read_duration(params["lifetime"], "lifetime")
    # Without a published state, the admission policy refuses everything, including the removal of a pause.
    site, until = _published(client, check, lifetime)
    if not present:
        site = _nothing_binds(site)
    cluster = site.of(THE_CLUSTER)
    begun = cluster is not None and cluster.resource.begun
    outcomes = [(one, _outcome(one, site, update_begun=begun)) for one in site.judged if _concerns(one)]
    resources = side_by_side(lambda one: _enforce(client, *one), outcomes)
    if not present:
        client.delete(CONFIG_MAP, STATE, NAMESPACE)
    openings = [one.state.next_transition for one in site.judged if one.governed.binding]
    coming = min((instant for instant in openings if instant is not None), default=None)
    objects = {
        "resources": resources,
        "published_until": write_instant(until) if present else "",
        "next_transition": "" if coming is None else write_instant(coming),
    }
    gone = not present and found is not None
    changed = gone or any(one["changed"] for one in resources)
    diff = {
        "before": {"published": found is not None, "binding": _binding(outcomes, after=False)},
        "after": {"published": present, "binding": _binding(outcomes, after=True)},
    }
    return Result(changed, objects, diff=diff if changed else None)


def _binding(outcomes: Sequence[tuple[Judged, Enforced]], *, after: bool) -> Fields:
    """Return what binds each resource that is patched, or bound it before."""
    return {
        one.resource.name.key: binding_of(one.resource, outcome.patch if after else {})
        for one, outcome in outcomes
        if outcome.patch is not None
    }


def _seen(client: ClusterClient, check: GuardCheck) -> Site:
    site = read_site(client, check, with_nodes=False)
    if site.asker.clock.is_too_far:
        raise WrongClockError(
            "enforce change management",
            on="the cluster",
            seen=site.asker.clock.complaint,
            advice="Nothing was changed. Synchronize the clocks, then run this again.",
        )
    return site


def _published(client: ClusterClient, check: GuardCheck, lifetime: int) -> tuple[Site, int]:
    """Return what was seen and until when it is published.

    The documents are read after the state that is there: where another client has published since then they are read
    again, so that what was written last counts. It comes before pauses are taken away, which it has to permit.
    """
    for attempt in range(_TRIES):
        found = client.get(CONFIG_MAP, STATE, NAMESPACE)
        site = _seen(client, check)
        now = site.asker.clock.answered + site.asker.clock.skew
        try:
            _publish(client, found, site.asker.username, published(site.judged, now, now + lifetime))
        except ApiError as error:
            if error.status != 409 or attempt == _TRIES - 1:
                raise
        else:
            break
    return site, now + lifetime


def _publish(client: ClusterClient, found: Mapping[str, t.Any] | None, by: str, data: Mapping[str, str]) -> None:
    if found is None:
        create_in_own_namespace(client, CONFIG_MAP, config_map(STATE, data, by))
        return
    body = config_map(STATE, data, by)
    dropped = dict.fromkeys(set(found.get("data") or {}) - set(body["data"]))
    body["data"].update(dropped)
    client.patch(CONFIG_MAP, STATE, body, NAMESPACE, resource_version=found["metadata"]["resourceVersion"])


def _patch(client: ClusterClient, name: ResourceName, patch: Mapping[str, t.Any]) -> None:
    """Patch a resource; the API server takes a moment to see what was published, in a dry run it never does."""
    deadline = Deadline(_SEEN_AFTER, client.clock)
    while (refusal := _refusal(client, name, patch)) is not None and not client.dry_run:
        if deadline.expired:
            raise refusal
        client.clock.sleep(_LOOK_AGAIN)


def _refusal(client: ClusterClient, name: ResourceName, patch: Mapping[str, t.Any]) -> ApiError | None:
    """Patch a resource and return the refusal of the admission policy where it has one."""
    try:
        client.patch(_KINDS[name.kind], name.name, patch, name.namespace or None)
    except ApiError as error:
        if ADMISSION not in str(error):
            raise
        return error
    return None


def _nothing_binds(site: Site) -> Site:
    judged = tuple(replace(one, governed=replace(one.governed, binding=False)) for one in site.judged)
    return replace(site, judged=judged)


def _concerns(judged: Judged) -> bool:
    return judged.governed.binding or bool(judged.resource.enforced or judged.resource.paused_by)


def _outcome(judged: Judged, site: Site, *, update_begun: bool) -> Enforced:
    return enforced(judged, site.asker.username, update_begun=update_begun and judged.resource.name == MASTER)


def _enforce(client: ClusterClient, judged: Judged, outcome: Enforced) -> Fields:
    name = judged.resource.name
    if outcome.patch is not None:
        _patch(client, name, outcome.patch)
    return {
        "kind": name.kind,
        "namespace": name.namespace,
        "name": name.name,
        "permitted": judged.state.permitted,
        "paused": outcome.paused,
        "kept": outcome.kept,
        "changed": outcome.patch is not None,
        "reason": judged.state.sentence,
    }
