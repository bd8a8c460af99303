# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Each job runs with its manifest in extensions/rbac/jobs and names what is missing in it.

What it asks for is read from the audit log of the API server, and is what is recorded of it.
"""

from __future__ import annotations

import json
import random
import typing as t
from collections.abc import Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.required_access import Access
from ansible_collections.fieldops.openshift.tests.integration.modules.change_sites import (
    CONFIG_MAPS,
    assignments,
    enforce,
)
from ansible_collections.fieldops.openshift.tests.integration.play_processes import run_ansible_playbook
from ansible_collections.fieldops.openshift.tests.integration.plays import environment_for
from ansible_collections.fieldops.openshift.tests.integration.rights.job_account import (
    JobAccount,
    is_tolerated,
    require_named,
    told,
)
from ansible_collections.fieldops.openshift.tests.integration.shipped_rights import shipped
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.seed import boot_images, hosted_clusters
from ansible_collections.fieldops.openshift.tests.lab.seed.healthy import healthy_cluster, plant
from ansible_collections.fieldops.openshift.tests.structure import job_permissions
from ansible_collections.fieldops.openshift.tests.structure.job_permissions import NAMESPACE, accesses

if t.TYPE_CHECKING:
    from _pytest.mark.structures import ParameterSet


Json = dict[str, t.Any]

REASON = {"reason": "agreed with the customer"}
RUNS: dict[str, list[Json]] = {
    "check_site": [{"site_pin_method": "pinned_image_set"}],
    "enforce_changes": [{"site_change_stanza": {"strategy": "Restrictive"}}] * 2,
    "gather_support_data": [{"site_support_path": "out"}],
    "permit_changes": [{**REASON, "for": "1h"}, {**REASON, "end": True}],
    "report_site": [{"site_report": "out"}],
    "show_site_status": [{"site_rollout": "update-4.21.5-6a27f17a6a27"}],
    "stop_changes": [REASON, {**REASON, "end": True}],
}
"""What jobs are given in each of their runs."""
OVERRIDES = f"{CONFIG_MAPS}/change-overrides"
NAMESPACES = ("openshift-cluster-version", "openshift-etcd", hosted_clusters.NAMESPACE)
NOT_HERE = {
    # Groups that this API does not have.
    *("autoscaling.openshift.io", "remediation.medik8s.io", "cluster.x-k8s.io", "infrastructure.cluster.x-k8s.io"),
    "configmaps default-ingress-cert",  # read after the route to the alerts, which is not there
}
WITH_OWN_TESTS = ("update_boot_images", "update_site")
"""Their sites are in boot_image_policy/test_plays.py and site_phases/test_job_rights.py."""
JOBS = [job for job in job_permissions.JOBS if job not in WITH_OWN_TESTS]
SEED = 32


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
    """A healthy cluster that hosts another one, with the admission policy of change management.

    The change of its workers is restricted.
    """
    with ApiServer.start_openshift() as started:
        plant(started.rest, healthy_cluster("4.21.3", control_plane=1, workers=1))
        for name in (NAMESPACE, *NAMESPACES):
            started.rest.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
        started.rest.apply_all([*boot_images.namespaces(), boot_images.coreos_bootimages()])
        started.rest.apply_all([hosted_clusters.hosted_cluster(), hosted_clusters.node_pool()])
        started.rest.apply(assignments(worker="Restrictive"))
        for one in shipped("change-admission.yml"):
            started.rest.apply(one)
        yield started


@pytest.fixture
def job(server: ApiServer, request: pytest.FixtureRequest, tmp_path: Path) -> Job:
    """A job on a site without overrides, where change management is enforced unless the job is to do that."""
    if server.rest.exists(OVERRIDES):
        server.rest.delete(OVERRIDES)
    enforce(server, state="absent")
    if request.param != "enforce_changes":
        enforce(server)
    return Job(server, request.param, tmp_path)


@pytest.mark.parametrize("job", JOBS, indirect=True)
def test_a_job_runs_with_its_manifest(job: Job) -> None:
    job.account.grant()
    status, output = job.run()
    assert status == 0, output
    assert job.account.refused() == []
    assert job.account.not_recorded() == []
    assert [one for one in job.account.not_used() if not _is_elsewhere(one)] == []


def _is_elsewhere(access: Access) -> bool:
    return bool({access.group, f"{access.resource} {access.name}"} & NOT_HERE)


def short_rows() -> Iterator[ParameterSet]:
    """Yield each access of each job; ``make test`` takes one of each."""
    for job in JOBS:
        rows = [one for one in accesses(job) if not (_is_elsewhere(one) or is_tolerated(one))]
        chosen = random.Random(SEED).choice(rows)  # noqa: S311 - nothing secret
        for one in rows:
            yield pytest.param(job, one, id=f"{job}: {told(one)}", marks=[] if one == chosen else pytest.mark.long)


@pytest.mark.parametrize(("job", "access"), [*short_rows()], indirect=["job"])
def test_a_job_with_one_verb_less_names_it(job: Job, access: Access) -> None:
    job.account.grant(without=access)
    status, output = job.run()
    assert status == 2, output
    require_named(access, output)
