# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Each job runs with its manifest in extensions/rbac/jobs, uses all of it, and names what is missing in it.

What it uses is read from the audit log of the API server. Two permissions leave no trace there: ``create`` for the
object that a server-side apply creates, and ``govern``, which an admission policy asks for.
"""

from __future__ import annotations

import json
import re
import typing as t

import pytest
import yaml

from ansible_collections.fieldops.openshift.tests.integration.modules.change_sites import assignments, shipped
from ansible_collections.fieldops.openshift.tests.integration.play_processes import run_ansible_playbook
from ansible_collections.fieldops.openshift.tests.integration.plays import environment_for
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.seed import boot_images
from ansible_collections.fieldops.openshift.tests.lab.seed.healthy import healthy_cluster, plant
from ansible_collections.fieldops.openshift.tests.structure.job_permissions import (
    NAMESPACE,
    accesses,
    account_of,
    recorded,
)
from ansible_collections.fieldops.openshift.tests.structure.permissions import MANIFESTS

if t.TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.required_access import Access
    from ansible_collections.fieldops.openshift.tests.lab.audit import AuditedRequest

Json = dict[str, t.Any]

REASON = {"reason": "agreed with the customer"}
GIVEN: dict[str, Json] = {
    "gather_support_data": {"site_support_path": "out"},
    "permit_changes": {**REASON, "for": "1h"},
    "report_site": {"site_report": "out"},
    "stop_changes": REASON,
}
NAMESPACES = ("openshift-cluster-version", "openshift-config", "openshift-etcd", "openshift-monitoring")
REVIEWS = re.compile(r"(authorization|authentication)\.k8s\.io/")
"""What each user may ask: who it is and what it may do."""
TOLERANT = ("gather_support_data", "report_site")
"""Jobs that list what they cannot read, and go on."""


class Site:
    """A cluster with an account of a job, and how the job ran there."""

    def __init__(self, server: ApiServer, job: str, folder: Path) -> None:
        self.server, self.job, self.folder = server, job, folder
        self.account = f"system:serviceaccount:{NAMESPACE}:{account_of(job)}"
        self.granted = yaml.safe_load((MANIFESTS / "jobs" / f"{job}.yml").read_text())["items"]

    def grant(self, without: Access | None = None) -> None:
        """Apply the manifest of the job, if asked for without one of its permissions."""
        for one in self.granted:
            rules = [rule for rule in one.get("rules", []) if not _is_of(without, one, rule)]
            self.server.rest.apply({**one, **({"rules": rules} if "rules" in one else {})})

    def run(self) -> tuple[int, str]:
        """Run the job as its account and return its exit status and output."""
        kubeconfig = self.server.kubeconfig_of_service_account(NAMESPACE, account_of(self.job))
        given = {"site_kubeconfig": str(kubeconfig), **GIVEN.get(self.job, {})}
        given = {name: str(self.folder / "out") if value == "out" else value for name, value in given.items()}
        words = [f"fieldops.openshift.{self.job}", "-e", json.dumps(given)]
        done = run_ansible_playbook(words, environment_for(self.folder, {"ANSIBLE_DIFF_ALWAYS": "false"}))
        return done.returncode, done.stdout

    def requests(self) -> list[AuditedRequest]:
        """Return what the job asked of resources, and what any user may not."""
        found = [one for one in self.server.audit.requests() if one.impersonated == self.account]
        return [one for one in found if one.resource and not REVIEWS.match(one.resource)]


def _is_of(access: Access | None, role: Json, rule: Json) -> bool:
    return access is not None and (
        role["metadata"].get("namespace", ""),
        rule["apiGroups"],
        rule["resources"],
        rule.get("resourceNames", [""]),
    ) == (access.namespace, [access.group], [access.resource], [access.name])


@pytest.fixture
def site(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Site]:
    """A healthy cluster in which change management is enforced for the pool worker."""
    with ApiServer.start_openshift() as server:
        plant(server.rest, healthy_cluster("4.21.3", control_plane=1, workers=1))
        for name in NAMESPACES:
            server.rest.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
        server.rest.apply_all([*boot_images.namespaces(), boot_images.coreos_bootimages()])
        server.rest.apply(assignments(worker={"strategy": "Restrictive"}))
        for one in shipped("change-admission.yml"):
            server.rest.apply(one)
        yield Site(server, request.param, tmp_path)


ANY_JOB = pytest.mark.parametrize("site", recorded(), indirect=True)


@ANY_JOB
def test_a_job_runs_with_its_manifest_and_uses_all_of_it(site: Site) -> None:
    site.grant()
    status, output = site.run()
    requests = site.requests()
    assert [f"{one.verb} {one.resource} {one.name} {one.namespace}" for one in requests if one.code == 403] == []
    assert status == 0, output
    assert [one for one in accesses(site.job) if not _is_used(one, requests)] == []


def _is_used(access: Access, requests: list[AuditedRequest]) -> bool:
    resource = f"{access.group}/{access.resource}" if access.group else access.resource
    verbs = (access.verb, "patch") if access.verb in ("create", "govern") else (access.verb,)
    return any(
        (one.verb in verbs)
        and one.resource == resource
        and access.name in ("", one.name)
        and access.namespace in ("", one.namespace)
        for one in requests
    )


def one_short() -> list[t.Any]:
    """Return each job that stops at what it may not do, with each thing that it may do."""
    jobs = [job for job in recorded() if job not in TOLERANT]
    return [pytest.param(job, accesses(job)[0], id=job) for job in jobs]


@pytest.mark.parametrize(("site", "access"), one_short(), indirect=["site"])
def test_a_job_with_one_permission_less_names_it(site: Site, access: Access) -> None:
    site.grant(without=access)
    status, output = site.run()
    assert status == 2, output
    assert f'allows the verb "{access.verb}" on "{access.resource}"' in output
    assert re.search(r"extensions/rbac/[\w-]+\.yml of this collection grants it", output), output
