# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The job that updates a site runs as the account of its manifest, and names what is missing in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.required_access import Access
from ansible_collections.fieldops.openshift.tests.integration.lab.waiting import wait_for
from ansible_collections.fieldops.openshift.tests.integration.rights.job_account import JobAccount
from ansible_collections.fieldops.openshift.tests.integration.site_phases.conftest import MakeSite
from ansible_collections.fieldops.openshift.tests.integration.site_phases.played_site import CONFIG_MAPS, LEASES, finish
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer

POOLS = ("machineconfiguration.openshift.io", "machineconfigpools")


def test_the_update_runs_with_its_manifest(make_site: MakeSite, server: ApiServer, tmp_path: Path) -> None:
    site, account = make_site(3, 0), JobAccount(server, "update_site")
    account.grant()
    for path in (LEASES, CONFIG_MAPS):
        site.rest.delete(path)
    site.begin_release()
    site.pause("master", "worker")
    site.render("master")
    site.bring("master-0")
    masters = [f"master-{number}" for number in range(3)]
    with site.operator():
        process = site.start(["release", "nodes"], site_kubeconfig=str(account.kubeconfig(tmp_path)))
        wait_for(lambda: all(map(site.is_done, masters)) or process.poll() is not None, 240)
        if all(map(site.is_done, masters)):
            site.complete()
        run = finish(process)
    assert account.refused() == []
    assert run.returncode == 0, run.stdout
    assert account.not_recorded() == []
    assert account.not_used() == []


@pytest.mark.parametrize(
    ("access", "file"),
    [
        pytest.param(Access("get", "coordination.k8s.io", "leases", "", "", ""), "rollout.yml", id="the lock"),
        pytest.param(Access("patch", *POOLS, "", "", ""), "rollout.yml", id="pausing a pool"),
    ],
)
def test_the_update_with_one_verb_less_names_it(
    make_site: MakeSite, server: ApiServer, tmp_path: Path, access: Access, file: str
) -> None:
    site, account = make_site(1, 1), JobAccount(server, "update_site")
    site.begin_release()
    site.render("master")
    account.grant(without=access)
    run = site.update(["release"], site_kubeconfig=str(account.kubeconfig(tmp_path)))
    assert run.returncode != 0, run.stdout
    assert f'allows the verb "{access.verb}" on "{access.resource}"' in run.stdout
    assert f"extensions/rbac/{file}" in run.stdout
    assert not site.is_paused("worker")
