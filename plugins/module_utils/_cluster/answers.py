# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the API answered, as data: statuses, refusals and outages alike."""

from __future__ import annotations

import json
import re
import typing as t
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.outages import NAME_UNKNOWN, REFUSED, Outage
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.masking import Mask

KIND_NOT_SERVED = "KindNotServed"
UNREADABLE = "UnreadableAnswer"

# Refusals that the server dresses as its own failure and repeats forever: a body that does not fit the schema
# (structured-merge-diff, through apimachinery pkg/util/managedfields) and two budgets over one pod (eviction.go).
_LASTING_500 = re.compile("failed to create typed patch object|has more than one PodDisruptionBudget")

_LONGEST_MESSAGE = 1000
_LONGEST_RETRY_AFTER = 3600.0


@dataclass(frozen=True)
class Cause:
    """One of the reasons that a Status gives in ``details.causes``."""

    reason: str = ""
    message: str = ""
    field: str = ""


@dataclass(frozen=True)
class Answer:
    """The outcome of one request.

    ``status`` is the HTTP status, or None for an outage: no answer came at all. ``reason`` is the word of the API
    (``NotFound``, ``Conflict`` ...) or of ``outages.py``. ``body`` is the JSON object that was answered. ``transient``
    is true when the same request may succeed later without anyone changing anything. ``retry_after`` is in
    seconds.
    """

    status: int | None
    body: dict[str, t.Any] | None = field(default=None, repr=False)
    reason: str = ""
    message: str = ""
    causes: tuple[Cause, ...] = ()
    retry_after: float | None = None
    transient: bool = False

    @property
    def ok(self) -> bool:
        """Whether the request was granted and its answer is an object."""
        return self.status is not None and 200 <= self.status < 300 and self.body is not None

    @property
    def absent(self) -> bool:
        """Whether the server knows the kind but not the object."""
        details = (self.body or {}).get("details") or {}
        return self.status == 404 and self.reason == "NotFound" and bool(details.get("name"))

    @property
    def unsent(self) -> bool:
        """Whether there was no connection, so that the server knows nothing of the request."""
        return self.status is None and self.reason in (REFUSED, NAME_UNKNOWN)

    @property
    def words(self) -> str:
        """Return status, reason and message as one phrase."""
        if self.status is None:
            return f"{self.reason}: {self.message}"
        label = f"{self.status} {self.reason}".strip()
        return f"{label}: {self.message}" if self.message not in ("", self.reason) else label


def answer_of_response(
    status: int, content: bytes, headers: Mapping[str, str], *, secrets: Iterable[str] = ()
) -> Answer:
    """Return the answer that a response holds; texts from outside are shortened and freed of ``secrets``."""
    body = _object_of(content)
    granted = 200 <= status < 300
    if granted and body is not None:
        return Answer(status=status, body=body)
    known = body if body is not None and body.get("kind") == "Status" else {}
    details = _mapping(known.get("details"))
    message = str(known.get("message") or "") or _excerpt(content) or ("it is not a JSON object" if granted else "")
    return Answer(
        status=status,
        body=body,
        reason=str(known.get("reason") or (UNREADABLE if granted else "")),
        message=_clean(message, secrets),
        causes=tuple(_cause(raw, secrets) for raw in _list(details.get("causes"))),
        retry_after=_seconds(headers.get("Retry-After"), details.get("retryAfterSeconds")),
        transient=status == 429 or (status >= 500 and not _LASTING_500.search(message)),
    )


def answer_of_outage(outage: Outage, *, secrets: Iterable[str] = ()) -> Answer:
    """Return the answer that stands for no answer."""
    return Answer(
        status=None,
        reason=outage.reason,
        message=_clean(outage.message, secrets),
        transient=outage.transient,
    )


def _object_of(content: bytes) -> dict[str, t.Any] | None:
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _excerpt(content: bytes) -> str:
    return content[: 4 * _LONGEST_MESSAGE].decode("utf-8", "replace")


def _clean(text: str, secrets: Iterable[str]) -> str:
    text = " ".join("".join(c if c.isprintable() else " " for c in Mask(secrets).text(text)).split())
    return text if len(text) <= _LONGEST_MESSAGE else f"{text[:_LONGEST_MESSAGE]} ..."


def _cause(raw: object, secrets: Iterable[str]) -> Cause:
    known = _mapping(raw)
    return Cause(*(_clean(str(known.get(key) or ""), secrets) for key in ("reason", "message", "field")))


def _seconds(*candidates: object) -> float | None:
    """Return the first whole number of seconds; the API server never sends Retry-After as a date."""
    for candidate in candidates:
        text = str(candidate if candidate is not None else "").strip()
        if text.isascii() and text.isdigit() and len(text) < 10:
            return min(float(text), _LONGEST_RETRY_AFTER)
    return None


def _mapping(value: object) -> Mapping[str, t.Any]:
    return value if isinstance(value, Mapping) else {}


def _list(value: object) -> list[t.Any]:
    return value if isinstance(value, list) else []
