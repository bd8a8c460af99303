# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The fields that AWX has by its own client: the names in the page of a kind in awxkit, awxkit/api/pages."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ansible_collections.fieldops.openshift.tests.lab.peer_packages import peer_package

PAGES = {
    "credential_types": ("credentials", "CredentialType"),
    "execution_environments": ("execution_environments", "ExecutionEnvironment"),
    "inventories": ("inventory", "Inventory"),
    "inventory_sources": ("inventory", "InventorySource"),
    "job_templates": ("job_templates", "JobTemplate"),
    "labels": ("labels", "Label"),
    "notification_templates": ("notification_templates", "NotificationTemplate"),
    "projects": ("projects", "Project"),
    "schedules": ("unified_job_templates", "UnifiedJobTemplate"),
    "workflow_job_template_nodes": ("workflow_job_template_nodes", "WorkflowJobTemplateNode"),
    "workflow_job_templates": ("workflow_job_templates", "WorkflowJobTemplate"),
}
"""The file and the class of each kind."""


def fields_of(kind: str) -> set[str]:
    """Return the names in the class of a kind: fields of requests are keywords, attributes and texts there."""
    file, name = PAGES[kind]
    tree = ast.parse((peer_package("awxkit") / "awxkit" / "api" / "pages" / f"{file}.py").read_text())
    (page,) = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name]
    return {word for node in ast.walk(page) for word in _words(node)}


def _words(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.keyword) and node.arg:
        yield node.arg
    elif isinstance(node, ast.Attribute):
        yield node.attr
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.arg):
        yield node.arg
