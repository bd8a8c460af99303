# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Each job runs with its manifest in extensions/rbac/jobs and names what is missing in it.

What it asks for is read from the audit log of the API server. Of jobs that only read, the manifest grants nothing else.
"""

from __future__ import annotations

import json
import re
import typing as t

import pytest
import yaml

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.required_access import Access
from ansible_collections.fieldops.openshift.tests.integration.modules.change_sites import assignments
from ansible_collections.fieldops.openshift.tests.integration.play_processes import run_ansible_playbook
from ansible_collections.fieldops.openshift.tests.integration.plays import environment_for
from ansible_collections.fieldops.openshift.tests.integration.shipped_rights import shipped
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.kubeconfig import with_token
from ansible_collections.fieldops.openshift.tests.lab.seed import boot_images
from ansible_collections.fieldops.openshift.tests.lab.seed.healthy import healthy_cluster, plant
from ansible_collections.fieldops.openshift.tests.structure import job_permissions
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

    from ansible_collections.fieldops.openshift.tests.lab.audit import AuditedRequest

Json = dict[str, t.Any]

REASON = {"reason": "agreed with the customer"}
GIVEN: dict[str, Json] = {
    "gather_support_data": {"site_support_path": "out"},
    "permit_changes": {**REASON, "for": "1h"},
    "report_site": {"site_report": "out"},
    "show_site_status": {"site_rollout": "update-4.21.5-6a27f17a6a27"},
    "stop_changes": REASON,
}
NAMESPACES = ("openshift-cluster-version", "openshift-etcd")
NOT_HERE = {
    # Groups that this API does not have.
    *("autoscaling.openshift.io", "remediation.medik8s.io", "cluster.x-k8s.io", "infrastructure.cluster.x-k8s.io"),
    "configmaps default-ingress-cert",  # read after the route to the alerts, which is not there
}
OPTIONAL = {"nodes/proxy"}
"""What a report also contains if a site grants it."""
REVIEWS = re.compile(r"(authorization|authentication)\.k8s\.io/")
"""What each user may ask: who it is and what it may do."""
JOBS = [job for job in job_permissions.JOBS if job not in ("update_boot_images", "update_site")]
"""Those that need no nodes. The others have tests with these permissions: cluster_update, boot_images."""
SHORT = {
    "check_site": Access("list", "", "pods", "", "", ""),
    "enforce_changes": Access("list", "machineconfiguration.openshift.io", "machineconfigpools", "", "", ""),
    "permit_changes": Access("list", "machineconfiguration.openshift.io", "machineconfigpools", "", "", ""),
    "show_maintenance_calendar": Access("list", "", "nodes", "", "", ""),
    "show_site_status": Access("list", "config.openshift.io", "clusteroperators", "", "", ""),
    "stop_changes": Access("list", "", "nodes", "", "", ""),
}
"""Jobs that stop at what they may not do, with one thing that each does. Others list what they cannot read."""


class Site:
    """A cluster with an account of a job, and how the job ran there."""

    def __init__(self, server: ApiServer, job: str, folder: Path) -> None:
        self.server, self.job, self.folder = server, job, folder
        self.account = f"system:serviceaccount:{NAMESPACE}:{account_of(job)}"
        self._mark = server.audit.mark()
        self.granted = yaml.safe_load((MANIFESTS / "jobs" / f"{job}.yml").read_text())["items"]

    def grant(self, without: Access | None = None) -> None:
        """Apply the manifest of the job, if asked for without one of its permissions."""
        for one in self.granted:
            rules = [rule for part in one.get("rules", []) for rule in _less(part, without)]
            self.server.rest.apply({**one, **({"rules": rules} if "rules" in one else {})})

    def run(self) -> tuple[int, str]:
        """Run the job as its account and return its exit status and output."""
        token = self.server.token_of_service_account(NAMESPACE, account_of(self.job))
        kubeconfig = with_token(self.folder / "kubeconfig", self.server.url, self.server.ca_file, token)
        given = {"site_kubeconfig": str(kubeconfig), **GIVEN.get(self.job, {})}
        given = {name: str(self.folder) if value == "out" else value for name, value in given.items()}
        words = [f"fieldops.openshift.{self.job}", "-e", json.dumps(given)]
        done = run_ansible_playbook(words, environment_for(self.folder, {"ANSIBLE_DIFF_ALWAYS": "false"}))
        return done.returncode, done.stdout

    def requests(self) -> list[AuditedRequest]:
        """Return what the job asked of resources, and what any user may not."""
        found = self.server.audit.requests(self._mark, user=self.account)
        return [one for one in found if one.resource and not REVIEWS.match(one.resource)]


def _less(rule: Json, access: Access | None) -> list[Json]:
    """Return a rule as rules without one verb on one resource."""
    if access is None or access.group not in rule["apiGroups"] or access.resource not in rule["resources"]:
        return [rule]
    others = [one for one in rule["resources"] if one != access.resource]
    verbs = [one for one in rule["verbs"] if one != access.verb]
    parts = [{**rule, "resources": others}, {**rule, "resources": [access.resource], "verbs": verbs}]
    return [part for part in parts if part["resources"] and part["verbs"]]


@pytest.fixture(scope="module")
def server() -> Iterator[ApiServer]:
    """A healthy cluster with the admission policy of change management, and a pool whose changes are restricted."""
    with ApiServer.start_openshift() as started:
        plant(started.rest, healthy_cluster("4.21.3", control_plane=1, workers=1))
        for name in {NAMESPACE, *NAMESPACES, *_namespaces_of_manifests()}:
            started.rest.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
        started.rest.apply_all([*boot_images.namespaces(), boot_images.coreos_bootimages()])
        started.rest.apply(assignments(worker={"strategy": "Restrictive"}))
        for one in shipped("change-admission.yml"):
            started.rest.apply(one)
        yield started


def _namespaces_of_manifests() -> set[str]:
    documents = [yaml.safe_load(path.read_text()) for path in (MANIFESTS / "jobs").glob("*.yml")]
    places = {one["metadata"].get("namespace", "") for document in documents for one in document["items"]}
    return places - {""}


@pytest.fixture
def site(server: ApiServer, request: pytest.FixtureRequest, tmp_path: Path) -> Site:
    return Site(server, request.param, tmp_path)


@pytest.mark.parametrize("site", JOBS, indirect=True)
def test_a_job_runs_with_its_manifest(site: Site) -> None:
    site.grant()
    status, output = site.run()
    assert status == 0, output
    requests = site.requests()
    refused = [one for one in requests if one.code == 403 and one.resource not in OPTIONAL]
    assert [f"{one.verb} {one.resource} {one.name} {one.namespace}" for one in refused] == []
    if site.job in recorded():
        assert [one for one in accesses(site.job) if not _is_used(one, requests)] == []


def _is_used(access: Access, requests: list[AuditedRequest]) -> bool:
    resource = f"{access.group}/{access.resource}" if access.group else access.resource
    return bool({access.group, f"{access.resource} {access.name}"} & NOT_HERE) or any(
        (one.verb, one.resource) == (access.verb, resource)
        and access.name in ("", one.name)
        and access.namespace in ("", one.namespace)
        for one in requests
    )


@pytest.mark.parametrize(("site", "access"), SHORT.items(), indirect=["site"], ids=SHORT)
def test_a_job_with_one_verb_less_names_it(site: Site, access: Access) -> None:
    site.grant(without=access)
    status, output = site.run()
    assert status == 2, output
    assert f'allows the verb "{access.verb}" on "{access.resource}"' in output
    assert re.search(r"extensions/rbac/[\w-]+\.yml( or \S+)* of this collection grants it", output), output
