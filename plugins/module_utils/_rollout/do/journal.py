# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Reading the journal of a rollout, and writing to it unless another client has written since then."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.api_error import ApiError
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.claim import Claim
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.errors import JournalError
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.journal_entries import (
    ROLLOUT_LABEL,
    Journal,
    further_entries,
    journal_name,
    journal_of,
    new_journal,
    rollout_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.micro_time import micro_time
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_record import (
    DamagedRecordError,
    NodeRecord,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import NAMESPACE
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import CONFIG_MAP

_TRIES = 8


def read_journal(client: ClusterClient, rollout: str) -> Journal:
    """Return the journal of ``rollout``, an empty one if nothing has been written yet."""
    return journal_of(client.get(CONFIG_MAP, journal_name(rollout), NAMESPACE), rollout)


def list_journals(client: ClusterClient) -> list[Journal]:
    """Return the journals of all rollouts, the one that was started last first; see ``journal_of`` for errors."""
    found = client.list_objects(CONFIG_MAP, NAMESPACE, labels=ROLLOUT_LABEL)
    journals = [journal_of(one, rollout_of(one["metadata"]["name"])) for one in found]
    return sorted(journals, key=lambda journal: (journal.started, journal.rollout), reverse=True)


def read_earlier_seconds(client: ClusterClient, rollout: str) -> dict[str, float]:
    """Return for how many seconds each node was rolled the last time, according to the journals of other rollouts.

    A damaged journal is left out: an old one must not stop a rollout.
    """
    journals = []
    for found in client.list_objects(CONFIG_MAP, NAMESPACE, labels=ROLLOUT_LABEL):
        with contextlib.suppress(JournalError, DamagedRecordError):
            journals.append(journal_of(found, rollout_of(found["metadata"]["name"])))
    seconds: dict[str, float] = {}
    for journal in sorted(journals, key=lambda one: one.started):
        if journal.rollout != rollout:
            known = {name: entry.seconds for name, entry in journal.entries.items()}
            seconds.update({name: taken for name, taken in known.items() if taken is not None})
    return seconds


def write_entry(client: ClusterClient, claim: Claim, node: str, record: NodeRecord) -> None:
    """Write ``record`` as the entry of ``node``; see ``write_entries``."""
    write_entries(client, claim, {node: record})


def write_entries(client: ClusterClient, claim: Claim, entries: Mapping[str, NodeRecord]) -> None:
    """Write ``entries`` by node, all at once; the first ones begin the journal.

    A dry run into a namespace that does not exist yet does nothing. Raise JournalError when the journal is of another
    target: one id means one thing.
    """
    for _unused in range(_TRIES):
        journal = read_journal(client, claim.id)
        if journal.exists and journal.target != claim.target:
            raise _of_another_target(journal, claim)
        try:
            _write(client, claim, journal, entries)
            return
        except ApiError as error:
            if client.dry_run and error.status == 404:
                return
            if error.status != 409:
                raise
    raise JournalError(
        f"write the entry of {', '.join(sorted(entries)[:3])}",
        on=f"ConfigMap {NAMESPACE}/{journal_name(claim.id)}",
        seen=f"another client changed it {_TRIES} times in a row",
        advice="Check which other client writes to it.",
        transient=True,
    )


def _write(client: ClusterClient, claim: Claim, journal: Journal, entries: Mapping[str, NodeRecord]) -> None:
    if journal.exists:
        body = further_entries(entries)
        client.patch(CONFIG_MAP, journal_name(claim.id), body, NAMESPACE, resource_version=journal.resource_version)
        return
    started = micro_time(client.clock.utcnow())
    client.create(CONFIG_MAP, new_journal(claim.id, claim.target, started, claim.holder, entries))


def _of_another_target(journal: Journal, claim: Claim) -> JournalError:
    return JournalError(
        f"continue rollout {claim.id}",
        on=f"ConfigMap {NAMESPACE}/{journal_name(claim.id)}",
        seen=f"it was started for {journal.target!r}, not for {claim.target!r}",
        advice="Use a different id for this rollout, or the target that it was started with.",
    )
