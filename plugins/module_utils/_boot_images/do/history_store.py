# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Reading and writing the history of boot images, so that two writers never lose each other's entries."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.errors import HistoryError
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.documents import Document
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.history_entries import (
    HistoryEntry,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.history_shards import (
    KEEP,
    SELECTOR,
    History,
    ShardWrite,
    plan_writes,
    read_history,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.api_error import ApiError
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.own_namespace import create_in_own_namespace
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import NAMESPACE
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import CONFIG_MAP

_TRIES = 8


class HistoryStore:
    """The history as of the last check or write."""

    def __init__(self, client: ClusterClient, *, keep: int = KEEP) -> None:
        self._client = client
        self._keep = keep
        self._found: dict[str, Document] = {}
        self.history = History()
        self.read()

    def read(self) -> None:
        """Look again; raise HistoryError where a newer version of this collection has written it."""
        listed = self._client.list_objects(CONFIG_MAP, NAMESPACE, labels=SELECTOR)
        self._found = {str(one["metadata"]["name"]): one for one in listed}
        self._understand()

    def write(self, put: Sequence[HistoryEntry], *, drop: Iterable[str] = ()) -> None:
        """Store entries and remove others; when another client wrote since then, decide again on the new content."""
        dropped = tuple(drop)
        for _unused in range(_TRIES):
            if self._written(put, dropped):
                self._understand()
                return
            self.read()
        raise HistoryError(
            "record changes in the history of boot images",
            on=f"namespace {NAMESPACE}",
            seen=f"another client changed it {_TRIES} times in a row",
            advice="Check which other client writes to it, then run this again.",
            transient=True,
        )

    def _written(self, put: Sequence[HistoryEntry], dropped: tuple[str, ...]) -> bool:
        """Write and return True, or False where others wrote first."""
        try:
            for one in plan_writes(self.history, put, drop=dropped, keep=self._keep):
                self._send(one)
        except ApiError as error:
            if error.status != 409:
                raise
            return False
        return True

    def _send(self, write: ShardWrite) -> None:
        body = write.body()
        name = body["metadata"]["name"]
        if write.resource_version is None:
            kept = {key: text for key, text in body["data"].items() if text is not None}
            answer = create_in_own_namespace(self._client, CONFIG_MAP, {**body, "data": kept})
        else:
            answer = self._client.patch(CONFIG_MAP, name, body, NAMESPACE, resource_version=write.resource_version)
        if answer and not self._client.dry_run:
            self._found[name] = answer

    def _understand(self) -> None:
        self.history = read_history(self._found.values())
