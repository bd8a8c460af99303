# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a lab that stands can be told by name: break a place, repair it, publish a release."""

from __future__ import annotations

import contextlib
import json
import shlex
import typing as t
from collections.abc import Callable, Mapping
from functools import partial

from ansible_collections.fieldops.openshift.tests.lab.errors import LabError
from ansible_collections.fieldops.openshift.tests.lab.faults import (
    LAB_FAULTS,
    NODE_FAULTS,
    Fault,
    Place,
)
from ansible_collections.fieldops.openshift.tests.lab.kubectl import kubectl
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
from ansible_collections.fieldops.openshift.tests.lab.operated import OperatedLab
from ansible_collections.fieldops.openshift.tests.lab.registry.release import Release


class Interventions:
    """Those of one lab. What is broken is forgotten with the lab."""

    def __init__(self, lab: Lab, operated: OperatedLab | None = None) -> None:
        self._lab, self._operated = lab, operated
        self._broken: dict[str, dict[str, Callable[[], object]]] = {}

    @property
    def verbs(self) -> dict[str, Callable[..., t.Any]]:
        """What can be asked for."""
        return {"break": self.damage, "repair": self.repair, "publish": self.publish, "state": self.state}

    def damage(self, place: str, fault: str) -> list[str]:
        """Break a host, the ``api`` or the ``registry``; return what that means."""
        begin, end, means = self._fault(place, fault)
        if fault in self._broken.get(place, {}):
            raise LabError("break", on=place, seen=f"it is {fault} already", advice="Repair it first.")
        begin()
        self._broken.setdefault(place, {})[fault] = end
        return [f"{place}: {means}"]

    def repair(self, place: str = "") -> list[str]:
        """Repair all that is broken of a place, or of all places, latest first; return what was."""
        places = [place] if place else [*self._broken]
        if not any(self._broken.get(one) for one in places):
            raise LabError("repair", on=place or "the lab", seen="nothing is broken", advice="See 'status'.")
        said = []
        with contextlib.ExitStack() as undo:  # each of them, also after one that fails
            for one in places:
                for fault, end in self._broken.pop(one, {}).items():
                    undo.callback(end)
                    said.append(f"{one}: {fault} no more")
        return said

    def publish(self, version: str) -> list[str]:
        """Publish a further release; return how to go on with it."""
        if not self._operated:
            advice = "Start one with --profile openshift."
            raise LabError("publish a release", on=version, seen="this lab runs no release", advice=advice)
        return _how_to_update(self._operated.publish(version), self._operated)

    def state(self) -> dict[str, t.Any]:
        """Return what is broken, and which releases there are."""
        found: dict[str, t.Any] = {"broken": {place: [*faults] for place, faults in self._broken.items()}}
        if self._operated:
            found["releases"] = self._operated.names
        return found

    def _fault(self, place: str, name: str) -> _BoundFault:
        if place in LAB_FAULTS:
            return _bound(place, name, LAB_FAULTS[place], self._lab)
        if place in self._lab.hosts:
            return _bound(place, name, NODE_FAULTS, self._lab.hosts[place])
        places = ", ".join([*self._lab.hosts, *LAB_FAULTS])
        raise LabError("break", on=place, seen="no such place", advice=f"There are {places}.")


class _BoundFault(t.NamedTuple):
    begin: Callable[[], object]
    end: Callable[[], object]
    means: str


def _bound(place: str, name: str, known: Mapping[str, Fault[Place]], subject: Place) -> _BoundFault:
    if name not in known:
        raise LabError("break", on=place, seen=f"no fault {name}", advice=f"It can be {', '.join(known)}.")
    fault = known[name]
    return _BoundFault(partial(fault.begin, subject), partial(fault.end, subject), fault.means)


def _how_to_update(release: Release, operated: OperatedLab) -> list[str]:
    """Return the commands by which an administrator of the cluster lets it go to a release."""
    version, image = release.spec.version, str(release.reference.by_digest())
    request = json.dumps({"spec": {"desiredUpdate": {"version": version, "image": image}}})
    return [
        f"{kubectl()} apply -f {operated.signature_file(version)}",
        f"{kubectl()} patch clusterversion version --type=merge -p {shlex.quote(request)}",
    ]
