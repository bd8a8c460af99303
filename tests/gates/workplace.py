# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Where gates work: the checkout, the cache outside it, and progress on the terminal."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


class GateError(Exception):
    """A gate did not pass, or what it needs cannot be had; the text is for the person at the terminal."""


@dataclass(frozen=True)
class Workplace:
    """``checkout`` is the collection's root; ``cache`` is kept between runs and may be deleted at any time.

    ``gate`` is the name of the gate that works here, if it is one.
    """

    checkout: Path
    cache: Path
    gate: str = ""

    @classmethod
    def here(cls) -> Workplace:
        """Return the workplace of this checkout; FIELDOPS_CACHE moves the cache."""
        base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
        cache = Path(os.environ.get("FIELDOPS_CACHE") or Path(base) / "fieldops-openshift")
        cache.mkdir(parents=True, exist_ok=True)
        return cls(checkout=Path(__file__).resolve().parents[2], cache=cache)

    @property
    def tree(self) -> Path:
        """Return the folder of this gate's copy of this checkout: what one gate writes there, no other one sees."""
        return self.cache / "trees" / self._name / (re.sub(r"[^\w.]+", "-", self.gate) or "any")

    @property
    def seen(self) -> Path:
        """Return the folder in which tests of this checkout say which results of modules they have seen."""
        return self.cache / "seen" / self._name

    @property
    def _name(self) -> str:
        return hashlib.sha256(str(self.checkout).encode()).hexdigest()[:12]

    @contextlib.contextmanager
    def lock(self, name: str) -> Iterator[None]:
        """Keep others that run gates at the same time away from the part of the cache called ``name``."""
        locks = self.cache / "locks"
        locks.mkdir(exist_ok=True)
        with (locks / name).open("w") as handle:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield


def say(message: str) -> None:
    """Print a line of progress at once and in one piece, as other gates print too."""
    sys.stdout.write(f"{message}\n")
    sys.stdout.flush()


SPENT = threading.local()
"""How many seconds of processors the commands of this thread's gate have used, in ``seconds``."""


def call(
    argv: Sequence[str | Path],
    *,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    log: Path | None = None,
    live: str | None = None,
) -> str:
    """Run a command and return its output; raise GateError with that output when it fails.

    ``env`` is added to the environment. With ``log`` the output also stays in that file, with ``live`` each line is
    shown when it comes, that text before it.
    """
    words = [str(word) for word in argv]
    environment = {**os.environ, "NO_COLOR": "1", **(env or {})}
    try:
        process = subprocess.Popen(
            words, cwd=cwd, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
    except FileNotFoundError as error:
        raise GateError(f"{error.filename} is needed and not installed") from error
    output = _gather(process, live)
    if log:
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_text(output)
    if process.returncode:
        shown = f"{output}\n" if live is None else ""
        raise GateError(f"{shown}'{' '.join(words)}' ended with {process.returncode}")
    return output


def _gather(process: subprocess.Popen[bytes], live: str | None) -> str:
    """Return what a process prints until it ends."""
    assert process.stdout
    lines = []
    for raw in process.stdout:
        lines.append(raw.decode(errors="replace"))
        if live is not None:
            say(live + lines[-1].rstrip("\n"))
    process.stdout.close()
    _unused, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    SPENT.seconds = getattr(SPENT, "seconds", 0.0) + used.ru_utime + used.ru_stime
    return "".join(lines)


def fail(message: str) -> None:
    """Print what must not be missed."""
    sys.stderr.write(f"{message}\n")
    sys.stderr.flush()
