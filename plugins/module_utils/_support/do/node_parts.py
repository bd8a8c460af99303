# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a node has for its support, read part by part: a command that fails or a file that is none stops nothing."""

from __future__ import annotations

import contextlib
import shlex
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._host.command_result import CommandResult
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import read_json
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._host.regular_file import RegularFile
from ansible_collections.fieldops.openshift.plugins.module_utils._support.do.archive_writer import PART_LIMIT
from ansible_collections.fieldops.openshift.plugins.module_utils._support.plan.known_secrets import known_secrets
from ansible_collections.fieldops.openshift.plugins.module_utils._support.plan.node_sources import (
    COMMANDS,
    FILES,
    LOGS,
    CommandSource,
    FileSource,
    journal_sources,
    lines_since,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._support.plan.parts import (
    ABSENT,
    COLLECTED,
    CUT,
    FAILED,
    REFUSED,
    Part,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import (
    FieldOpsError,
    MissingRequirementError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.timestamps import timestamp

Found = tuple[Part, str]

COMMAND_SECONDS = 60.0
MOST_FILES = 200
"""Files of one pattern."""

CREDENTIALS = (
    "/var/lib/kubelet/config.json",
    "/root/.docker/config.json",
    "/root/.config/containers/auth.json",
    "/run/containers/0/auth.json",
    "/run/ostree/auth.json",
    "/etc/ostree/auth.json",
    "/var/lib/fieldops/image-source/other-machines.json",
)
"""Files that are never collected, and whose secrets are taken out of all that is."""


def read_known_secrets(host: Host) -> frozenset[str]:
    """Return the secrets that are known to be on the host; a file that cannot be read has none that are known."""
    found: set[str] = set()
    for path in CREDENTIALS:
        with contextlib.suppress(FieldOpsError):
            found |= known_secrets(read_json(host.path(path)))
    return frozenset(found)


def read_node_parts(host: Host, hours: int) -> Iterator[Found]:
    """Yield each part of the host with its text, of logs the last ``hours``; those that matter most come first."""
    since = host.clock.utcnow() - timedelta(hours=hours)
    for command in COMMANDS:
        yield _read_command(host, command)
    for files in (*FILES, *LOGS):
        yield from _read_files(host, files, timestamp(since)[:-1])
    for journal in journal_sources(int(since.timestamp())):
        yield _read_command(host, journal)


def _read_command(host: Host, command: CommandSource) -> Found:
    part = Part(command.name, shlex.join(command.argv))
    try:
        deadline = Deadline(COMMAND_SECONDS, host.clock)
        return _ended(part, host.run(command.argv, deadline=deadline, ok=None, limit=PART_LIMIT))
    except MissingRequirementError as error:
        return Part(part.name, part.source, ABSENT, reason=error.seen), ""
    except FieldOpsError as error:
        return Part(part.name, part.source, FAILED, reason=error.seen), ""


def _ended(part: Part, ended: CommandResult) -> Found:
    if ended.rc:
        said = f"{ended.stdout}\n{ended.stderr}".strip()
        return Part(part.name, part.source, FAILED, reason=f"it ended with status {ended.rc}"), said
    if ended.stdout_cut:
        reason = f"{ended.stdout_cut} bytes were omitted from its middle"
        return Part(part.name, part.source, CUT, reason=reason), ended.stdout
    return part, ended.stdout


def _read_files(host: Host, files: FileSource, since: str) -> Iterator[Found]:
    found = sorted(path for path in host.root.glob(files.pattern.lstrip("/")) if not path.is_dir())
    if not found:
        yield Part(_part_name(files.pattern), files.pattern, ABSENT, reason="it does not exist"), ""
    if len(found) > MOST_FILES:
        reason = f"{len(found) - MOST_FILES} more files were omitted"
        yield Part(_part_name(files.pattern), files.pattern, FAILED, reason=reason), ""
    for path in found[-MOST_FILES:]:
        yield _read_file(host, path, since if files.is_log else "")


def _part_name(path: str) -> str:
    return f"files{path}"


def _read_file(host: Host, path: Path, since: str) -> Found:
    source = host.as_seen_by_host(path)
    name = _part_name(source)
    try:
        text, dropped = _end_of(host.path(source))
    except FieldOpsError as error:
        return Part(name, source, REFUSED, reason=error.seen), ""
    if since:
        text = lines_since(text, since)
    if dropped:
        return Part(name, source, CUT, reason=f"its first {dropped} bytes were omitted"), text
    return Part(name, source, COLLECTED), text


def _end_of(path: Path) -> tuple[str, int]:
    """Return the end of a regular file from the beginning of a line on, and how many bytes come before that."""
    opened = RegularFile.open(path)
    if opened is None:
        return "", 0
    try:
        buffer = bytearray(PART_LIMIT)
        offset = max(0, opened.size - PART_LIMIT)
        filled = 0
        while filled < PART_LIMIT:
            count = opened.read_into(memoryview(buffer)[filled:], offset + filled)
            if not count:
                break
            filled += count
    finally:
        opened.close()
    begins = buffer.find(b"\n", 0, filled) + 1 if offset else 0
    return bytes(buffer[begins:filled]).decode("utf-8", "replace"), offset + begins if offset else 0
