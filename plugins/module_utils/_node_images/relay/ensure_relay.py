# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The modules of relays: apply the requested state, or show the present one."""

from __future__ import annotations

import contextlib
import typing as t
from collections.abc import Mapping
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import BundleFolder
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.credentials import checked_token
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.media.media_mounts import keep_media
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staged_bundles import staged_folder
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.errors import NotStagedError
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.relay.relay_identity import RelayIdentity
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.relay.relay_record import RelayRecord
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.relay.relay_request import RelayRequest
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.relay.relays import (
    RelayKeeper,
    find_relay,
    keeper_for,
    start_relay,
    stop_relay,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Result
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock

STEP_SECONDS = 120.0
INDEX_SECONDS = 60.0
LOOK_AGAIN = 0.1


def ensure_relay(params: Mapping[str, t.Any], clock: Clock, *, check_mode: bool) -> Result:
    """Bring the relay for ``index_digest`` into ``state``; in check mode only return whether that changes anything."""
    host = Host(clock, Path(params["host_root"]))
    digest = Digest.parse(params["index_digest"])
    keeper = keeper_for(host, digest, params["kept_by"])
    deadline = Deadline(STEP_SECONDS, clock)
    if params["state"] == "stopped":
        return _stopped(keeper, deadline, check_mode=check_mode)
    if params["filling"] and not check_mode:
        _await_index(host, digest, params["path"], deadline.within(INDEX_SECONDS))
    request = _request(host, digest, params)
    token = checked_token(params["token"] or "")
    if check_mode:
        record, is_alive = find_relay(keeper, deadline)
        runs = record is not None and is_alive and record.answers(request, token)
        return _result(not runs, record if runs else None, keeper, "start")
    keep_media(host, (request.path, *request.parts))
    record, changed = start_relay(keeper, request, _identity(params), token, deadline)
    return _result(changed, record, keeper, "start")


def _await_index(host: Host, digest: Digest, path: str | None, deadline: Deadline) -> None:
    """Wait until the receiver of the bundle has created its folder and index, or until the deadline."""
    while not deadline.expired:
        with contextlib.suppress(NotStagedError):
            folder = BundleFolder(host.path(path)) if path else staged_folder(host, digest)
            if folder.index_bytes() is not None:
                return
        deadline.pause(LOOK_AGAIN)


def _stopped(keeper: RelayKeeper, deadline: Deadline, *, check_mode: bool) -> Result:
    if check_mode:
        _record, is_alive = find_relay(keeper, deadline)
        return _result(is_alive or keeper.place.exists(), None, keeper, "stop")
    return _result(stop_relay(keeper, deadline), None, keeper, "stop")


def _request(host: Host, digest: Digest, params: Mapping[str, t.Any]) -> RelayRequest:
    path = params["path"] or host.as_seen_by_host(staged_folder(host, digest).path)
    names = ("address", "ports", "lifetime", "filling", "parts")
    wanted = {name: params[name] for name in names}
    return RelayRequest.checked(
        path=str(path), index_digest=str(digest), allowed_addresses=params["allowed_addresses"], **wanted
    )


def _identity(params: Mapping[str, t.Any]) -> RelayIdentity:
    if not (params["certificate"] and params["private_key"]):
        raise InvalidInputError(
            "start the relay",
            on="certificate, private_key",
            seen="they are missing",
            advice="Set both or neither. The action of this module creates them on the controller.",
        )
    return RelayIdentity(params["certificate"], params["private_key"])


def _result(changed: bool, record: RelayRecord | None, keeper: RelayKeeper, verb: str) -> Result:
    actions = ({"verb": verb, "relay": keeper.place.name, "kept_by": keeper.name},) if changed else ()
    objects = {"relay": record.as_result(keeper.name, is_running=True)} if record else {}
    runs = {"relay": keeper.place.name, "runs": verb == "start"}
    diff = {"before": {**runs, "runs": not runs["runs"]}, "after": runs} if changed else None
    return Result(changed, objects, actions, diff)
