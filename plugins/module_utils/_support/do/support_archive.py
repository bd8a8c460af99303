# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The one archive of a site: what the API returned, what each node has collected, and what is missing in it and why."""

from __future__ import annotations

import json
import typing as t
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import remove_file
from ansible_collections.fieldops.openshift.plugins.module_utils._host.partial_file import PartialFile
from ansible_collections.fieldops.openshift.plugins.module_utils._support.do.archive_writer import (
    MANIFEST,
    ArchiveWriter,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._support.do.cluster_parts import (
    reached,
    read_cluster_parts,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._support.do.node_archive import MEBIBYTE
from ansible_collections.fieldops.openshift.plugins.module_utils._support.do.node_step import require_bounds
from ansible_collections.fieldops.openshift.plugins.module_utils._support.do.untrusted_archive import read_archive
from ansible_collections.fieldops.openshift.plugins.module_utils._support.plan.node_manifest import (
    parts_of_manifest,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._support.plan.parts import (
    AWAY,
    FAILED,
    Part,
    member_name,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._support.plan.redaction import Redaction
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Result
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.timestamps import timestamp

BOUNDS = {"hours": 24 * 366, "limit_mib": 1024}
CLUSTER_MIB = 256
NAME = "fieldops-support-<time>.tar.gz"
REPORTS = {"reports": "report.json", "forecasts": "forecast.json"}
"""The parts of a node that options describe, by the option."""


@dataclass(frozen=True)
class NodeGiven:
    """What the play has of a node: its ``archive`` on this machine or the ``reason`` why there is none; its reports."""

    name: str
    archive: Path | None
    reason: str
    reports: Mapping[str, t.Any]

    @classmethod
    def of(cls, name: str, params: Mapping[str, t.Any]) -> NodeGiven:
        """Return what the options say of the node ``name``."""
        archive = params["archives"].get(name)
        return cls(
            name=name,
            archive=Path(archive) if archive else None,
            reason=str(params["reasons"].get(name) or "its archive was not fetched"),
            reports={part: params[option][name] for option, part in REPORTS.items() if name in params[option]},
        )


def support_archive(
    params: Mapping[str, t.Any],
    clock: Clock,
    connect: Callable[[], ClusterClient],
    versions: Mapping[str, str],
    *,
    check_mode: bool,
) -> Result:
    """Make the archive that ``params`` ask for and return where it is; in check mode say where it would be.

    Raises FileAccessError, DiskFullError, InvalidInputError. What cannot be reached or read is missing in it instead.
    """
    require_bounds(params, BOUNDS)
    now = clock.utcnow()
    top = f"fieldops-support-{now.strftime('%Y%m%dT%H%M%SZ')}"
    target = Path(params["path"]) / f"{top}.tar.gz"
    # The time in the name is another one in each run.
    diff = {"before": {"archive": ""}, "after": {"archive": str(target.with_name(NAME))}}
    if check_mode:
        return Result(True, {"archive": {"path": str(target)}, "missing": []}, actions=(), diff=diff)
    partial = target.with_name(f".{target.name}.part")
    nodes = [NodeGiven.of(name, params) for name in params["nodes"]]
    limit = (CLUSTER_MIB + params["limit_mib"] * len(nodes)) * MEBIBYTE
    try:
        with PartialFile.opened(partial) as sink, ArchiveWriter(sink, now, limit, top) as writer:
            server = _write(writer, params, nodes, connect, now)
            names = [node.name for node in nodes]
            missing = writer.finish({"hours": params["hours"], "nodes": names, "server": server, "versions": versions})
            sink.publish(target, mode=0o600)
            size = sink.position
    finally:
        remove_file(partial)
    archive = {"path": str(target), "size": size, "parts": len(writer.parts)}
    return Result(
        changed=True,
        objects={"archive": archive, "missing": [part.as_document() for part in missing]},
        actions=(),
        diff=diff,
    )


def _write(
    writer: ArchiveWriter,
    params: Mapping[str, t.Any],
    nodes: Sequence[NodeGiven],
    connect: Callable[[], ClusterClient],
    now: datetime,
) -> str:
    """Write all parts, and return the URL of the API server, nothing where there is no client for one."""
    client, away = reached(connect)
    redaction = Redaction(client.access.secrets if client else ())
    since = timestamp(now - timedelta(hours=params["hours"]))
    for part, text in read_cluster_parts(client, away, since, redaction):
        if text:
            writer.add(part, text)
        else:
            writer.note(part)
    for node in nodes:
        _write_node(writer, node, params["limit_mib"] * MEBIBYTE, redaction)
    return redaction.text(client.access.server) if client else ""


def _write_node(writer: ArchiveWriter, node: NodeGiven, limit: int, redaction: Redaction) -> None:
    folder = f"nodes/{member_name(node.name.replace('/', '_'))}"
    source = f"node {node.name}"
    for name, told in node.reports.items():
        report = json.dumps(redaction.document(told), indent=1, sort_keys=True)
        writer.add(Part(f"{folder}/{name}", source), report + "\n")
    if node.archive is None:
        writer.note(Part(folder, source, AWAY, reason=redaction.text(node.reason)))
        return
    try:
        _add_archive(writer, node.archive, f"{folder}/", source, limit, redaction)
    except FieldOpsError as error:
        writer.note(Part(folder, source, FAILED, reason=error.seen))


def _add_archive(
    writer: ArchiveWriter, archive: Path, folder: str, source: str, limit: int, redaction: Redaction
) -> None:
    """Add the parts of a node's archive as its manifest, which is its last member, explains them."""
    manifest = next((content for name, content in read_archive(archive, limit) if name == MANIFEST), b"")
    told = {
        name: replace(part, name=f"{folder}{name}", source=f"{source}: {part.source}")
        for name, part in parts_of_manifest(manifest).items()
    }
    for name, content in read_archive(archive, limit):
        if name != MANIFEST:
            part = told.pop(name, Part(f"{folder}{name}", source))
            writer.add(part, redaction.known_only(content.decode("utf-8", "replace")))
    for part in told.values():
        writer.note(part)
