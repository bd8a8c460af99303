# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""For how long an API was away, as a client sees it that asks for its readiness again and again."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator

from ansible_collections.fieldops.openshift.tests.lab.api_access import ApiAccess, asked_readiness
from ansible_collections.fieldops.openshift.tests.lab.rest import RestClient

ASKED_EVERY, LONGEST_ANSWER = 0.2, 5.0


@contextlib.contextmanager
def outages_of(api: ApiAccess) -> Iterator[list[float]]:
    """Yield a list that grows by the seconds of each outage until the end of the context."""
    seconds: list[float] = []
    over = threading.Event()

    def watch() -> None:
        since = 0.0
        while not over.wait(ASKED_EVERY):
            if _is_ready(api):
                seconds.extend([time.monotonic() - since] if since else [])
                since = 0.0
            else:
                since = since or time.monotonic()

    watching = threading.Thread(target=watch, daemon=True)
    watching.start()
    try:
        yield seconds
    finally:
        over.set()
        watching.join()


def _is_ready(api: ApiAccess) -> bool:
    with RestClient(api.url, api.ca_file, api.admin_token, timeout=LONGEST_ANSWER) as client:
        return asked_readiness(client, "/readyz") == "ok"
