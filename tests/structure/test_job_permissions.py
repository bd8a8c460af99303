# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The manifest of a job grants what its playbook can need, for a reason that is known, and nothing else.

What the playbook can need are the files of ``extensions/rbac`` that it requires.
"""

from __future__ import annotations

import typing as t
from collections.abc import Iterable

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.required_access import Access
from ansible_collections.fieldops.openshift.tests.structure.job_permissions import (
    JOBS,
    accesses,
    cases_of,
    covers,
    granted,
    granted_by_files,
    never_used,
)

CASES = [(job, case) for job in JOBS for case in cases_of(job)]


def beyond(wanted: Iterable[Access], known: Iterable[Access]) -> list[Access]:
    """Return what of ``wanted`` no access of ``known`` includes."""
    listed = [*known]
    return [one for one in wanted if not any(covers(other, one) for other in listed)]


@pytest.mark.parametrize("job", JOBS)
def test_a_job_has_all_that_its_files_grant_except_what_it_never_uses(job: str) -> None:
    assert beyond(granted_by_files(job), [*granted(job), *never_used(job)]) == []


@pytest.mark.parametrize("job", JOBS)
def test_a_job_has_nothing_that_its_files_do_not_grant(job: str) -> None:
    assert beyond(granted(job), granted_by_files(job)) == []


@pytest.mark.parametrize("job", JOBS)
def test_what_a_job_never_uses_is_in_its_files_and_not_in_its_manifest(job: str) -> None:
    never = never_used(job)
    assert [one for one in never if not any(covers(one, other) for other in granted_by_files(job))] == []
    assert beyond(never, granted(job)) == never


@pytest.mark.parametrize(("job", "case"), CASES, ids=[f"{job}: {case.when}" for job, case in CASES])
def test_a_case_needs_what_the_recorded_runs_do_not(job: str, case: t.Any) -> None:
    assert beyond(case.accesses, accesses(job)) != []
