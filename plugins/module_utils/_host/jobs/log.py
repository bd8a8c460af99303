# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Everything that a job's process prints, kept within a bound and without its secrets."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from io import FileIO
from pathlib import Path
from types import TracebackType

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.masking import Mask


class RotatingLog:
    """Two files of ``limit`` bytes in all: when ``path`` is half of that, it becomes ``older`` and starts again."""

    def __init__(self, path: Path, older: Path, limit: int) -> None:
        self._path = path
        self._older = older
        self._half = limit // 2
        self._stream = _opened(path)

    def write(self, content: bytes) -> None:
        """Append ``content``; output that a full disk refuses is dropped, because its log must not stop the job."""
        with contextlib.suppress(OSError, ValueError):
            while content:
                room = self._half - self._stream.tell()
                if room > 0:
                    content = content[self._stream.write(content[:room]) or 0 :]
                else:
                    self._rotate()

    def close(self) -> None:
        """Close the file."""
        self._stream.close()

    def _rotate(self) -> None:
        self._stream.close()
        self._path.replace(self._older)
        self._stream = _opened(self._path)


def _opened(path: Path) -> FileIO:
    path.touch(mode=0o600)
    return path.open("ab", buffering=0)


class MaskedLog:
    """Puts ``mask`` before a log, also for secrets that arrive in pieces; safe for several threads."""

    def __init__(self, log: RotatingLog, mask: Mask) -> None:
        self._log = log
        self._mask = mask
        self._held = b""
        self._lock = threading.Lock()

    def write(self, chunk: bytes) -> None:
        """Append ``chunk``, except for an end that may be the beginning of a secret: that waits for what follows."""
        with self._lock:
            content = self._mask.raw(self._held + chunk)
            clear = len(content) - self._mask.pending(content)
            self._held = content[clear:]
            self._log.write(content[:clear])

    def close(self) -> None:
        """Append what still waited, and close the log; what is written later is dropped."""
        with self._lock:
            self._log.write(self._held)
            self._held = b""
            self._log.close()


class CapturedOutput:
    """While entered, all that this process and its children print goes into ``log``, which is closed in the end."""

    def __init__(self, log: MaskedLog) -> None:
        self._log = log
        self._thread = threading.Thread(target=self._pump, daemon=True)

    def __enter__(self) -> CapturedOutput:
        self._source, sink = os.pipe()
        for number in (1, 2):
            os.dup2(sink, number)
        os.close(sink)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for number in (1, 2):
            os.dup2(nowhere, number)
        os.close(nowhere)
        # A process left behind may hold the pipe open: it is not waited for.
        self._thread.join(1.0)
        self._log.close()

    def _pump(self) -> None:
        while True:
            chunk = os.read(self._source, 65536)
            if not chunk:
                break
            self._log.write(chunk)
