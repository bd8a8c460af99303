# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Blobs that no source provided, reported together, so that the next run does not find them one by one."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_errors import NoSourceError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import Blob
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError

MOST_SHOWN = 5
MOST_REPORTED = 100
_ADVICE = "Connect the drive again, correct the named sources, or set other ones. Received content is kept."


@dataclass(frozen=True)
class Failure:
    """One blob: ``owner`` names its image, where that is known; ``cause`` ended it, if anything did."""

    blob: Blob
    owner: str
    seen: str
    cause: FieldOpsError | None = None

    def as_document(self) -> dict[str, t.Any]:
        """Return it as results show it."""
        return {"blob": str(self.blob.digest), "size": self.blob.size, "image": self.owner, "reason": self.seen}


def failure_of(failures: Sequence[Failure], folder: str, so_far: Mapping[str, t.Any]) -> NoSourceError:
    """Return the error about ``failures`` in ``folder``, of the kind of the first cause; ``so_far`` was received."""
    first = failures[0]
    cause = first.cause
    if len(failures) == 1:
        attempted = f"receive the blob {first.blob.digest} of {first.blob.size} bytes"
        on, seen = first.owner or folder, first.seen
    else:
        shown = [f"{one.blob.digest} of {one.owner or folder}: {one.seen}" for one in failures[:MOST_SHOWN]]
        more = [f"and {len(failures) - MOST_SHOWN} more"] if len(failures) > MOST_SHOWN else []
        attempted, on, seen = f"receive {len(failures)} blobs", folder, "; ".join([*shown, *more])
    error = NoSourceError(
        attempted,
        on=on,
        seen=seen,
        advice=cause.advice if cause is not None else _ADVICE,
        partial={**so_far, "blobs": [one.as_document() for one in failures[:MOST_REPORTED]]},
        transient=cause is not None and cause.transient,
    )
    error.kind = cause.kind if cause is not None else error.kind
    return error
