# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The lock of a cluster whose last job died elsewhere, as the next update of the site meets it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import pytest

from ansible_collections.fieldops.openshift.tests.integration.site_phases.conftest import MakeSite
from ansible_collections.fieldops.openshift.tests.integration.site_phases.dead_job import (
    DEAD,
    LEASE,
    lock_of_a_dead_job,
)
from ansible_collections.fieldops.openshift.tests.integration.site_phases.phase_site import PhaseSite


@pytest.fixture
def locked(make_site: MakeSite) -> Iterator[PhaseSite]:
    """A site in the middle of a release, with the lock of a job of another machine that has just been killed."""
    site = make_site(1, 1)
    site.begin_release()
    site.render("master")
    site.rest.apply_all(lock_of_a_dead_job())
    yield site
    site.rest.delete(LEASE)


@pytest.mark.long
def test_the_update_waits_until_the_lock_of_a_dead_job_has_run_out(locked: PhaseSite) -> None:
    locked.rest.merge(LEASE, {"spec": {"leaseDurationSeconds": 25}})
    begun = datetime.fromisoformat(locked.rest.get(LEASE)["metadata"]["creationTimestamp"])
    run = locked.update(["release"])
    assert run.returncode == 0, run.stdout
    taken = datetime.fromisoformat(locked.rest.get(LEASE)["spec"]["acquireTime"])
    assert (taken - begun).total_seconds() > 24
    assert locked.is_paused("worker")


def test_the_lock_is_broken_for_a_reason_that_is_kept(locked: PhaseSite) -> None:
    run = locked.update(["release"], site_break_lock_reason="its pod was evicted", site_lock_wait_timeout=0)
    assert run.returncode == 0, run.stdout
    assert locked.is_paused("worker")


def test_without_either_nothing_is_changed(locked: PhaseSite) -> None:
    run = locked.update(["release"], site_lock_wait_timeout=0)
    assert run.returncode != 0
    assert f"{DEAD} has held it since" in run.stdout
    assert not locked.is_paused("worker")
