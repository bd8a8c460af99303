# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Applies the policy for boot images, one write or one check at a time."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.do.policy_reading import (
    read_site,
    require_served,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.admin_acks import (
    ACKS,
    missing_acks,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.moves import (
    Move,
    later_moves,
    next_move,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.observed import (
    MACHINE_CONFIGURATION,
    NAME,
    ObservedPolicy,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.policy_error import refused
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.report import (
    policy_report,
    spec_part,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.requests import request_of
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.site import PolicySite
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.target import (
    Target,
    target_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.writers import writers_of
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.skew.record import recording_of
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.api_error import ApiError
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.calls import PATCH_TYPES, Call
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.field_owners import require_own_fields
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import FIELD_MANAGER
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import CONFIG_MAP
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Step

# Without it the server drops fields that the release does not know, and says nothing.
_STRICT = (("fieldManager", FIELD_MANAGER), ("fieldValidation", "Strict"))
_CONFLICT, _BAD_REQUEST = 409, 400


def policy_step(client: ClusterClient, params: Mapping[str, t.Any]) -> Step:
    """Do the next thing towards the policy that the arguments ask for, and say where it stands.

    Raise PolicyRefusedError, and FieldOwnedError for fields that another manager applies, before anything is sent,
    MissingRequirementError on a cluster without the API, and ApiError.
    """
    require_served(client)
    request = request_of(params)
    found, site = read_site(client)
    recording = recording_of(params["record"], params.get("boot_images"), site) if params.get("record") else None
    if recording and recording.stanza:
        request = replace(request, skew_mode=recording.stanza.mode, skew=recording.stanza)
    target = target_of(site, request)
    move = next_move(site, target)
    if found is not None and move.writes:
        require_own_fields(found, {"spec": move.spec}, take_over=bool(params.get("take_over")))
    acknowledged = _acknowledge(client, request.acks)
    after = _written(client, site, move)
    wrote = bool(acknowledged) or after is not None
    # A write alone may already be all: a cluster whose operator says nothing of it has nothing to wait for.
    seen = site if after is None or client.dry_run else _with(site, after)
    left = next_move(seen, target)
    return Step(
        sentence=left.sentence if left.settled or after is None else move.sentence,
        done=left.settled,
        changed=wrote,
        objects={
            **policy_report(seen),
            "writers": writers_of(after if after is not None else found),
            "recorded": recording.as_data() if recording else {},
        },
        actions=[*client.actions.as_data(), *_not_tried(client, site, target, move)],
        diff=_difference(site, target if client.dry_run else None, seen, acknowledged) if wrote else None,
        next_delay=0.5 if after is not None else 2.0,
    )


def _written(client: ClusterClient, site: PolicySite, move: Move) -> Mapping[str, t.Any] | None:
    """Send what ``move`` wants, if the object is still the one that was read, and return it as it then is."""
    if not move.writes:
        return None
    call = _call(site.policy, move)
    answer = client.attempt(call)
    if answer.ok and answer.body is not None:
        return answer.body
    error = ApiError(call, answer, server=client.access.server)
    # Another writer was faster: the next step reads and decides again.
    error.transient = error.transient or answer.status == _CONFLICT
    if answer.status == _BAD_REQUEST and "strict decoding" in answer.words:
        raise refused(
            "MachineConfiguration cluster",
            f"the release of this cluster does not support the field: {answer.words}",
            "Omit it until the cluster is updated.",
        ) from error
    raise error


def _call(policy: ObservedPolicy, move: Move) -> Call:
    body = {"apiVersion": MACHINE_CONFIGURATION.api_version, "kind": MACHINE_CONFIGURATION.kind}
    if not policy.exists:
        spec = {"managementState": "Managed", **_without_nulls(move.spec)}
        return Call(
            "create",
            MACHINE_CONFIGURATION,
            NAME,
            body={**body, "metadata": {"name": NAME}, "spec": spec},
            query=_STRICT,
        )
    metadata = {"resourceVersion": policy.resource_version}
    return Call(
        "patch",
        MACHINE_CONFIGURATION,
        NAME,
        body={"metadata": metadata, "spec": dict(move.spec)},
        query=_STRICT,
        content_type=PATCH_TYPES["merge"],
    )


def _acknowledge(client: ClusterClient, wanted: Sequence[str]) -> list[str]:
    """Give the acknowledgements that are missing and return their keys; those of others stay."""
    if not wanted:
        return []
    name, namespace = ACKS
    acks = client.get(CONFIG_MAP, name, namespace)
    missing = missing_acks(wanted, acks)
    content = {"data": dict.fromkeys(missing, "true")}
    if missing and acks is None:
        client.create(CONFIG_MAP, {"metadata": {"name": name, "namespace": namespace}, **content})
    elif missing:
        client.patch(CONFIG_MAP, name, content, namespace)
    return missing


def _not_tried(client: ClusterClient, site: PolicySite, target: Target, move: Move) -> list[dict[str, t.Any]]:
    """Return in check mode the writes that would follow; the server would refuse them before the first one holds."""
    if not client.dry_run or not move.writes:
        return []
    one = {"verb": "patch", "kind": MACHINE_CONFIGURATION.kind, "namespace": None, "name": NAME, "dry_run": True}
    return [dict(one) for _patch in later_moves(site, target, move)]


def _with(site: PolicySite, after: Mapping[str, t.Any]) -> PolicySite:
    return replace(site, policy=ObservedPolicy.of(after))


def _difference(
    site: PolicySite, target: Target | None, seen: PolicySite, acknowledged: Sequence[str]
) -> dict[str, t.Any]:
    before, after = spec_part(site.policy), spec_part(seen.policy)
    if target is not None:
        managers = None if target.managers is None else [dict(one) for one in target.managers]
        after = {"machine_managers": managers, "skew_enforcement": target.skew.as_data() if target.skew else {}}
    if acknowledged:
        before, after = {**before, "admin_acks": []}, {**after, "admin_acks": list(acknowledged)}
    return {"before": before, "after": after}


def _without_nulls(value: t.Any) -> t.Any:
    if isinstance(value, dict):
        return {key: _without_nulls(one) for key, one in value.items() if one is not None}
    return value
