# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What every actor is: a thread that looks at the cluster again and again and does the next thing that is due.

An actor plays an operator that cannot run in the lab because its image cannot be had. It copies the named upstream
behaviour and nothing more, and like its model it keeps no state of its own: killed and started again, it goes on.

An actor that names what it watches is told of changes there; it looks by itself only for what comes with time.
"""

from __future__ import annotations

import http.client
import threading
import typing as t
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from datetime import datetime, timezone

from ansible_collections.fieldops.openshift.tests.lab.actors.news import News
from ansible_collections.fieldops.openshift.tests.lab.errors import LabApiError
from ansible_collections.fieldops.openshift.tests.lab.rest import Json, RestClient

PERIOD_SECONDS = 0.1
RESYNC_SECONDS = 1.0
# Somebody was faster, the server is busy, or its etcd is between two leaders: the next look will tell.
PASSING = (404, 409, 429, 500, 503, 504)


class Actor(ABC):
    """A context manager: acts from entry to exit. An error that is no outage of the API is raised at exit.

    ``watched`` are the API paths whose changes call for a step; there is never more than one step in PERIOD_SECONDS, so
    that others see what is between two. Without a change the next comes after ``resync_seconds``: for what is tried
    again, for what is not in the API, and for watches that are lost. Who watches nothing takes a step every period.
    """

    watched: Sequence[str] = ()
    resync_seconds = RESYNC_SECONDS

    def __init__(self, client: RestClient) -> None:
        self.client = client
        self._stopping = threading.Event()
        self._news = threading.Event()
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name=type(self).__name__, daemon=True)

    @abstractmethod
    def step(self) -> None:
        """Look once, and do what is due."""

    def __enter__(self) -> t.Any:
        self._watches = [News(self.client, path, self._news.set) for path in self.watched]
        for watch in self._watches:
            watch.start()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        self._news.set()
        for watch in self._watches:
            watch.stop()
        self._thread.join()
        if self._error:
            raise self._error

    def _run(self) -> None:
        try:
            self._news.set()
            while not self._stopping.wait(PERIOD_SECONDS):
                self._news.wait(self.resync_seconds if self.watched else 0)
                self._news.clear()
                if not self._stopping.is_set():
                    self._step_through_outages()
        except BaseException as error:  # the thread's last words, raised where the actor is left
            self._error = error

    def _step_through_outages(self) -> None:
        try:
            self.step()
        except LabApiError as error:
            if error.status not in PASSING:
                raise
        except (OSError, http.client.HTTPException):
            return


def now() -> str:
    """Return the present as the API writes times."""
    return datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def with_condition(conditions: list[Json], kind: str, status: bool, reason: str, message: str = "") -> list[Json]:
    """Return conditions with one of them set; its time moves only when its status does."""
    wanted = "True" if status else "False"
    old: Mapping[str, t.Any] = next((one for one in conditions if one["type"] == kind), {})
    since = old["lastTransitionTime"] if old.get("status") == wanted else now()
    new = {"type": kind, "status": wanted, "reason": reason, "message": message, "lastTransitionTime": since}
    kept = [one for one in conditions if one["type"] != kind]
    return [*kept, new]
