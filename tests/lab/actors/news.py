# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""How an actor is told that there is something to look at, instead of asking again and again."""

from __future__ import annotations

import contextlib
import http.client
import threading
from collections.abc import Callable

from ansible_collections.fieldops.openshift.tests.lab.errors import LabApiError
from ansible_collections.fieldops.openshift.tests.lab.rest import EventStream, RestClient

# Below the time limit of the client, so that it is the server that ends a watch, and one that is lost is noticed.
LONGEST_SECONDS = "60"
AGAIN_SECONDS = 0.5


class News:
    """Watches one path (with or without a query) and calls ``tell`` for every change, and when some may be missed.

    A server that is away or hangs is tried again until ``stop``; who is told must look for itself now and then.
    """

    def __init__(self, client: RestClient, path: str, tell: Callable[[], None]) -> None:
        self._client, self._path, self._tell = client, path, tell
        self._stopping = threading.Event()
        self._stream: EventStream | None = None
        self._thread = threading.Thread(target=self._run, name=f"news of {path}", daemon=True)

    def start(self) -> None:
        """Begin to watch."""
        self._thread.start()

    def stop(self) -> None:
        """End the watch, wherever it hangs: it is a thread that keeps nobody from ending."""
        self._stopping.set()
        if self._stream:
            self._stream.end()

    def _run(self) -> None:
        while not self._stopping.is_set():
            with contextlib.suppress(LabApiError, OSError, http.client.HTTPException):
                self._watch()
            self._stopping.wait(AGAIN_SECONDS)

    def _watch(self) -> None:
        with contextlib.closing(self._client.stream(self._path, timeoutSeconds=LONGEST_SECONDS)) as stream:
            self._stream = stream
            if self._stopping.is_set():
                return
            self._tell()  # of what happened while nobody watched, the last object's end included
            for _event in stream:
                self._tell()
