# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The work behind the module boot_image: from its arguments to what became of them."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping, Sequence

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.do.boot_image_info_task import (
    BOTH_KINDS,
    look_at,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.do.clone_templates import Pointer
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.do.history_store import HistoryStore
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.do.machine_site import (
    FACT_OPTIONS,
    SELECTION_OPTIONS,
    is_selected,
    is_updating,
    read_cluster_api,
    read_machine_site,
    read_resources,
    selected,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.do.revert import revert
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.do.update import update
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.errors import BootImageRefusedError
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.assessment import (
    Assessment,
    Site,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.change_report import (
    changes_data,
    difference_of,
    failure_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.cluster_api import (
    ClusterApiResource,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.documents import mapping_at
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.history_entries import (
    OBSERVED,
    HistoryEntry,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.history_shards import KEEP
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.machine_resource import (
    MachineResource,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.reversion import (
    PREVIOUS,
    check_destination,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.reviews import who_am_i
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Result
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.permission import Guard

BOOT_IMAGE_OPTIONS: dict[str, dict[str, t.Any]] = {
    **SELECTION_OPTIONS,
    **FACT_OPTIONS,
    "state": {"type": "str", "choices": ["present", "reverted"], "default": "present"},
    "all": {"type": "bool", "default": False},
    "cluster_api": {"type": "bool", "default": False},
    "kinds": {"type": "list", "elements": "str", "choices": BOTH_KINDS, "default": BOTH_KINDS[:1]},
    "revert_to": {"type": "str", "default": PREVIOUS},
    "canary": {"type": "bool", "default": False},
    "keep_going": {"type": "bool", "default": False},
    "even_while_updating": {"type": "bool", "default": False},
    "even_if_overwritten": {"type": "bool", "default": False},
    "even_if_older": {"type": "bool", "default": False},
    "history_limit": {"type": "int", "default": KEEP},
}


def change_boot_images(client: ClusterClient, params: Mapping[str, t.Any], guard: Guard) -> Result:
    """Update or revert what is selected; raise BootImageRefusedError with what became of each where one failed.

    ``guard`` decides about changes that replace machines.
    """
    to = check_destination(params["revert_to"])
    _refuse_vague(params)
    store = HistoryStore(client, keep=max(1, params["history_limit"]))
    site = read_machine_site(client, params, store.history)
    if params["state"] == "present":
        _refuse_unsettled(client, site, params)
    everything = read_resources(client, BOTH_KINDS)
    by_cluster_api = _of_cluster_api(client, site, everything, params)
    known = [one.name for one in by_cluster_api if _is_selected(one, params)]
    chosen = selected([one for one in everything if _is_of(one, params["kinds"])], params, known)
    seen = look_at(client, site, store.history, chosen, forgiving=params["even_if_overwritten"])
    noted = _worth_noting(seen, params)
    if noted:
        store.write(list(noted.values()))
    found = [one.with_entry(noted.get(one.resource.key)) for one, _entry in seen]
    reverting = params["state"] == "reverted"
    if reverting:
        objects, entries = _reverted(client, store, found, everything, to, params)
    else:
        objects, entries = _updated(client, store, found, params)
    pointer = Pointer(client, site, guard, reverting=reverting, waits=_waits(objects, params))
    _point(pointer, objects, by_cluster_api, params)
    return _outcome(client, objects, entries, noted, "revert boot images" if reverting else "update boot images")


def _of_cluster_api(
    client: ClusterClient, site: Site, everything: Sequence[MachineResource], params: Mapping[str, t.Any]
) -> list[ClusterApiResource]:
    if not params["cluster_api"]:
        return []
    return read_cluster_api(client, site, [one for one in everything if not one.is_control_plane])


def _is_selected(one: ClusterApiResource, params: Mapping[str, t.Any]) -> bool:
    return is_selected(one.name, mapping_at(one.found, "metadata", "labels"), params)


def _waits(objects: Mapping[str, t.Any], params: Mapping[str, t.Any]) -> bool:
    """Whether canaries of the Machine API are yet to prove the image."""
    is_new = any(one["outcome"] == "updated" for one in objects["machine_resources"])
    return bool(params["canary"] and (objects["remaining"] or is_new))


def _point(
    pointer: Pointer, objects: dict[str, t.Any], found: Sequence[ClusterApiResource], params: Mapping[str, t.Any]
) -> None:
    """Add what becomes of the selected objects of the Cluster API; nothing does after a failure."""
    goes_on = params["keep_going"] or not failure_of(objects["machine_resources"])
    chosen = [one for one in found if goes_on and _is_selected(one, params)]
    objects["cluster_api"] = shown = pointer.point_all(chosen, found)
    waiting = [f"{one['kind']}.cluster.x-k8s.io/{one['name']}" for one in shown if one["code"] == "canary"]
    objects["remaining"] = [*objects["remaining"], *waiting]


def _worth_noting(
    seen: Sequence[tuple[Assessment, HistoryEntry | None]], params: Mapping[str, t.Any]
) -> dict[str, HistoryEntry]:
    """Return what others did, and what is there at the first check, where no change of ours notes that as well."""
    updates = params["state"] == "present"
    return {
        one.resource.key: entry
        for one, entry in seen
        if entry and (entry.kind == OBSERVED or (updates and not one.may_update))
    }


def _updated(
    client: ClusterClient,
    store: HistoryStore,
    found: Sequence[Assessment],
    params: Mapping[str, t.Any],
) -> tuple[dict[str, t.Any], list[HistoryEntry]]:
    by = who_am_i(client).username if any(one.may_update for one in found) else ""
    going = params["keep_going"]
    done = update(client, store, found, by=by, canary=params["canary"], keep_going=going)
    later = {one.resource.key for one in done.later}
    objects = changes_data(
        found, {one.job.resource.key: (one.code, one.reason) for one in done.results}, later, done.stubs
    )
    stubs = {one.job.entry.stub for one in done.results if one.ok and one.job.entry.stub}
    objects["canaries"] = list(done.canaries)
    objects["converted_stubs"] = sorted(stub.secret for stub in stubs)
    objects["restored_stubs"], objects["kept_stubs"] = [], {}
    return objects, [one.job.entry for one in done.results if one.ok]


def _reverted(
    client: ClusterClient,
    store: HistoryStore,
    found: Sequence[Assessment],
    everything: Sequence[MachineResource],
    to: str,
    params: Mapping[str, t.Any],
) -> tuple[dict[str, t.Any], list[HistoryEntry]]:
    by = who_am_i(client).username
    done = revert(client, store, found, everything, to=to, by=by, keep_going=params["keep_going"])
    words = {one.job.resource.key: (one.code, one.reason) for one in done.results}
    objects = changes_data(found, words, set(), {}, reverting=True, reasons=done.reasons)
    objects["canaries"], objects["converted_stubs"] = [], []
    objects["restored_stubs"], objects["kept_stubs"] = list(done.restored), dict(done.kept or {})
    return objects, [one.job.entry for one in done.results if one.ok]


def _outcome(
    client: ClusterClient,
    objects: dict[str, t.Any],
    entries: Sequence[HistoryEntry],
    noted: Mapping[str, HistoryEntry],
    attempted: str,
) -> Result:
    objects["observed"] = [entry.as_data() for entry in noted.values() if entry.kind == OBSERVED]
    pointed = [one for one in objects["cluster_api"] if one["template"] != one["template_before"]]
    changed = bool(entries or objects["restored_stubs"] or noted or pointed)
    failure = failure_of([*objects["machine_resources"], *objects["cluster_api"]])
    if failure:
        raise BootImageRefusedError(
            attempted,
            on=failure["on"],
            seen=failure["seen"],
            advice="Check the outcome of each resource in machine_resources. Fix the named one, exclude it from the "
            "selection,"
            " or continue without it with keep_going, then run this again. Completed changes are kept.",
            partial={"changed": changed, "actions": client.actions.as_data(), **objects},
        )
    warnings = tuple(f"Secret {name} keeps its converted stub: {why}" for name, why in objects["kept_stubs"].items())
    shown = difference_of(entries, noted, pointed) if changed else None
    return Result(changed, objects, diff=shown, warnings=warnings)


def _refuse_vague(params: Mapping[str, t.Any]) -> None:
    """Raise InvalidInputError for no selection at all, and for one that contradicts itself."""
    selects = bool(params["names"] or params["labels"])
    if selects == params["all"]:
        raise InvalidInputError(
            "select machine resources",
            on="all",
            seen="names or labels are set as well" if selects else "neither names nor labels nor all are set",
            advice="Set names or labels, or set all, but not both.",
        )


def _refuse_unsettled(client: ClusterClient, site: Site, params: Mapping[str, t.Any]) -> None:
    """Raise BootImageRefusedError while the release moves: the right image may be that of another release then."""
    if params["even_while_updating"] or params["stream_document"] is not None:
        return
    streams = site.streams
    stamp = streams.operator_version if streams else ""
    seen = ""
    if is_updating(client):
        seen = "the update of the cluster is not complete"
    elif streams and stamp and stamp != streams.version:
        seen = f"the images are those of {streams.version}, the machine-config operator is still at {stamp}"
    if seen:
        raise BootImageRefusedError(
            "update boot images",
            on="the cluster",
            seen=seen,
            advice="Wait until the update ends, or set even_while_updating if the images are correct nevertheless.",
            transient=True,
        )


def _is_of(resource: MachineResource, kinds: Sequence[str]) -> bool:
    return BOTH_KINDS[1 if resource.is_control_plane else 0] in kinds
