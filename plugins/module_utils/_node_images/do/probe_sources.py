# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which sources of a bundle respond to this node: the index is requested, as staging requests blobs later.

A route, or a port that refuses, proves nothing about the firewalls between two nodes. So the probe is the real thing:
the same port, certificate and token.
"""

from __future__ import annotations

import contextlib
import typing as t
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.blob_sources import (
    NOT_YET,
    IndexSource,
    RelaySource,
    RelaySourceSpec,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import verified_index
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock

AT_ONCE = 8

PATIENCE = 5.0
"""Seconds in which a source must respond to be used before the others."""


def sources_report(params: Mapping[str, t.Any], clock: Clock, seconds: float = 10.0) -> list[dict[str, t.Any]]:
    """Return for each of ``sources`` whether it answers within some seconds, and why not where it does not.

    Raises InvalidInputError for an invalid digest, and for a URL that cannot be used.
    """
    digest = Digest.parse(params["index_digest"] or "")
    specs = [RelaySourceSpec(one["url"], one["ca"], one["token"]) for one in params["sources"]]
    with contextlib.ExitStack() as closing:
        sources = [closing.enter_context(contextlib.closing(RelaySource(spec, clock))) for spec in specs]
        reasons = _reasons(sources, digest, clock, seconds)
    return [{"url": spec.url, "answers": not reason, "reason": reason} for spec, reason in zip(specs, reasons)]


def answering_first(sources: Sequence[IndexSource], digest: Digest, clock: Clock) -> list[IndexSource]:
    """Return those of ``sources`` first that answer within PATIENCE seconds, each part in the order given."""
    reasons = _reasons(sources, digest, clock, PATIENCE) if len(sources) > 1 else [""] * len(sources)
    return [source for source, _why in sorted(zip(sources, reasons), key=lambda pair: bool(pair[1]))]


def _reasons(sources: Sequence[IndexSource], digest: Digest, clock: Clock, seconds: float) -> list[str]:
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(partial(_probe, digest=digest, clock=clock, seconds=seconds), sources))


def _probe(source: IndexSource, *, digest: Digest, clock: Clock, seconds: float) -> str:
    """Return why the source does not respond, empty if it does."""
    try:
        verified_index(source.index_content(Deadline(seconds, clock)), digest, source.name)
    except FieldOpsError as error:
        # A source that has not received the index yet is reachable too.
        return "" if getattr(error, "status", None) == NOT_YET else error.seen
    return ""
