# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Each job runs with its manifest in extensions/rbac/jobs and names what is missing in it.

What it asks for is read from the audit log of the API server, and is what is recorded of it.
"""

from __future__ import annotations

import json
import re
import typing as t
from collections.abc import Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.required_access import Access
from ansible_collections.fieldops.openshift.tests.integration.modules.change_sites import assignments
from ansible_collections.fieldops.openshift.tests.integration.play_processes import run_ansible_playbook
from ansible_collections.fieldops.openshift.tests.integration.plays import environment_for
from ansible_collections.fieldops.openshift.tests.integration.rights.job_account import JobAccount
from ansible_collections.fieldops.openshift.tests.integration.shipped_rights import shipped
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.seed import boot_images, hosted_clusters
from ansible_collections.fieldops.openshift.tests.lab.seed.healthy import healthy_cluster, plant
from ansible_collections.fieldops.openshift.tests.structure import job_permissions
from ansible_collections.fieldops.openshift.tests.structure.job_permissions import NAMESPACE

Json = dict[str, t.Any]

REASON = {"reason": "agreed with the customer"}
RUNS: dict[str, list[Json]] = {
    "gather_support_data": [{"site_support_path": "out"}],
    "permit_changes": [{**REASON, "for": "1h"}, {**REASON, "end": True}],
    "report_site": [{"site_report": "out"}],
    "show_site_status": [{"site_rollout": "update-4.21.5-6a27f17a6a27"}],
    "stop_changes": [REASON, {**REASON, "end": True}],
}
"""What jobs are given in each of their runs."""
NAMESPACES = ("openshift-cluster-version", "openshift-etcd", hosted_clusters.NAMESPACE)
NOT_HERE = {
    # Groups that this API does not have.
    *("autoscaling.openshift.io", "remediation.medik8s.io", "cluster.x-k8s.io", "infrastructure.cluster.x-k8s.io"),
    "configmaps default-ingress-cert",  # read after the route to the alerts, which is not there
}
WITH_OWN_TESTS = ("update_boot_images", "update_site")
"""Their sites are in boot_image_policy/test_plays.py and site_phases/test_job_rights.py."""
JOBS = [job for job in job_permissions.JOBS if job not in WITH_OWN_TESTS]
POOLS = Access("list", "machineconfiguration.openshift.io", "machineconfigpools", "", "", "")
NODES = Access("list", "", "nodes", "", "", "")
SHORT = {
    "check_site": Access("list", "", "pods", "", "", ""),
    "enforce_changes": POOLS,
    "permit_changes": POOLS,
    "show_maintenance_calendar": NODES,
    "show_site_status": Access("list", "config.openshift.io", "clusteroperators", "", "", ""),
    "stop_changes": NODES,
}
"""Jobs that stop at what they may not do, with one thing that each does. Others list what they cannot read."""
GRANTED_BY = re.compile(r"extensions/rbac/[\w-]+\.yml( or \S+)* of this collection grants it")


class Job:
    """A job that runs as its account."""

    def __init__(self, server: ApiServer, job: str, folder: Path) -> None:
        self.name, self.folder, self.account = job, folder, JobAccount(server, job)

    def run(self) -> tuple[int, str]:
        """Run the job as often as it has runs; return the last exit status and all output."""
        status, outputs = 0, []
        for given in RUNS.get(self.name, [{}]):
            known = {name: str(self.folder) if value == "out" else value for name, value in given.items()}
            known["site_kubeconfig"] = str(self.account.kubeconfig(self.folder))
            words = [f"fieldops.openshift.{self.name}", "-e", json.dumps(known)]
            done = run_ansible_playbook(words, environment_for(self.folder, {"ANSIBLE_DIFF_ALWAYS": "false"}))
            outputs.append(done.stdout)
            status = done.returncode
            if status:
                break
        return status, "".join(outputs)


@pytest.fixture(scope="module")
def server() -> Iterator[ApiServer]:
    """A healthy cluster with the admission policy of change management, and a pool whose changes are restricted."""
    with ApiServer.start_openshift() as started:
        plant(started.rest, healthy_cluster("4.21.3", control_plane=1, workers=1))
        for name in (NAMESPACE, *NAMESPACES):
            started.rest.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
        started.rest.apply_all([*boot_images.namespaces(), boot_images.coreos_bootimages()])
        started.rest.apply_all([hosted_clusters.hosted_cluster(), hosted_clusters.node_pool()])
        started.rest.apply(assignments(worker={"strategy": "Restrictive"}))
        for one in shipped("change-admission.yml"):
            started.rest.apply(one)
        yield started


@pytest.fixture
def job(server: ApiServer, request: pytest.FixtureRequest, tmp_path: Path) -> Job:
    return Job(server, request.param, tmp_path)


@pytest.mark.parametrize("job", JOBS, indirect=True)
def test_a_job_runs_with_its_manifest(job: Job) -> None:
    job.account.grant()
    status, output = job.run()
    assert status == 0, output
    assert job.account.refused() == []
    assert job.account.not_recorded() == []
    unused = [one for one in job.account.not_used() if not {one.group, f"{one.resource} {one.name}"} & NOT_HERE]
    assert unused == []


@pytest.mark.parametrize(("job", "access"), SHORT.items(), indirect=["job"], ids=SHORT)
def test_a_job_with_one_verb_less_names_it(job: Job, access: Access) -> None:
    job.account.grant(without=access)
    status, output = job.run()
    assert status == 2, output
    assert f'allows the verb "{access.verb}" on "{access.resource}"' in output
    assert GRANTED_BY.search(output), output
