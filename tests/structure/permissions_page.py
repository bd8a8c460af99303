# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The page of permissions, made of ``extensions/rbac`` and of what plugins say that they require."""

from __future__ import annotations

import re
import typing as t
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

from ansible_collections.fieldops.openshift.tests.structure.job_permissions import HELPER_PODS, cases_of, recorded
from ansible_collections.fieldops.openshift.tests.structure.permissions import (
    MANIFESTS,
    plugins_that_name,
    required_by_playbook,
)
from ansible_collections.fieldops.openshift.tests.structure.source_tree import ROOT

HEAD = """<!--
SPDX-FileCopyrightText: 2026 fieldops.openshift contributors
SPDX-License-Identifier: GPL-3.0-or-later
-->

<!-- Made of extensions/rbac and the notes of plugins by "make pages": change those. -->

# Permissions

Each file in `extensions/rbac` grants what one task requires. Apply the files that the table names for your playbooks.
Then bind their roles to the account that runs the play: each ClusterRole with a ClusterRoleBinding, each Role with a
RoleBinding in its namespace.

```shell
oc apply -f extensions/rbac/cluster-health-reader.yml
oc adm policy add-cluster-role-to-user fieldops-openshift-cluster-health-reader technician
```

The inventory plugin `cluster_nodes` requires `cluster-nodes.yml`. If the inventory reaches nodes with helper pods, all
playbooks that work on nodes require `node-pod.yml`, which is equivalent to root on every node. With SSH, they do not.
Only an administrator can create the admission policies.

## By playbook

A playbook needs fewer files if your site does not use the option that a file is for, such as image stores.

| Playbook | Files |
| --- | --- |
"""
ROLES = ("ClusterRole", "Role")
COLUMNS = "| Role | Resources | Verbs |\n| --- | --- | --- |\n"
_COMMENTED = re.compile(
    r"((?:^  # .*\n)+)  - apiVersion.*\n    kind: \w+\n    metadata:\n      name: (\S+)", re.MULTILINE
)


@dataclass(frozen=True)
class Manifest:
    """A file of ``extensions/rbac``: what it is for, its objects, and by name what stands before an object."""

    path: Path

    @property
    def purpose(self) -> str:
        """Return the first paragraph of the comment at the head."""
        comment = self.path.read_text().split("\n\n", 1)[1]
        lines = re.match(r"(?:# .*\n)+", comment)
        assert lines, f"{self.path.name} says what it is for in a comment at its head"
        return lines[0].replace("# ", "", 1).replace("\n# ", " ").strip()

    @property
    def objects(self) -> list[dict[str, t.Any]]:
        """Return its objects, those in a list one by one."""
        content = yaml.safe_load(self.path.read_text())
        return list(content["items"]) if content["kind"] == "List" else [content]

    @property
    def notes(self) -> dict[str, str]:
        """Return the comments before objects, by the name of the object."""
        found = _COMMENTED.findall(self.path.read_text())
        return {name: " ".join(re.sub(r"^  # ", "", comment, flags=re.MULTILINE).split()) for comment, name in found}


BY_JOB = """
## By job

Each file in `extensions/rbac/jobs` is the one manifest of a job of [AWX](awx.md): an account with the least that the
job needs. The first rows of a job are what the audit log of an API server shows of it. The other rows are what it also
needs in the named case. The manifest grants all rows. If a permission is missing, the job fails and names the verb, the
resource and the file in `extensions/rbac` that grants it. Support archives and reports are written without the part.

```shell
oc apply -f extensions/rbac/jobs/show_site_status.yml
oc create token fieldops-show-site-status --namespace fieldops-openshift --duration 8760h
```

| Job | Where, or case | Verbs and resources |
| --- | --- | --- |
"""


def permissions_page() -> str:
    """Return the page."""
    text = HEAD + "".join(_playbook_rows()) + BY_JOB + "".join(_job_rows())
    for path in sorted(MANIFESTS.glob("*.yml")):
        text += "".join(_section(Manifest(path)))
    return text


def _playbook_rows() -> Iterator[str]:
    for path in sorted((ROOT / "playbooks").glob("*.yml")):
        files = sorted(required_by_playbook(path.stem) - {HELPER_PODS})
        yield f"| `{path.stem}` | {_listed(files) or 'none'} |\n"


def _job_rows() -> Iterator[str]:
    for job, places in recorded().items():
        shown = f"`{job}`"
        for namespace, lines in places.items():
            yield f"| {shown} | {_place(namespace)} | {_listed(lines)} |\n"
            shown = ""
        for case in cases_of(job):
            needs = "; ".join(f"{_place(namespace)}: {_listed(lines)}" for namespace, lines in case.needs.items())
            yield f"| | {case.when} | {needs or _listed(case.files)} |\n"


def _place(namespace: str) -> str:
    return f"namespace `{namespace}`" if namespace else "cluster"


def _section(manifest: Manifest) -> Iterator[str]:
    yield f"\n## {manifest.path.name}\n\n{manifest.purpose}\n"
    plugins = [name.partition("/")[2] for name in plugins_that_name(manifest.path.name)]
    if plugins:
        yield f"\nRequired by {_listed(plugins)}.\n"
    roles = [one for one in manifest.objects if one["kind"] in ROLES]
    if roles:
        yield "\n" + COLUMNS + "".join(row for role in roles for row in _rules(role))
    for role in roles:
        if note := manifest.notes.get(role["metadata"]["name"]):
            yield f"\n`{role['metadata']['name']}`: {note}\n"
    for policy in manifest.objects:
        if policy["kind"] == "ValidatingAdmissionPolicy":
            yield f"\n{_checks(policy)}\n"


def _rules(role: dict[str, t.Any]) -> Iterator[str]:
    metadata = role["metadata"]
    where = f" in namespace `{metadata['namespace']}`" if role["kind"] == "Role" else ""
    name = f"{role['kind']} `{metadata['name']}`{where}"
    for rule in role["rules"]:
        groups = f" of {_listed(rule['apiGroups'])}" if any(rule["apiGroups"]) else ""
        only = f", named {_listed(rule['resourceNames'])}" if "resourceNames" in rule else ""
        yield f"| {name} | {_listed(rule['resources'])}{groups}{only} | {', '.join(rule['verbs'])} |\n"
        name = ""


def _checks(policy: dict[str, t.Any]) -> str:
    rules = policy["spec"]["matchConstraints"]["resourceRules"]
    checked = [f"{' and '.join(rule['operations'])} of {_listed(rule['resources'])}" for rule in rules]
    return f"ValidatingAdmissionPolicy `{policy['metadata']['name']}` checks {'; '.join(checked)}."


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
