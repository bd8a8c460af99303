# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""How a command ended."""

from __future__ import annotations

import json
import shlex
import signal
import typing as t
from collections.abc import Sequence
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.masking import Mask

QUOTED = 2000
"""Characters of output that an error quotes."""


@dataclass(frozen=True)
class CommandResult:
    """How a command ended. ``rc`` is -N after signal N; ``*_cut`` are bytes dropped from the middle of a stream."""

    argv: tuple[str, ...]
    rc: int
    stdout: str
    stderr: str
    seconds: float
    stdout_cut: int = 0
    stderr_cut: int = 0

    def json(self) -> t.Any:
        """Return the standard output as a JSON document; a cut or malformed one is a CommandError."""
        if self.stdout_cut:
            raise CommandError(self, seen=f"its output is {self.stdout_cut} bytes longer than the part that is kept")
        try:
            return json.loads(self.stdout)
        except (ValueError, RecursionError) as error:
            raise CommandError(self, seen=f"its output is not JSON ({error}): {self.stdout[:200]!r}") from error


class CommandError(FieldOpsError):
    """A command failed; ``rc`` and ``stderr`` (its end) are part of the result."""

    kind = "command_failed"

    def __init__(
        self, result: CommandResult, *, on: str = "this host", seen: str = "", mask: Mask | None = None
    ) -> None:
        mask = mask or Mask()
        self.rc = result.rc
        self.stderr = mask.text(result.stderr)[-QUOTED:].strip()
        super().__init__(
            f"run {displayed(result.argv)}",
            on=on,
            seen=mask.text(seen) or f"it {_ending(result.rc)}, with the error output: {self.stderr or 'none'}",
            advice="Check the output of the command, or run it manually on that host to see more.",
            partial={"argv": list(result.argv), "rc": result.rc, "stderr": self.stderr},
        )


def displayed(argv: Sequence[str]) -> str:
    """Return ``argv`` as a person would type it, shortened to 300 characters."""
    line = shlex.join(argv)
    return line if len(line) <= 300 else f"{line[:297]}..."


def _ending(rc: int) -> str:
    return f"was killed by signal {-rc} ({signal.strsignal(-rc)})" if rc < 0 else f"ended with status {rc}"
