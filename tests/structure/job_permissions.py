# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""One manifest for each job of AWX: an account with the least that its playbook needs.

``job_accesses.yml`` has what the audit log of an API server shows of each job. That is what its manifest grants, except
for jobs whose needs depend on the state of the site: these have what the files that their playbook requires grant.
"""

from __future__ import annotations

import typing as t
from collections.abc import Iterator
from pathlib import Path

import yaml

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.required_access import Access
from ansible_collections.fieldops.openshift.tests.structure.permissions import MANIFESTS, required_by_playbook
from ansible_collections.fieldops.openshift.tests.structure.surveys import Indented

Json = dict[str, t.Any]

RECORDED = Path(__file__).with_name("job_accesses.yml")
WHOLE = (
    *("enforce_changes", "permit_changes", "report_site", "stop_changes"),
    *("update_boot_images", "update_site"),
)
"""Their needs depend on the state of the site. They must not stop halfway at what no test has needed, such as a hosted
cluster, an autoscaler, or the verb govern, which an admission policy asks for and no audit log shows."""
HELPER_PODS = "node-pod.yml"
"""Required by the connection to nodes, which a site chooses, and not by a playbook."""
NAMESPACE, GROUP = "fieldops-openshift", "rbac.authorization.k8s.io"
ON_A_LINE = 4
LABELS = {"app.kubernetes.io/part-of": "fieldops-openshift"}
HEAD = """---
# SPDX-FileCopyrightText: 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

# Made by "make pages" of {source}: change that.
# The account {account}, which can run the playbook {playbook}.
"""


def recorded() -> dict[str, dict[str, list[str]]]:
    """Return the lines of each job by namespace, empty for the whole cluster."""
    found: dict[str, dict[str, list[str]]] = yaml.safe_load(RECORDED.read_text())
    return found


JOBS = tuple(recorded())


def accesses(playbook: str) -> list[Access]:
    """Return what is recorded for a job. A line has verbs, a resource with its group, and the name of an object."""
    found = []
    for namespace, lines in recorded().get(playbook, {}).items():
        for line in lines:
            verbs, resource, name = [*line.split(), ""][:3]
            plural, _dot, group = resource.partition(".")
            found += [Access(verb, group, plural, name, namespace, "") for verb in verbs.split(",")]
    return found


def account_of(playbook: str) -> str:
    """Return the name of the ServiceAccount of a job, and of its roles."""
    return f"fieldops-{playbook.replace('_', '-')}"


def job_manifest(playbook: str) -> str:
    """Return the file of a job."""
    content = {"apiVersion": "v1", "kind": "List", "items": list(_objects(playbook))}
    text = yaml.dump(content, Dumper=Indented, sort_keys=False, width=110, default_flow_style=None)
    source = "extensions/rbac" if playbook in WHOLE else "tests/structure/job_accesses.yml"
    return HEAD.format(account=account_of(playbook), playbook=playbook, source=source) + text


def _objects(playbook: str) -> Iterator[Json]:
    account = account_of(playbook)
    yield {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}}
    metadata = {"name": account, "namespace": NAMESPACE, "labels": LABELS}
    yield {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": metadata}
    rules = _rules_of_files(playbook) if playbook in WHOLE else _recorded_rules(playbook)
    for namespace, its in sorted(rules.items()):
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


def _recorded_rules(playbook: str) -> dict[str, list[Json]]:
    found: dict[str, dict[tuple[str, str, str], list[str]]] = {}
    for one in accesses(playbook):
        found.setdefault(one.namespace, {}).setdefault((one.group, one.resource, one.name), []).append(one.verb)
    return {
        namespace: [
            {
                "apiGroups": [group],
                "resources": [resource],
                **({"resourceNames": [name]} if name else {}),
                "verbs": verbs,
            }
            for (group, resource, name), verbs in rules.items()
        ]
        for namespace, rules in found.items()
    }


def _rules_of_files(playbook: str) -> dict[str, list[Json]]:
    """Return the rules of all files that a playbook requires, each once."""
    found: dict[str, list[Json]] = {}
    for file in sorted(required_by_playbook(playbook) - {HELPER_PODS}):
        document = yaml.safe_load((MANIFESTS / file).read_text())
        for role in document.get("items", [document]):
            if "rules" in role:
                rules = found.setdefault(role["metadata"].get("namespace", ""), [])
                rules += [rule for whole in role["rules"] for rule in _short(whole) if rule not in rules]
    return found


def _short(rule: Json) -> list[Json]:
    """Return a rule as rules whose resources fit on a line."""
    names = rule["resources"]
    parts = [names[start : start + ON_A_LINE] for start in range(0, len(names), ON_A_LINE)]
    return [{**rule, "resources": part} for part in parts]
