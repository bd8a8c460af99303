# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Orders that are cut off before and after each call that changes something, and given again."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.answers import Answer
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.calls import WRITE_VERBS, Call
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.do.machine_os_config import (
    machine_os_config_step,
)
from ansible_collections.fieldops.openshift.tests.integration.image_mode.building import (
    BASE,
    OTHER_PART,
    PART,
    BuildingSite,
    follow,
    request,
)
from ansible_collections.fieldops.openshift.tests.integration.image_mode.conftest import Connect


class KilledError(Exception):
    """The end of the process, as far as the work is concerned."""


def cut_off(write: int, *, after: bool) -> type[ClusterClient]:
    """Return a client that dies before or after its write of this number, counted from zero."""

    class Mortal(ClusterClient):
        writes = 0

        def attempt(self, call: Call, **options: t.Any) -> Answer:
            is_last = call.verb in WRITE_VERBS and self.writes == write
            self.writes += call.verb in WRITE_VERBS
            if is_last and not after:
                raise KilledError
            answer = super().attempt(call, **options)
            if is_last:
                raise KilledError
            return answer

    return Mortal


ORDERS: dict[str, dict[str, t.Any]] = {
    "a build": request(OTHER_PART),
    "a base and a build": request(OTHER_PART, os_image_url=BASE),
    "opting out": request(state="absent"),
    "a rollback": request(state="rolled_back"),
}
MOMENTS = [(write, after) for write in range(4) for after in (False, True)]


@pytest.mark.parametrize("order", ORDERS, ids=str)
def test_given_again_it_comes_to_the_same(site: BuildingSite, connect: Connect, order: str) -> None:
    params = ORDERS[order]
    cuts = 0
    with site.operator(), connect() as door:
        for write, after in MOMENTS:
            follow(door, request(PART))
            cuts += _killed(connect, params, cut_off(write, after=after))
            work, _unused = follow(door, params)
            again = machine_os_config_step(door, params)
            wanted = work.objects["machine_os_config"]["wanted"]
            assert (again.changed, again.objects["machine_os_config"]["wanted"]) == (False, wanted)
            assert _is_as_ordered(site, order), (write, after)
    assert cuts >= 4, "nothing was cut off: this would prove nothing"


def _killed(connect: Connect, params: dict[str, t.Any], kind: type[ClusterClient]) -> bool:
    with connect(kind=kind) as mortal:
        try:
            machine_os_config_step(mortal, params)
        except KilledError:
            return True
    return False


def _is_as_ordered(site: BuildingSite, order: str) -> bool:
    found = site.order()
    parts = [one["content"] for one in found["spec"]["containerFile"]] if found else []
    wanted = {
        "a build": ([OTHER_PART], ""),
        "a base and a build": ([OTHER_PART], BASE),
        "opting out": ([], ""),
        "a rollback": (parts, ""),
    }[order]
    return (parts, site.base()) == wanted
