# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The account of a job with its manifest in extensions/rbac/jobs, and what the audit log has of its requests."""

from __future__ import annotations

import re
import typing as t
from pathlib import Path

import yaml

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.required_access import Access
from ansible_collections.fieldops.openshift.tests.lab.api_access import ApiAccess
from ansible_collections.fieldops.openshift.tests.lab.audit import AuditedRequest
from ansible_collections.fieldops.openshift.tests.lab.kubeconfig import with_token
from ansible_collections.fieldops.openshift.tests.structure.job_permissions import NAMESPACE, accesses, account_of
from ansible_collections.fieldops.openshift.tests.structure.permissions import MANIFESTS

Json = dict[str, t.Any]

OPTIONAL = {"nodes/proxy"}
"""What a report also contains if a site grants it."""
TOLERATED = {
    "get nodes/proxy": "free space is an additional part of a check and of a report",
    "get featuregates": "boot images are judged by the release without it",
}
"""What a job also does without, and why."""
REVIEWS = re.compile(r"(authorization|authentication)\.k8s\.io/")
"""What each user may ask: who it is and what it may do."""


GRANTED_BY = re.compile(r"extensions/rbac/[\w-]+\.yml( or \S+)* of this collection grants it")


def told(access: Access) -> str:
    """Return an access in the words of a test's ID."""
    return " ".join(filter(None, [access.verb, access.resource, access.name, access.namespace]))


def is_tolerated(access: Access) -> bool:
    """Whether a job does without it."""
    return f"{access.verb} {access.resource}" in TOLERATED


def require_named(access: Access, output: str) -> None:
    """Require that the output of a job names the verb, the resource and the manifest that it lacks."""
    # The result of a task with its own failed_when is shown as JSON.
    plain = output.replace('\\"', '"')
    assert f'allows the verb "{access.verb}" on "{access.resource}"' in plain, output
    assert GRANTED_BY.search(output), output


class JobAccount:
    """The account of one job on one cluster. The log of its requests begins with this object."""

    def __init__(self, api: ApiAccess, job: str) -> None:
        self._api, self._job = api, job
        self._user = f"system:serviceaccount:{NAMESPACE}:{account_of(job)}"
        self._mark = api.audit.mark()
        self._granted = yaml.safe_load((MANIFESTS / "jobs" / f"{job}.yml").read_text())["items"]

    def grant(self, without: Access | None = None) -> None:
        """Apply the manifest, if asked for without one of its permissions, and the namespaces that it names."""
        for name in sorted({one["metadata"].get("namespace", NAMESPACE) for one in self._granted}):
            self._api.rest.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
        for one in self._granted:
            if "rules" in one and without and one["metadata"].get("namespace", "") in ("", without.namespace):
                one = {**one, "rules": [rule for part in one["rules"] for rule in _less(part, without)]}
            self._api.rest.apply(one)

    def kubeconfig(self, folder: Path, url: str = "") -> Path:
        """Write a kubeconfig of the account, valid for an hour, to ``folder``."""
        token = self._api.token_of_service_account(NAMESPACE, account_of(self._job))
        return with_token(folder / f"{self._job}.kubeconfig", url or self._api.url, self._api.ca_file, token)

    def refused(self) -> list[str]:
        """Return what the job asked for and may not do."""
        found = [one for one in self._requests() if one.code == 403 and one.resource not in OPTIONAL]
        return sorted({f"{_line(one)} in {one.namespace!r}" for one in found})

    def not_recorded(self) -> list[str]:
        """Return what the job asked for and its record does not have."""
        known = accesses(self._job)
        found = [one for one in self._requests() if not any(_is(access, one) for access in known)]
        return sorted({f"{_line(one)} in {one.namespace!r}" for one in found if one.resource not in OPTIONAL})

    def not_used(self) -> list[Access]:
        """Return what the record of the job has and it did not ask for."""
        requests = self._requests()
        return [access for access in accesses(self._job) if not any(_is(access, one) for one in requests)]

    def _requests(self) -> list[AuditedRequest]:
        found = self._api.audit.requests(self._mark, user=self._user)
        return [one for one in found if one.resource and not REVIEWS.match(one.resource)]


def _is(access: Access, request: AuditedRequest) -> bool:
    resource = f"{access.group}/{access.resource}" if access.group else access.resource
    return (
        (request.verb, request.resource) == (access.verb, resource)
        and access.name in ("", request.name)
        and access.namespace in ("", request.namespace)
    )


def _line(request: AuditedRequest) -> str:
    """Return a request as a line of tests/structure/job_accesses.yml."""
    group, _slash, plural = request.resource.partition("/") if "." in request.resource else ("", "", request.resource)
    resource = f"{plural}.{group}" if group else plural
    return f"{request.verb} {resource} {request.name}".strip()


def _less(rule: Json, access: Access) -> list[Json]:
    """Return a rule without a verb on a resource, or on one object if it names objects."""
    same = (rule["apiGroups"], rule["resources"]) == ([access.group], [access.resource])
    if not same or access.name not in ("", *rule.get("resourceNames", [access.name])):
        return [rule]
    verbs = [one for one in rule["verbs"] if one != access.verb]
    return [{**rule, "verbs": verbs}] if verbs else []
