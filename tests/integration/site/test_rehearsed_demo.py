# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The site of the demo takes as long for its next update as a rehearsal says by the records of the one before."""

from __future__ import annotations

import typing as t
from collections.abc import Iterator

import pytest

from ansible_collections.fieldops.openshift.tests.demo.stage import Stage
from ansible_collections.fieldops.openshift.tests.integration.site.playbook_runs import run
from ansible_collections.fieldops.openshift.tests.integration.site_phases.foretold import (
    ALL,
    SHARE,
    foretold,
    recorded,
    shares,
)
from ansible_collections.fieldops.openshift.tests.lab.operated import FOLLOWING

pytestmark = pytest.mark.long
NEWEST = "4.21.5"


@pytest.fixture
def stage() -> Iterator[Stage]:
    with Stage() as stage:
        stage.publish(NEWEST)
        yield stage


def carried(stage: Stage, version: str) -> dict[str, t.Any]:
    """Build the bundle of a release, and return the variables of the site for it."""
    folder, release = stage.folder / version, stage.releases[version].reference
    played(stage, "create_bundle", {**stage.create_bundle(), "site_bundle": str(folder), "site_release": str(release)})
    return stage.update_site(folder)


def played(stage: Stage, playbook: str, variables: dict[str, t.Any]) -> str:
    ended = run(stage.command(playbook, variables))
    assert ended.status == 0, ended.output
    return ended.output


def test_the_next_update_of_the_demo_takes_as_long_as_the_rehearsal_says(stage: Stage) -> None:
    first, second = carried(stage, FOLLOWING), carried(stage, NEWEST)
    stage.lab.cut_registry()
    played(stage, "update_site", first)
    said = foretold(played(stage, "rehearse_site", second))
    played(stage, "update_site", second)
    assert stage.last_update()["version"] == NEWEST
    was = recorded(stage.lab.api.rest, ("worker-0", "worker-1"))
    assert [*was] == [*said], "in this order"
    # Single nodes are away for half a minute, of which this machine takes more or less by what else it does.
    assert shares(said, was)[ALL] == pytest.approx(1, abs=SHARE)
