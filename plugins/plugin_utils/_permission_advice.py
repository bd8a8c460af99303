# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which file of ``extensions/rbac`` grants what the API refused.

Here, because a module that Ansible has packed does not have these files.
"""

from __future__ import annotations

import re
import typing as t
from pathlib import Path

import yaml

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.api_error import FORBIDDEN
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.required_access import (
    accesses_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

MANIFESTS = Path(__file__).resolve().parents[2] / "extensions" / "rbac"
_NAMED = re.compile(r"C\(extensions/rbac/([\w-]+\.yml)\)")


def permission_advice(documentation: str, refusal: str) -> str:
    """Return a sentence that names the files, of those that a plugin documents, which grant what ``refusal`` is about.

    Empty, if ``refusal`` is no refusal of RBAC or no file grants it.
    """
    refused = FORBIDDEN.search(refusal)
    files = sorted(set(_NAMED.findall(documentation))) if refused else []
    granting = [f"extensions/rbac/{file}" for file in files if refused and _grants(MANIFESTS / file, refused)]
    return f" {' or '.join(granting)} of this collection grants it." if granting else ""


def with_permission_advice(result: dict[str, t.Any], documentation: str) -> dict[str, t.Any]:
    """Return the result of a module; each refusal of RBAC in it also names the file that grants the permission.

    A refusal is the error of a module that has failed, or the reason of a missing part of a report or an archive.
    """
    found = dict(result)
    error = found.get("error") or {}
    if advice := permission_advice(documentation, str(error.get("seen", ""))):
        found |= {"msg": found["msg"] + advice, "error": {**error, "advice": error["advice"] + advice}}
    if isinstance(missing := found.get("missing"), list):
        found["missing"] = [_with_reason(one, documentation) for one in missing]
    if isinstance(report := found.get("report"), dict):
        found["report"] = with_permission_advice(report, documentation)
    return found


def _with_reason(missing: t.Any, documentation: str) -> t.Any:
    """Return a missing part, or what another module calls missing as it is."""
    if not isinstance(missing, dict) or "reason" not in missing:
        return missing
    return {**missing, "reason": missing["reason"] + permission_advice(documentation, missing["reason"])}


def _grants(file: Path, refused: re.Match[str]) -> bool:
    """Whether a role in a file grants what was refused. A file of an admission policy has none."""
    wanted = (refused["verb"], refused["group"] or "", refused["resource"])
    try:
        granted = accesses_of([yaml.safe_load(file.read_text(encoding="utf-8"))])
    except InvalidInputError:
        return False
    return any(
        (access.verb, access.group, access.resource) == wanted and access.namespace in ("", refused["namespace"])
        for access in granted
    )
