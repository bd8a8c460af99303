# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The page of metrics, made of what is written for a site that has everything, and of the shipped rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import yaml

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.clock_comparison import ClockComparison
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.exposition import exposition
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.resources import Resource, ResourceName
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.site_changes import (
    Given,
    Governance,
    judge,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.store_documents import Entries
from ansible_collections.fieldops.openshift.tests.structure.source_tree import ROOT

RULES = ROOT / "extensions" / "prometheus" / "change-management.rules.yml"
HEAD = """<!--
SPDX-FileCopyrightText: 2026 fieldops.openshift contributors
SPDX-License-Identifier: GPL-3.0-or-later
-->

<!-- Made of the code and of extensions/prometheus by "make pages": change those. -->

# Metrics

The playbook `show_maintenance_calendar` writes these metrics to `site_metrics_file`, in the Prometheus text format, for
the textfile collector of node-exporter. The module `change_management_info` returns the same text in `exposition`.

The first five are those of the enhancement. They count seconds from the time of the run, so they are correct only when
they are written. Timestamps stay correct until the next run: use them for alerts.

| Metric | Type | Labels | Meaning |
| --- | --- | --- | --- |
"""
LABELS = {
    "kind": "The kind of the resource: `ClusterVersion`, `MachineConfigPool`, `HostedCluster` or `NodePool`",
    "object": "The name of the resource, with its namespace if it has one",
    "system": "The part of the cluster: `control-plane` or `worker-nodes`",
    "strategy": "The strategy of change management",
    "window": "The number of the window: 0 is the current or the next one",
    "assignment": "The kind and name that an assignment gives",
}
ALERTS = """
## Alert rules

The alert rules in `extensions/prometheus/change-management.rules.yml` use the timestamps. In a PrometheusRule, the
content of `groups` belongs in `spec.groups`.

| Name | Severity | Meaning | Action |
| --- | --- | --- | --- |
"""
_NOW = 1_800_000_000
_SAMPLE = re.compile(r"(\w+)\{(.*)\} \S+")


@dataclass(frozen=True)
class Metric:
    """One metric as it is written."""

    name: str
    type: str
    labels: tuple[str, ...]
    meaning: str


def metrics_page() -> str:
    """Return the page."""
    text = HEAD + "".join(
        f"| `{one.name}` | {one.type} | {', '.join(f'`{name}`' for name in one.labels)} | {one.meaning} |\n"
        for one in metrics()
    )
    text += "\n## Labels\n\n| Label | Value |\n| --- | --- |\n"
    text += "".join(f"| `{name}` | {meaning} |\n" for name, meaning in LABELS.items())
    return text + ALERTS + "".join(_alerts())


def metrics() -> list[Metric]:
    """Return what is written for a site in which a change is pending and restricted and a name is misspelled."""
    lines = _whole_exposition().splitlines()
    meanings = dict(line.split(" ", 3)[2:] for line in lines if line.startswith("# HELP "))
    types = dict(line.split(" ", 3)[2:] for line in lines if line.startswith("# TYPE "))
    labels = {match[1]: re.findall(r'(\w+)="', match[2]) for line in lines if (match := _SAMPLE.match(line))}
    return [Metric(name, types[name], tuple(labels[name]), meaning) for name, meaning in meanings.items()]


def _whole_exposition() -> str:
    key = "MachineConfigPool.worker"
    schedule = {"permit": {"startTime": "22:00", "duration": "4h"}}
    policies = Entries("p", {"nights": {"spec": {"strategy": "MaintenanceSchedule", "maintenanceSchedule": schedule}}})
    assigned = {"strategy": "ByPolicy", "byPolicy": {"name": "nights"}}
    governance = Governance(policies, Entries("a", {key: {"changeManagement": assigned}}), Given())
    resource = Resource(ResourceName.of_key(key), pending=True)
    return exposition(judge([resource], governance, ClockComparison(_NOW, _NOW, _NOW, 30), 1), ["MachineConfigPool.x"])


def _alerts() -> Iterator[str]:
    for group in yaml.safe_load(RULES.read_text())["groups"]:
        for rule in group["rules"]:
            if "alert" in rule:
                notes = rule["annotations"]
                cells = [f"`{rule['alert']}`", rule["labels"]["severity"], notes["summary"], notes["description"]]
                yield f"| {' | '.join(map(_plain, cells))} |\n"
            else:
                yield f"| `{rule['record']}` | recorded | 1 while change is permitted, 0 while it is not | |\n"


def _plain(text: str) -> str:
    """Return a text of a rule without its templates: the object and the time of an alert differ."""
    text = re.sub(r"\{\{ \$labels\.kind \}\} \{\{ \$labels\.object \}\}", "a resource", " ".join(text.split()))
    text = re.sub(r"\{\{ \$labels\.assignment \}\}", "An assignment", text)
    return re.sub(r"\{\{[^}]*\}\}", "...", text).replace("|", "\\|")
