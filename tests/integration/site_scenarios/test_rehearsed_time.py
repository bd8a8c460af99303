# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A rehearsal foretells, by the records of one update, how long the next one takes by OpenShift's own operators."""

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.tests.integration.site_phases.foretold import (
    SHARE,
    foretold,
    recorded,
    shares,
)
from ansible_collections.fieldops.openshift.tests.integration.site_scenarios.conftest import Operate
from ansible_collections.fieldops.openshift.tests.integration.site_scenarios.operated_site import MINOR, Stock

pytestmark = pytest.mark.long
REBOOT_SECONDS = 30.0
"""Hosts take longer. Much shorter, the work between nodes, which is that of this machine, would count for most."""


def test_the_next_update_takes_as_long_as_the_rehearsal_says(operate: Operate, stock: Stock) -> None:
    site = operate(3, 2)
    site.reboots.seconds = REBOOT_SECONDS
    first = site.update()
    assert first.returncode == 0, first.stdout
    site = site.with_bundle(stock.bundles[MINOR])
    rehearsed = site.rehearse_update()
    assert rehearsed.returncode == 0, rehearsed.stdout
    said = foretold(rehearsed.stdout)
    run = site.update()
    assert run.returncode == 0, run.stdout
    assert site.is_at_release()
    was = recorded(site.rest, ("worker-0", "worker-1"))
    assert [*was] == [*said], "in this order"
    assert {name: share for name, share in shares(said, was).items() if abs(share - 1) > SHARE} == {}
