# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The job that updates a site runs as the account of its manifest, and names what is missing in it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.required_access import Access
from ansible_collections.fieldops.openshift.tests.integration.cluster_update.autoscaling import serve_automation
from ansible_collections.fieldops.openshift.tests.integration.lab.waiting import wait_for
from ansible_collections.fieldops.openshift.tests.integration.rights.job_account import (
    JobAccount,
    require_named,
    told,
)
from ansible_collections.fieldops.openshift.tests.integration.site_phases.conftest import MakeSite
from ansible_collections.fieldops.openshift.tests.integration.site_phases.phase_site import PhaseSite
from ansible_collections.fieldops.openshift.tests.integration.site_phases.played_site import CONFIG_MAPS, LEASES, finish
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.structure.job_permissions import accesses

JOB = "update_site"
TAKEN = {"get leases rollout fieldops-openshift", "patch machineconfigpools"}
"""Of what is recorded, what ``make test`` takes away; the rest is long."""


def updated(site: PhaseSite, account: JobAccount, folder: Path) -> subprocess.CompletedProcess[str]:
    """Update a site of three nodes of the control plane as the account of the job."""
    serve_automation(site.rest)
    for path in (LEASES, CONFIG_MAPS):
        site.rest.delete(path)
    site.begin_release()
    site.pause("master", "worker")
    site.render("master")
    site.bring("master-0")
    masters = [f"master-{number}" for number in range(3)]
    with site.operator():
        process = site.start(["release", "nodes"], site_kubeconfig=str(account.kubeconfig(folder)))
        wait_for(lambda: all(map(site.is_done, masters)) or process.poll() is not None, 240)
        if all(map(site.is_done, masters)):
            site.complete()
        return finish(process)


def test_the_update_runs_with_its_manifest(make_site: MakeSite, server: ApiServer, tmp_path: Path) -> None:
    site, account = make_site(3, 0), JobAccount(server, JOB)
    account.grant()
    run = updated(site, account, tmp_path)
    assert account.refused() == []
    assert run.returncode == 0, run.stdout
    assert account.not_recorded() == []
    assert account.not_used() == []


@pytest.mark.parametrize(
    "access",
    [pytest.param(one, id=told(one), marks=[] if told(one) in TAKEN else pytest.mark.long) for one in accesses(JOB)],
)
def test_the_update_with_one_verb_less_names_it(
    make_site: MakeSite, server: ApiServer, tmp_path: Path, access: Access
) -> None:
    site, account = make_site(3, 0), JobAccount(server, JOB)
    account.grant(without=access)
    run = updated(site, account, tmp_path)
    assert run.returncode != 0, run.stdout
    require_named(access, run.stdout)
