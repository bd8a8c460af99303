# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Errors of the lab: what it could not build, start or reach, in the collection's own form."""

from __future__ import annotations

import typing as t
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError


class LabError(FieldOpsError):
    """A part of the lab could not be built, started or reached."""

    kind = "lab"

    @property
    def line(self) -> str:
        """What could not be done and the end of why, for the reason of a test that is skipped."""
        return f"could not {self.attempted}: {' '.join(self.seen.strip().splitlines()[-1:])}"


class LabApiError(LabError):
    """The lab's API server answered with an error; ``status`` is the HTTP status, ``reason`` that of the Status."""

    kind = "lab_api"

    def __init__(self, method: str, path: str, status: int, answer: dict[str, t.Any]) -> None:
        self.status = status
        self.reason: str = answer.get("reason", "")
        super().__init__(
            method,
            on=path,
            seen=f"HTTP {status} {answer.get('message', '')}".strip(),
            advice="Look at the API server's log in the lab's directory.",
        )


def last_lines(log: Path, count: int = 15) -> str:
    """Return the last ``count`` lines of a log file, for an error that has to say why a process ended."""
    if not log.exists():
        return "no log was written"
    return "\n".join(log.read_text(errors="replace").splitlines()[-count:])
