# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Relays of one machine: started once for each bundle, found again, and removed completely."""

from __future__ import annotations

import contextlib
import typing as t
from collections.abc import Iterator

from ansible_collections.fieldops.openshift.plugins.module_utils._host.directories import (
    ensure_directory,
    ensure_private_directory,
    remove_tree,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import read_json, remove_file, write_json
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._host.locks import locked
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.relay.relay_identity import (
    RelayIdentity,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.relay.relay_job import RelayJob
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.relay.relay_presence import (
    RelayPresence,
    is_kept_as_service,
    is_left,
    private_base,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.relay.relay_record import (
    RECORD,
    RelayRecord,
    digest_of_token,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.relay.relay_request import (
    RelayRequest,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.relay.relay_service import (
    RelayService,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError


class RelayKeeper(RelayPresence, t.Protocol):
    """A method to keep a relay running after this process has ended."""

    def launch(self, request: RelayRequest, identity: RelayIdentity, token: str, deadline: Deadline) -> int:
        """Start the relay and return its port."""

    def stop(self, deadline: Deadline) -> None:
        """End it."""


def keeper_for(host: Host, digest: Digest, kept_by: str) -> RelayKeeper:
    """Return what keeps the relay of the bundle with this index; ``auto`` is a service if this host can have one."""
    if is_kept_as_service(host, kept_by):
        return RelayService(host, digest)
    return RelayJob(host, private_base(), digest)


def find_relay(keeper: RelayKeeper, deadline: Deadline) -> tuple[RelayRecord | None, bool]:
    """Return what is known of the keeper's relay and whether it runs."""
    is_alive = keeper.is_alive(deadline)
    document = read_json(keeper.place / RECORD)
    try:
        return (RelayRecord.from_document(document) if document is not None else None), is_alive
    except InvalidInputError:
        # A record of another version of this collection. The relay is nevertheless stopped by its name.
        return None, is_alive


def start_relay(
    keeper: RelayKeeper, request: RelayRequest, identity: RelayIdentity, token: str, deadline: Deadline
) -> tuple[RelayRecord, bool]:
    """Return the running relay that ``request`` asks for, and whether it had to be started, with ``identity`` then.

    One with another request is stopped first. Raises RelayError, MissingRequirementError, CommandError,
    DeadlineExceededError.
    """
    with _gate(keeper, deadline):
        record, is_alive = find_relay(keeper, deadline)
        if record is not None and is_alive and record.answers(request, token):
            return record, False
        _end(keeper, deadline)
        ensure_directory(keeper.place)
        try:
            port = keeper.launch(request, identity, token, deadline)
            started = deadline.clock.utcnow().replace(microsecond=0)
            record = RelayRecord(request, identity.certificate, digest_of_token(token), port, started)
            write_json(keeper.place / RECORD, record.to_document(), mode=0o600, durable=False)
        except BaseException:
            _end(keeper, deadline)
            raise
    return record, True


def stop_relay(keeper: RelayKeeper, deadline: Deadline) -> bool:
    """End the keeper's relay, remove all of it, and return whether there was anything of it."""
    if not is_left(keeper, deadline):
        return False
    with _gate(keeper, deadline):
        return _end(keeper, deadline)


@contextlib.contextmanager
def _gate(keeper: RelayKeeper, deadline: Deadline) -> Iterator[None]:
    """Let one caller at a time start or end the relay."""
    base = keeper.place.parent
    if keeper.name == RelayService.name:
        # The service's user must get through to its program.
        ensure_directory(base)
    else:
        ensure_private_directory(base)
    gate = base / f"{keeper.place.name}.lock"
    with locked(gate, deadline):
        try:
            yield
        finally:
            # Those who wait for the lock notice that its file is another one and start again.
            if not keeper.place.exists():
                remove_file(gate)


def _end(keeper: RelayKeeper, deadline: Deadline) -> bool:
    was_alive = keeper.is_alive(deadline)
    keeper.stop(deadline)
    return remove_tree(keeper.place) or was_alive
