# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What can go wrong in a lab, each until the end of a ``with`` block. Nothing of it is felt outside of the lab.

``NODE_FAULTS`` and ``LAB_FAULTS`` are those that a lab that stands can be given by their names.
"""

from __future__ import annotations

import contextlib
import typing as t
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.tests.lab.errors import LabError
from ansible_collections.fieldops.openshift.tests.lab.node.host import NodeHost

if t.TYPE_CHECKING:
    from ansible_collections.fieldops.openshift.tests.lab.lab import Lab

FILLER = ".filler"
BUNDLES = "/var/lib/fieldops"
SLOW = 1_000_000  # bits per second
Place = t.TypeVar("Place")


@dataclass(frozen=True)
class Fault(t.Generic[Place]):
    """How a place (a host, or the lab) is broken and repaired, and what that means, in a few words."""

    means: str
    begin: Callable[[Place], object]
    end: Callable[[Place], object]


def _fill(host: NodeHost, path: str = BUNDLES) -> None:
    if not host.has_own_disk(path):
        advice = f"Give it one: sizes={{{path!r}: 64 << 20}}, or 'up --disk 64'."
        raise LabError("fill a disk", on=f"{host.name}:{path}", seen="no disk of its own", advice=advice)
    host.run("dd", "if=/dev/zero", f"of={path}/{FILLER}", "bs=4k", "status=none", check=False)


def _free(host: NodeHost, path: str = BUNDLES) -> None:
    host.run("rm", f"{path}/{FILLER}")


UNPLUGGED: Fault[NodeHost] = Fault(
    "its network cable is pulled, what runs on it goes on",
    lambda host: host.plug(False),
    lambda host: host.plug(True),
)
WITHOUT_POWER: Fault[NodeHost] = Fault(
    "its power is cut; repaired, it boots", lambda host: host.lose_power(), lambda host: host.power_on()
)
WITHOUT_KUBELET: Fault[NodeHost] = Fault(
    "its kubelet is down and does not start with the next boot",
    lambda host: host.run("systemctl", "disable", "--now", "kubelet"),
    lambda host: host.run("systemctl", "enable", "--now", "kubelet"),
)
NODE_FAULTS: dict[str, Fault[NodeHost]] = {
    "unplugged": UNPLUGGED,
    "slow-link": Fault(
        f"its link carries {SLOW // 1_000_000} Mbit/s",
        lambda host: host.limit_link(SLOW),
        lambda host: host.limit_link(None),
    ),
    "no-power": WITHOUT_POWER,
    "no-kubelet": WITHOUT_KUBELET,
    "full-disk": Fault(f"nothing more can be written to {BUNDLES}", _fill, _free),
}
API_STOPPED: Fault[Lab] = Fault(
    "its connections are refused or reset", lambda lab: lab.api.stop(), lambda lab: lab.api.start()
)
API_FROZEN: Fault[Lab] = Fault(
    "it takes connections and answers nothing", lambda lab: lab.api.freeze(), lambda lab: lab.api.thaw()
)
LAB_FAULTS: dict[str, dict[str, Fault[Lab]]] = {
    "api": {"stopped": API_STOPPED, "frozen": API_FROZEN},
    "registry": {
        "cut": Fault(
            "packets to and from it are lost", lambda lab: lab.cut_registry(), lambda lab: lab.restore_registry()
        )
    },
}
"""By the place that is broken; the names are those of the command line."""


@contextlib.contextmanager
def during(fault: Fault[Place], *places: Place) -> Iterator[None]:
    """Have places broken until the end of the context."""
    with contextlib.ExitStack() as undo:
        for place in places:
            fault.begin(place)
            undo.callback(fault.end, place)
        yield


class Faults:
    """The faults of one lab, on request."""

    def __init__(self, lab: Lab) -> None:
        self._lab = lab

    def partition(self, *names: str) -> contextlib.AbstractContextManager[None]:
        """Pull the network cables of hosts: packets are lost both ways; what runs on the hosts goes on."""
        return during(UNPLUGGED, *self._hosts(names))

    def slow_link(self, name: str, bits_per_second: int) -> contextlib.AbstractContextManager[None]:
        """Limit what goes to and from a host."""
        limited: Fault[NodeHost] = Fault(
            "", lambda host: host.limit_link(bits_per_second), lambda host: host.limit_link(None)
        )
        return during(limited, *self._hosts([name]))

    def power_loss(self, *names: str) -> contextlib.AbstractContextManager[None]:
        """Cut the power of hosts; it is back at the end, when they start to boot."""
        return during(WITHOUT_POWER, *self._hosts(names))

    def full_disk(self, name: str, path: str) -> contextlib.AbstractContextManager[None]:
        """Fill ``/var/lib/containers`` or ``/var/lib/fieldops`` of a host that has a disk of a given size there."""
        filled: Fault[NodeHost] = Fault("", lambda host: _fill(host, path), lambda host: _free(host, path))
        return during(filled, *self._hosts([name]))

    def stopped_api(self) -> contextlib.AbstractContextManager[None]:
        """Let the API go down, so that connections are refused or reset; it is ready again at the end."""
        return during(API_STOPPED, self._lab)

    def frozen_api(self) -> contextlib.AbstractContextManager[None]:
        """Let the API hang: it takes connections and answers nothing."""
        return during(API_FROZEN, self._lab)

    def _hosts(self, names: Iterable[str]) -> list[NodeHost]:
        return [self._lab.hosts[name] for name in names]
