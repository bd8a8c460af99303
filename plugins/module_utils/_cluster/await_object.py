# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""Waiting until one object is as it should be, told by the API instead of by polling."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass, field

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.api_error import server_name
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.watch import WatchTarget, watch
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.watch_events import (
    ADDED,
    DELETED,
    MODIFIED,
    OUTAGE,
    SYNCED,
    WatchEvent,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import (
    DeadlineExceededError,
    FieldOpsError,
)

if t.TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.answers import Answer
    from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import ObjectKind


class AwaitedFailedError(FieldOpsError):
    """What was waited for cannot come true any more; ``seen`` is the predicate's sentence."""

    kind = "awaited_failed"


class Verdict(t.NamedTuple):
    """What a predicate says of an object: reached, out of reach, and where it stands in plain words."""

    done: bool
    failed: bool
    sentence: str


@dataclass(frozen=True)
class Observation:
    """The last verdict on an object and its last state; ``outage`` is set while the API does not answer."""

    verdict: Verdict
    object: Mapping[str, t.Any] | None = field(default=None, repr=False)
    outage: Answer | None = None

    @property
    def settled(self) -> bool:
        """Whether further waiting changes nothing."""
        return self.verdict.done or self.verdict.failed

    @property
    def sentence(self) -> str:
        """Return where things stand, an outage included."""
        if self.outage is None:
            return self.verdict.sentence
        return f"{self.verdict.sentence}; the API does not answer ({self.outage.words})"


Predicate = t.Callable[[t.Optional["Mapping[str, t.Any]"]], Verdict]
"""Judges an object, None if there is none of its name."""


def observe_object(
    client: ClusterClient,
    kind: ObjectKind,
    name: str,
    predicate: Predicate,
    deadline: Deadline,
    *,
    namespace: str | None = None,
    saw: Callable[[Observation], None] | None = None,
) -> Observation:
    """Return the first settled observation, or the last one before ``deadline``; for one bounded step of a wait.

    Objects that live in namespaces need theirs: without it every object of that name is taken for the one meant.
    ``saw`` is called with every observation whose sentence differs from the one before. Raise ApiError for what
    waiting does not mend.
    """
    latest = Observation(Verdict(False, False, "nothing is known of it yet"))
    target = WatchTarget(kind, namespace, fields=f"metadata.name={name}")
    current: Mapping[str, t.Any] | None = None
    for event in watch(client, target, deadline):
        current = _current(current, event)
        following = _observation(latest, current, event, predicate)
        if following is None:
            continue
        if saw and following.sentence != latest.sentence:
            saw(following)
        latest = following
        if latest.settled:
            break
    return latest


def await_object(
    client: ClusterClient,
    kind: ObjectKind,
    name: str,
    predicate: Predicate,
    deadline: Deadline,
    *,
    goal: str,
    namespace: str | None = None,
    saw: Callable[[Observation], None] | None = None,
) -> Observation:
    """Return the observation in which ``predicate`` found ``goal`` reached.

    ``goal`` continues the sentence "wait until Node worker-0 ...", for example "is Ready". Raise DeadlineExceededError
    with the last sentence, AwaitedFailedError when the predicate gave up, and ApiError as ``observe_object`` does.
    """
    seen = observe_object(client, kind, name, predicate, deadline, namespace=namespace, saw=saw)
    if seen.verdict.done:
        return seen
    subject = f"{kind.kind} {namespace}/{name}" if namespace else f"{kind.kind} {name}"
    attempted = f"wait until {subject} {goal}"
    on = f"the API server {server_name(client.access.server)}"
    partial = {"last_seen": seen.sentence}
    if seen.verdict.failed:
        advice = f"Look at {subject} and mend what is named there, then run this again."
        raise AwaitedFailedError(attempted, on=on, seen=seen.sentence, advice=advice, partial=partial)
    raise DeadlineExceededError(
        attempted,
        on=on,
        seen=f"after {deadline.elapsed:.0f} s: {seen.sentence}",
        advice="Run this again to go on waiting, with a longer time if this was expected to take longer.",
        partial=partial,
    )


def _current(before: Mapping[str, t.Any] | None, event: WatchEvent) -> Mapping[str, t.Any] | None:
    if event.type in (ADDED, MODIFIED):
        return event.object
    return None if event.type == DELETED else before


def _observation(
    latest: Observation, current: Mapping[str, t.Any] | None, event: WatchEvent, predicate: Predicate
) -> Observation | None:
    """Return what ``event`` adds to ``latest``; None if that is nothing, as the end of a list that held the object."""
    if event.type == OUTAGE:
        return Observation(latest.verdict, latest.object, event.answer)
    if event.type == SYNCED and current is not None:
        return None
    if event.type in (ADDED, MODIFIED, DELETED, SYNCED):
        return Observation(Verdict(*predicate(current)), current)
    return Observation(latest.verdict, latest.object)
