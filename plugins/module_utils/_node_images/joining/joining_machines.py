# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Configure the cluster so that machines that join find their images at the control plane, show that, or remove it."""

from __future__ import annotations

import typing as t
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.api_error import ApiError
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.errors import JoiningError
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.joining.credentials_file import (
    write_credentials,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.joining.joining_writes import (
    Write,
    planned_removals,
    planned_writes,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.joining.keep_identity import (
    TRIES,
    control_plane,
    keep_identity,
    read_identity,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.joining.plan.mirror_set import (
    NAME,
    MirrorRequest,
    entries_of,
    repositories_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.joining.plan.registry_address import (
    internal_addresses,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.joining.plan.site_identity import (
    IDENTITY_NAME,
    SiteIdentity,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.joining.plan.site_objects import (
    lacking_in,
    served_configuration,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.kinds import IMAGE_DIGEST_MIRROR_SET
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import NAMESPACE
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import (
    MACHINE_CONFIG,
    MACHINE_CONFIG_POOL,
    SECRET,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Result
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.permission import Estimate, Guard, Permission

Object = Mapping[str, t.Any]

JOINING_OPTIONS: Mapping[str, Mapping[str, t.Any]] = {
    "state": {"type": "str", "choices": ["present", "absent"], "default": "present"},
    "configure": {"type": "bool", "default": True},
    "images": {"type": "list", "elements": "str", "default": []},
    "address": {"type": "str"},
    "port": {"type": "int"},
    "networks": {"type": "list", "elements": "str"},
    "trust": {"type": "str", "choices": ["user_ca_bundle", "machine_config"]},
    "mirror_source_policy": {"type": "str", "choices": ["NeverContactSource", "AllowContactingSource"]},
    "allow_drain": {"type": "bool", "default": False},
    "credentials_path": {"type": "path"},
}

_NOTHING: Mapping[str, t.Any] = {"prepared": False, "control_plane": [], "site": {}, "pools": [], "problem": ""}


def _result(
    changed: bool, report: Mapping[str, t.Any], written: _Written | None, diff: Mapping[str, t.Any] | None
) -> Result:
    """Return what was changed, or would be; the guard's answer where it was asked; what waits for it."""
    permission = written.permission.as_data() if written and written.permission is not None else None
    return Result(
        changed, {**report, "permission": permission, "waiting": list(written.waiting) if written else []}, diff=diff
    )


def ensure_joining(client: ClusterClient, host: Host, options: Mapping[str, t.Any], guard: Guard) -> Result:
    """Bring the cluster into the state that ``options`` ask for, as far as ``guard`` permits it now.

    Raises JoiningError, InvalidInputError, MissingRequirementError, CommandError, FileAccessError, ApiError.
    """
    if options["state"] == "absent":
        return _remove(client, options, guard)
    repositories = repositories_of(options["images"])
    kept = keep_identity(client, host, options)
    if options["credentials_path"] and not (client.dry_run and kept.changed):
        write_credentials(Path(options["credentials_path"]).expanduser(), kept.identity.as_credentials())
    if not options["configure"]:
        return _result(kept.changed, _report(client, kept.identity), None, _diff(kept.before, kept.identity, ()))
    request = MirrorRequest(
        kept.identity.serving.registry, repositories, options["mirror_source_policy"], options["allow_drain"]
    )
    written = _written(client, lambda: planned_writes(client, kept.identity, request), guard)
    return _result(
        kept.changed or bool(written.done),
        _report(client, kept.identity),
        written,
        _diff(kept.before, kept.identity, written.done),
    )


def joining_report(client: ClusterClient) -> dict[str, t.Any]:
    """Return how machines that join are served, and what each pool's configuration lacks for it.

    To a user who may not see it the site is not prepared, since most that such a user does is no matter of this.
    """
    try:
        return _report(client, read_identity(client))
    except ApiError as error:
        if error.status != 403:
            raise
        return {**_NOTHING, "problem": error.seen}


@dataclass(frozen=True)
class _Written:
    done: tuple[Write, ...] = ()
    permission: Permission | None = None
    waiting: tuple[str, ...] = ()


def _written(client: ClusterClient, plan: Callable[[], Sequence[Write]], guard: Guard) -> _Written:
    """Write what is planned, again after a conflict with another writer, and nothing of it if change is restricted."""
    done: list[Write] = []
    permission: Permission | None = None
    for _unused in range(TRIES):
        writes = plan() if not (client.dry_run and done) else ()
        if not writes:
            return _Written(tuple(done), permission)
        if permission is None:
            permission = guard.ask("", Estimate())
        if not permission.permitted:
            return _Written((), permission, tuple(one.title for one in writes))
        try:
            for one in writes:
                one.send(client)
                done.append(one)
        except ApiError as error:
            if error.status != 409:
                raise
    raise JoiningError(
        "configure the mirrors for machines that join",
        on=", ".join(one.title for one in plan()),
        seen=f"another client changed it {TRIES} times in a row",
        advice="Check which other client writes to it, then run this again.",
        transient=True,
    )


def _remove(client: ClusterClient, options: Mapping[str, t.Any], guard: Guard) -> Result:
    identity = read_identity(client)
    written = _written(client, lambda: planned_removals(client, identity, allow_drain=options["allow_drain"]), guard)
    gone = False
    if identity is not None and not written.waiting:
        gone = client.delete(SECRET, IDENTITY_NAME, NAMESPACE)
    left = identity if written.waiting else None
    return _result(
        gone or bool(written.done),
        _report(client, left),
        written,
        _diff(identity, left, written.done),
    )


def _report(client: ClusterClient, identity: SiteIdentity | None) -> dict[str, t.Any]:
    nodes = [
        {"name": one["metadata"]["name"], "addresses": list(internal_addresses(one))} for one in control_plane(client)
    ]
    if identity is None:
        return {**_NOTHING, "control_plane": nodes}
    found = client.get(IMAGE_DIGEST_MIRROR_SET, NAME)
    entries = entries_of(found) if found else ()
    serving = identity.serving
    site = {
        "address": serving.address,
        "port": serving.port,
        "registry": serving.registry,
        "networks": list(serving.networks),
        "trust": serving.trust,
        "ca": identity.ca,
        "ca_expires": identity.ca_expires,
        "certificate_names": list(serving.names),
        "certificate_expires": identity.expires,
        "mirror_source_policy": entries[0].policy if entries else "",
        "repositories": [entry.source for entry in entries],
    }
    return {**_NOTHING, "prepared": True, "control_plane": nodes, "site": site, "pools": _pools(client, identity)}


def _pools(client: ClusterClient, identity: SiteIdentity) -> list[dict[str, t.Any]]:
    """Return what the configuration lacks that a machine of each pool is given when it joins now."""
    found = []
    for pool in client.list_objects(MACHINE_CONFIG_POOL):
        name = served_configuration(pool)
        configuration = client.get(MACHINE_CONFIG, name) if name else None
        lacks = lacking_in(configuration or {}, identity.serving.registry, identity.ca)
        found.append({"name": pool["metadata"]["name"], "ready": not lacks, "lacks": lacks})
    return found


def _diff(before: SiteIdentity | None, after: SiteIdentity | None, writes: Sequence[Write]) -> dict[str, t.Any]:
    """Return what became different, without what is secret."""

    def shown(identity: SiteIdentity | None) -> dict[str, t.Any]:
        if identity is None:
            return {}
        serving = identity.serving
        return {
            f"Secret {NAMESPACE}/{IDENTITY_NAME}": {
                "registry": serving.registry,
                "networks": list(serving.networks),
                "certificate_names": list(serving.names),
                "certificate_expires": identity.expires,
                "ca_expires": identity.ca_expires,
            }
        }

    return {
        "before": {**shown(before), **{one.title: one.shown_before for one in writes}},
        "after": {**shown(after), **{one.title: one.shown_after for one in writes}},
    }
