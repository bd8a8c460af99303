# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Who of etcd's members serves, looked at again and again from the hosts themselves."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from ansible_collections.fieldops.openshift.tests.lab.errors import LabError
from ansible_collections.fieldops.openshift.tests.lab.hosted_api import ETCD_HEALTH_PORT
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab

PERIOD_SECONDS = 0.3


class QuorumWatch:
    """A context manager; ``rounds`` are the members that were up at each look, those of hosts that are off are not."""

    def __init__(self, lab: Lab, members: Sequence[str]) -> None:
        self._lab = lab
        self._members = members
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="quorum", daemon=True)
        self.rounds: list[frozenset[str]] = []

    def __enter__(self) -> QuorumWatch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        self._thread.join()

    @property
    def fewest(self) -> int:
        """How many members were up when they were fewest."""
        return min(len(one) for one in self.rounds)

    @property
    def missed(self) -> list[str]:
        """The members that were once away, in the order in which they were first missed."""
        away = [name for one in self.rounds for name in self._members if name not in one]
        return [*dict.fromkeys(away)]

    def _watch(self) -> None:
        with ThreadPoolExecutor(len(self._members)) as pool:
            while not self._stopping.wait(PERIOD_SECONDS):
                answers = list(pool.map(self._is_up, self._members))
                self.rounds.append(frozenset(name for name, is_up in zip(self._members, answers) if is_up))

    def _is_up(self, name: str) -> bool:
        """Ask a member about itself alone: between two leaders no member could speak for the others."""
        host = self._lab.hosts[name]
        url = f"http://{host.address}:{ETCD_HEALTH_PORT}/health?serializable=true"
        try:
            return '"health":"true"' in host.run("curl", "--silent", "--max-time", "30", url, check=False)
        except LabError:
            return False
