# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""Setting and ending overrides."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.asker import Asker, who_asks
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.changes_store import Edit, edit_entries
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.read_site import (
    read_resources,
    refuse_missing,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.fields import Field
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.instants import (
    read_instant,
    write_instant,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.overrides import (
    Override,
    read_override,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.policy_error import PolicyError
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.resources import (
    ResourceName,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.site_changes import MASTER, THE_CLUSTER
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.store_documents import (
    ASSIGNMENTS,
    Entries,
)

if t.TYPE_CHECKING:
    from collections.abc import Mapping

    from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient

Document = dict[str, t.Any]


@dataclass(frozen=True)
class WantedOverride:
    """What shall be in force on ``resource``: None ends whatever is."""

    resource: ResourceName
    strategy: str | None
    until: str | None
    why: str
    allow_missing: bool = False


@dataclass(frozen=True)
class OverrideWritten:
    """The override before and after; who wrote it."""

    before: Document | None
    after: Document | None
    by: str

    @property
    def changed(self) -> bool:
        """Whether anything was, or in a dry run would be, written."""
        return self.before != self.after


def write_override(client: ClusterClient, wanted: WantedOverride, *, clock_limit: int) -> OverrideWritten:
    """Record the override with who and why; the same one again, whoever asks, changes nothing.

    Raise PolicyError for an end that is not to come, and while the clocks disagree: its end would mean nothing.
    """
    if wanted.resource == MASTER:
        rule = f"The master pool has the stanza of {THE_CLUSTER.title}: override that."
        raise PolicyError("name", "the control plane is one", rule)
    if wanted.strategy is not None and not wanted.allow_missing:
        refuse_missing(read_resources(client), [wanted.resource.key])
    asker = who_asks(client, clock_limit=clock_limit)
    override = _override(wanted, asker)
    states: dict[str, Document | None] = {}

    def decide(found: Entries) -> Mapping[str, Edit]:
        key = wanted.resource.key
        if key in found.faults:
            rule = "Assign a stanza to it anew with change_policy: what it was meant to be cannot be told."
            raise PolicyError(f"assignment {key}", found.faults[key], rule)
        document = found.documents.get(key, {})
        held = document.get("override")
        states["before"] = held
        states["after"] = held
        if _same(held, override):
            return {}
        states["after"] = override.as_data() if override else None
        keep = override is not None or "changeManagement" in document
        did = f"override {override.strategy}" if override else "override ended"
        return {key: Edit({"override": states["after"]} if keep else None, did)}

    at = write_instant(asker.clock.answered)
    edit_entries(client, ASSIGNMENTS, decide, by=asker.username, why=wanted.why, at=at)
    return OverrideWritten(states["before"], states["after"], asker.username)


def _override(wanted: WantedOverride, asker: Asker) -> Override | None:
    """Return the override to record; raise PolicyError for one that breaks a rule or is over already."""
    if wanted.strategy is None:
        return None
    if not wanted.why.strip():
        raise PolicyError("why", "it is empty", "Say why: whoever finds the override has to understand it.")
    written = {"strategy": wanted.strategy, "until": wanted.until, "by": asker.username, "why": wanted.why}
    override = read_override(Field("override", written))
    if wanted.until is not None:
        if asker.clock.is_too_far:
            seen = f"our clock and the API server's differ by {abs(asker.clock.skew)} s"
            raise PolicyError("until", seen, "Set the clocks first: the end would mean nothing.")
        end = read_instant(wanted.until, "until")
        if end <= asker.clock.answered:
            raise PolicyError("until", f"{write_instant(end)} is not to come", "Give an instant that is to come.")
    return override


def _same(held: Document | None, override: Override | None) -> bool:
    """Return whether both mean the same; who asked and why first is kept."""
    if held is None or override is None:
        return held is None and override is None
    try:
        found = read_override(Field("override", held))
    except PolicyError:
        return False
    return found is not None and (found.permitted, found.until) == (override.permitted, override.until)
