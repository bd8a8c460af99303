# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The pipes between us and one running command."""

from __future__ import annotations

import os
import selectors
import subprocess
import typing as t
from collections.abc import Callable

from ansible_collections.fieldops.openshift.plugins.module_utils._host.capture import BoundedOutput


class CommandPipes:
    """Feeds ``stdin`` to ``process`` and keeps ``limit`` bytes of each output stream; ``tee`` sees every chunk."""

    def __init__(
        self, process: subprocess.Popen[bytes], stdin: bytes, limit: int, tee: Callable[[bytes], object] | None
    ) -> None:
        self._unsent = memoryview(stdin)
        self._tee = tee
        self.stdout, self.stderr = BoundedOutput(limit), BoundedOutput(limit)
        self._selector = selectors.DefaultSelector()
        self._watch(process.stdin, selectors.EVENT_WRITE, None)
        self._watch(process.stdout, selectors.EVENT_READ, self.stdout)
        self._watch(process.stderr, selectors.EVENT_READ, self.stderr)

    def _watch(self, pipe: t.IO[bytes] | None, event: int, output: BoundedOutput | None) -> None:
        if pipe is None:
            return
        os.set_blocking(pipe.fileno(), False)
        self._selector.register(pipe, event, output)

    @property
    def open(self) -> bool:
        """Whether any pipe is still open."""
        return bool(self._selector.get_map())

    def step(self, seconds: float) -> None:
        """Move what can be moved, waiting up to ``seconds`` for the first of it."""
        for key, _events in self._selector.select(seconds):
            done = self._read(key.fd, key.data) if key.data is not None else self._write(key.fd)
            if done:
                self._selector.unregister(key.fileobj)
                t.cast("t.IO[bytes]", key.fileobj).close()

    def _read(self, fd: int, output: BoundedOutput) -> bool:
        chunk = os.read(fd, 65536)
        output.add(chunk)
        if chunk and self._tee:
            self._tee(chunk)
        return not chunk

    def _write(self, fd: int) -> bool:
        try:
            self._unsent = self._unsent[os.write(fd, self._unsent[:65536]) :] if self._unsent else self._unsent
        except BrokenPipeError:
            return True
        return not self._unsent

    def close(self) -> None:
        """Close every pipe that is still open."""
        for key in list(self._selector.get_map().values()):
            t.cast("t.IO[bytes]", key.fileobj).close()
        self._selector.close()
