# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What can go wrong in a lab, each until the end of a ``with`` block. Nothing of it is felt outside of the lab."""

from __future__ import annotations

import contextlib
import typing as t

from ansible_collections.fieldops.openshift.tests.lab.errors import LabError

if t.TYPE_CHECKING:
    from collections.abc import Iterator

    from ansible_collections.fieldops.openshift.tests.lab.lab import Lab

FILLER = ".filler"


class Faults:
    """The faults of one lab, on request."""

    def __init__(self, lab: Lab) -> None:
        self._lab = lab

    @contextlib.contextmanager
    def partition(self, *names: str) -> Iterator[None]:
        """Pull the network cables of hosts: packets are lost both ways; what runs on the hosts goes on."""
        with contextlib.ExitStack() as undo:
            for name in names:
                self._lab.hosts[name].plug(False)
                undo.callback(self._lab.hosts[name].plug, True)
            yield

    @contextlib.contextmanager
    def slow_link(self, name: str, bits_per_second: int) -> Iterator[None]:
        """Limit what goes to and from a host."""
        host = self._lab.hosts[name]
        host.limit_link(bits_per_second)
        try:
            yield
        finally:
            host.limit_link(None)

    @contextlib.contextmanager
    def power_loss(self, *names: str) -> Iterator[None]:
        """Cut the power of hosts; it is back at the end, when they start to boot."""
        with contextlib.ExitStack() as undo:
            for name in names:
                self._lab.hosts[name].lose_power()
                undo.callback(self._lab.hosts[name].power_on)
            yield

    @contextlib.contextmanager
    def full_disk(self, name: str, path: str) -> Iterator[None]:
        """Fill ``/var/lib/containers`` or ``/var/lib/fieldops`` of a host that has a disk of a given size there."""
        host = self._lab.hosts[name]
        if not host.has_own_disk(path):
            advice = f"Give it one: sizes={{{path!r}: 64 << 20}}."
            raise LabError("fill a disk", on=f"{name}:{path}", seen="no disk of its own", advice=advice)
        host.run("dd", "if=/dev/zero", f"of={path}/{FILLER}", "bs=4k", "status=none", check=False)
        try:
            yield
        finally:
            host.run("rm", f"{path}/{FILLER}")

    @contextlib.contextmanager
    def stopped_api(self) -> Iterator[None]:
        """Let the API go down, so that connections are refused or reset; it is ready again at the end."""
        self._lab.api.stop()
        try:
            yield
        finally:
            self._lab.api.start()

    @contextlib.contextmanager
    def frozen_api(self) -> Iterator[None]:
        """Let the API hang: it takes connections and answers nothing."""
        self._lab.api.freeze()
        try:
            yield
        finally:
            self._lab.api.thaw()
