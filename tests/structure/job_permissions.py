# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""One manifest for each job of AWX: an account with the least that its playbook needs.

``job_accesses.yml`` has what the audit log of an API server shows of each job, and ``job_cases.yml`` what a job also
needs in other states of a site. Its manifest grants both.
"""

from __future__ import annotations

import typing as t
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import yaml

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.required_access import (
    Access,
    accesses_of,
)
from ansible_collections.fieldops.openshift.tests.structure.permissions import MANIFESTS, required_by_playbook
from ansible_collections.fieldops.openshift.tests.structure.surveys import Indented

Json = dict[str, t.Any]
Lines = dict[str, list[str]]

RECORDED = Path(__file__).with_name("job_accesses.yml")
CASES = Path(__file__).with_name("job_cases.yml")
HELPER_PODS = "node-pod.yml"
"""Required by the connection to nodes, which a site chooses, and not by a playbook."""
NAMESPACE, GROUP = "fieldops-openshift", "rbac.authorization.k8s.io"
LABELS = {"app.kubernetes.io/part-of": "fieldops-openshift"}
HEAD = """---
# SPDX-FileCopyrightText: 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

# Made by "make pages" of tests/structure/job_accesses.yml and job_cases.yml: change these.
# The account {account}, which can run the playbook {playbook}.
"""


@dataclass(frozen=True)
class Case:
    """What a job needs in a state of the site, as lines by namespace, or as whole files of extensions/rbac."""

    when: str
    needs: Lines
    files: tuple[str, ...]

    @property
    def accesses(self) -> list[Access]:
        """Return all accesses of the case."""
        return accesses_in(self.needs) if self.needs else accesses_of_files(self.files)


@cache
def recorded() -> dict[str, Lines]:
    """Return the lines of each job by namespace, empty for the whole cluster."""
    found: dict[str, Lines] = yaml.safe_load(RECORDED.read_text())
    return found


JOBS = tuple(recorded())


def accesses(playbook: str) -> list[Access]:
    """Return what is recorded for a job."""
    return accesses_in(recorded().get(playbook, {}))


def accesses_in(places: Lines) -> list[Access]:
    """Return the accesses of lines. A line has verbs, a resource with its group, and the name of an object."""
    found = []
    for namespace, lines in places.items():
        for line in lines:
            verbs, resource, name = [*line.split(), ""][:3]
            plural, _dot, group = resource.partition(".")
            found += [Access(verb, group, plural, name, namespace, "") for verb in verbs.split(",")]
    return found


@cache
def _cases() -> Json:
    found: Json = yaml.safe_load(CASES.read_text())
    return found


def cases_of(playbook: str) -> list[Case]:
    """Return the cases of a job beyond its recorded runs."""
    known = _cases().get(playbook, {}).get("cases", [])
    return [Case(one["when"], one.get("needs", {}), tuple(one.get("files", ()))) for one in known]


def never_used(playbook: str) -> list[Access]:
    """Return what files that a playbook requires grant and its job needs in no case."""
    return accesses_in(_cases().get(playbook, {}).get("never", {}))


def granted_by_files(playbook: str) -> list[Access]:
    """Return what all files that a playbook requires grant."""
    return accesses_of_files(sorted(required_by_playbook(playbook) - {HELPER_PODS}))


def accesses_of_files(files: Iterable[str]) -> list[Access]:
    """Return what files of extensions/rbac grant, each access once."""
    found = accesses_of([yaml.safe_load((MANIFESTS / file).read_text()) for file in files])
    return list(dict.fromkeys(replace(one, role="") for one in found))


def granted(playbook: str) -> list[Access]:
    """Return what the manifest of a job grants, without what is part of another access. Create has no name in RBAC."""
    wanted = [*accesses(playbook), *(one for case in cases_of(playbook) for one in case.accesses)]
    named = [replace(one, name="") if one.verb == "create" else one for one in wanted]
    found = list(dict.fromkeys(named))
    return [one for one in found if not any(covers(other, one) for other in found if other != one)]


def covers(access: Access, other: Access) -> bool:
    """Whether an access includes another one."""
    same = (access.verb, access.group, access.resource) == (other.verb, other.group, other.resource)
    return same and access.name in ("", other.name) and access.namespace in ("", other.namespace)


def account_of(playbook: str) -> str:
    """Return the name of the ServiceAccount of a job, and of its roles."""
    return f"fieldops-{playbook.replace('_', '-')}"


def job_manifest(playbook: str) -> str:
    """Return the file of a job."""
    content = {"apiVersion": "v1", "kind": "List", "items": list(_objects(playbook))}
    text = yaml.dump(content, Dumper=Indented, sort_keys=False, width=110, default_flow_style=None)
    return HEAD.format(account=account_of(playbook), playbook=playbook) + text


def _objects(playbook: str) -> Iterator[Json]:
    account = account_of(playbook)
    yield {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}}
    metadata = {"name": account, "namespace": NAMESPACE, "labels": LABELS}
    yield {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": metadata}
    for namespace, its in sorted(_rules(playbook).items()):
        kind = "Role" if namespace else "ClusterRole"
        place = {"namespace": namespace} if namespace else {}
        metadata = {"name": account, **place, "labels": LABELS}
        yield {"apiVersion": f"{GROUP}/v1", "kind": kind, "metadata": metadata, "rules": its}
        yield {
            "apiVersion": f"{GROUP}/v1",
            "kind": f"{kind}Binding",
            "metadata": metadata,
            "roleRef": {"apiGroup": GROUP, "kind": kind, "name": account},
            "subjects": [{"kind": "ServiceAccount", "name": account, "namespace": NAMESPACE}],
        }


def _rules(playbook: str) -> dict[str, list[Json]]:
    """Return the rules by namespace, one for each resource or named object."""
    verbs: dict[tuple[str, str, str, str], list[str]] = {}
    for one in granted(playbook):
        verbs.setdefault((one.namespace, one.group, one.resource, one.name), []).append(one.verb)
    found: dict[str, list[Json]] = {}
    for (namespace, group, resource, name), its in verbs.items():
        rule = {"apiGroups": [group], "resources": [resource], **({"resourceNames": [name]} if name else {})}
        found.setdefault(namespace, []).append({**rule, "verbs": its})
    return found
