# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The work behind the module site_report: read what is recorded, and write the report as a page and as JSON."""

from __future__ import annotations

import re
import typing as t
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.reviews import who_am_i
from ansible_collections.fieldops.openshift.plugins.module_utils._host.directories import ensure_directory
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import write_file, write_json
from ansible_collections.fieldops.openshift.plugins.module_utils._reports.do.run_history import read_runs, record_run
from ansible_collections.fieldops.openshift.plugins.module_utils._reports.plan.document import (
    SiteRecords,
    site_document,
    subject,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._reports.plan.report_page import report_page
from ansible_collections.fieldops.openshift.plugins.module_utils._reports.plan.run_history import SiteRun, run_of
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Result
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.timestamps import timestamp

Read = t.TypeVar("Read")
_FILE_NAME = re.compile(r"[a-z0-9][-.a-z0-9]{0,199}")


@dataclass(frozen=True)
class Subject:
    """The subject of the readers: the id of a rollout, when it was started, and option ``guard`` of the module."""

    rollout: str
    started: str
    guard: Mapping[str, t.Any] | None


@dataclass(frozen=True)
class Readers:
    """What reads the parts: ``heads`` the rollouts of the cluster, ``rollout`` the chosen one, the rest by name."""

    heads: Callable[[ClusterClient], list[dict[str, str]]]
    rollout: Callable[[ClusterClient, str], t.Any]
    others: Mapping[str, Callable[[ClusterClient, Subject], t.Any]]


@dataclass
class _Gathering:
    """Reads parts one after another; what cannot be read is missing, and after an outage nothing more is tried."""

    missing: list[tuple[str, str]] = field(default_factory=list)
    is_away: bool = False

    def read(self, name: str, ask: Callable[[], Read], default: Read) -> Read:
        """Return what ``ask`` returns, ``default`` where it cannot be had."""
        if self.is_away:
            self.missing.append((name, "the API did not respond before"))
            return default
        try:
            return ask()
        except FieldOpsError as error:
            self.is_away = error.transient
            self.missing.append((name, str(error)))
            return default


def site_report(client: ClusterClient, params: Mapping[str, t.Any], readers: Readers, *, check_mode: bool) -> Result:
    """Record option ``run``, and write the report of the site into the folder of option ``path``.

    A part that cannot be read is listed as missing. Raises FileAccessError, DiskFullError, InvalidInputError.
    """
    records = _records(client, params, readers)
    document = site_document(records)
    files = _files(Path(params["path"]), document)
    changed = bool(params["run"])
    if not check_mode:
        ensure_directory(Path(params["path"]))
        written = [write_json(files["json"], document), write_file(files["html"], report_page(document))]
        changed = changed or any(written)
    paths = {name: str(path) for name, path in files.items()}
    # The instants in the files are others in each run.
    diff = {"before": {"files": {}}, "after": {"files": paths, "run": dict(params["run"] or {})}}
    return Result(changed or check_mode, {"report": document, "files": paths}, diff=diff)


def _records(client: ClusterClient, params: Mapping[str, t.Any], readers: Readers) -> SiteRecords:
    gathering = _Gathering()
    read = timestamp(client.clock.utcnow())
    by = gathering.read("user", lambda: who_am_i(client).username, "")
    if params["run"]:
        run = run_of(params["run"], read, by)
        gathering.read("run", lambda: record_run(client, run), None)
    no_runs: tuple[SiteRun, ...] = ()
    no_heads: list[dict[str, str]] = []
    runs = gathering.read("runs", lambda: read_runs(client), no_runs)
    heads = gathering.read("rollouts", lambda: readers.heads(client), no_heads)
    rollout = subject(params["rollout"], runs, heads)
    found = gathering.read("rollout", lambda: readers.rollout(client, rollout), None)
    started = ((found or {}).get("journal") or {}).get("started", "")
    about = Subject(rollout, started, params["guard"])
    parts = {
        name: gathering.read(name, partial(reader, client, about), None) for name, reader in readers.others.items()
    }
    return SiteRecords(read, by, {"rollout": found, **parts}, runs, tuple(gathering.missing))


def _files(folder: Path, document: Mapping[str, t.Any]) -> dict[str, Path]:
    """Return the paths of the page and of the JSON, named after the rollout if its id can be part of a file name."""
    rollout = document["asked"]["rollout"]
    stem = f"site-report-{rollout}" if _FILE_NAME.fullmatch(rollout) else "site-report"
    return {"html": folder / f"{stem}.html", "json": folder / f"{stem}.json"}
