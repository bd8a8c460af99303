# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A record of the writes that were made, or in a dry run would have been made."""

from __future__ import annotations

import typing as t
from dataclasses import asdict, dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.calls import Call


@dataclass(frozen=True)
class Action:
    """One write that the server accepted; ``kind`` carries the subresource after a slash, as in ``Pod/eviction``."""

    verb: str
    kind: str
    namespace: str | None
    name: str | None
    dry_run: bool


class ActionLog:
    """What was written through one client, in order."""

    def __init__(self) -> None:
        self._actions: list[Action] = []

    def record(self, call: Call, answered: t.Mapping[str, t.Any] | None, *, dry_run: bool) -> None:
        """Note that the server accepted ``call`` and answered with the object ``answered``."""
        metadata = (answered or {}).get("metadata") or {}
        self._actions.append(
            Action(
                verb=call.verb,
                kind=f"{call.kind.kind}/{call.subresource}" if call.subresource else call.kind.kind,
                namespace=call.namespace,
                # With generateName only the answer knows the name.
                name=call.name or metadata.get("name"),
                dry_run=dry_run,
            )
        )

    def as_data(self) -> list[dict[str, t.Any]]:
        """Return the actions as a module's result shows them."""
        return [asdict(action) for action in self._actions]
