# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The job: what a node has for its support becomes one archive without secrets, in memory and for root alone."""

from __future__ import annotations

import io
import typing as t
from dataclasses import replace
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.directories import (
    ensure_private_directory,
    remove_tree,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import write_file
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._support.do.archive_writer import ArchiveWriter
from ansible_collections.fieldops.openshift.plugins.module_utils._support.do.node_parts import (
    read_known_secrets,
    read_node_parts,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._support.plan.parts import (
    COLLECTED,
    CUT,
    Part,
    missing_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._support.plan.redaction import Redaction
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import ProgressReporter

PLACE = "/run/fieldops-openshift/support"
"""In memory: it also works where a disk is full, and is removed by a restart."""

ARCHIVE = f"{PLACE}/support-data.tar.gz"
MEBIBYTE = 1024 * 1024

MOST_NAMED = 100
"""Parts that a result names; the manifest in the archive names all."""


def make_node_archive(
    *, host_root: str, run: str, hours: int, limit_mib: int, progress: ProgressReporter
) -> dict[str, t.Any]:
    """Collect for ``run`` what the host has of the last ``hours``, ``limit_mib`` of it at most: the work of the job.

    Returns where the archive is and what is missing in it. Raises FileAccessError, DiskFullError.
    """
    host = Host(SystemClock(), Path(host_root))
    ensure_private_directory(host.path(PLACE))
    packed, parts = collected(host, hours, limit_mib, progress)
    write_file(host.path(ARCHIVE), packed, mode=0o600, durable=False)
    return {
        "run": run,
        "path": ARCHIVE,
        "size": len(packed),
        "parts": len(parts),
        "missing": [part.as_document() for part in missing_of(parts)[:MOST_NAMED]],
    }


def collected(host: Host, hours: int, limit_mib: int, progress: ProgressReporter) -> tuple[bytes, list[Part]]:
    """Return the archive of what the host has, and its parts."""
    redaction = Redaction(read_known_secrets(host))
    packed = io.BytesIO()
    with ArchiveWriter(packed, host.clock.utcnow(), limit_mib * MEBIBYTE) as writer:
        for found, text in read_node_parts(host, hours):
            part = replace(found, reason=redaction.text(found.reason))
            progress.report(f"Collecting support data: {len(writer.parts)} parts, current: {part.source:.100}")
            if text or part.state in (COLLECTED, CUT):
                writer.add(part, redaction.text(text))
            else:
                writer.note(part)
        writer.finish({"hours": hours})
    return packed.getvalue(), writer.parts


def remove_node_archive(host: Host) -> bool:
    """Remove the archive from the host; return whether there was one."""
    return remove_tree(host.path(PLACE))
