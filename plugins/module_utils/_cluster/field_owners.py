# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Fields that another manager applies, such as a GitOps controller: written here, they would be set back there.

Fields of a client that only updates, such as an editor, are not among them: nothing sets those back. Source: Kubernetes
documentation, "Server-Side Apply", field management; structured-merge-diff, fieldpath/serialize.go.
"""

from __future__ import annotations

import typing as t
from collections.abc import Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import FIELD_MANAGER

Object = t.Mapping[str, t.Any]

_APPLY_BY_UPDATES = frozenset({"argocd-controller", "config-policy-controller", "kubectl-client-side-apply"})
"""Managers that keep an object as a manifest says, without server-side apply.

argo-cd, common/common.go, ArgoCDSSAManager; open-cluster-management.io/config-policy-controller, whose field manager is
the name of its program; kubectl, pkg/cmd/apply, FieldManagerClientSideApply.
"""


class FieldOwnedError(FieldOpsError):
    """A field that would change is applied by another manager."""

    kind = "field_owned"


def require_own_fields(found: Object, change: Object, *, take_over: bool = False) -> None:
    """Raise FieldOwnedError if ``change``, a merge patch of ``found``, changes a field that another manager applies.

    With ``take_over``, such fields may be changed.
    """
    owners = {} if take_over else foreign_owners(found, change)
    if not owners:
        return
    metadata = found["metadata"]
    place = "/".join(filter(None, (metadata.get("namespace"), metadata["name"])))
    managers = sorted({name for names in owners.values() for name in names})
    raise FieldOwnedError(
        "change fields that another manager applies",
        on=f"{found.get('kind', 'the object')} {place}",
        seen=f"{', '.join(sorted(owners)[:5])} belongs to {', '.join(managers)}",
        advice="Change it at its source, such as the Git repository. If it no longer has one, set take_over.",
    )


def foreign_owners(found: Object, change: Object) -> dict[str, list[str]]:
    """Return the managers that apply a field which ``change`` changes, by the path of the field."""
    entries = found["metadata"].get("managedFields") or ()
    owned = {one.get("manager", ""): one.get("fieldsV1") or {} for one in entries if _is_applied(one)}
    if not owned:
        return {}
    return {
        ".".join(path): names
        for path in _changed(found, change)
        if (names := [name for name, fields in owned.items() if _owns(fields, path)])
    }


def _is_applied(entry: Object) -> bool:
    manager = entry.get("manager", "")
    if manager == FIELD_MANAGER or entry.get("subresource"):
        return False
    return entry.get("operation") == "Apply" or manager in _APPLY_BY_UPDATES


def _changed(found: object, change: Object, path: tuple[str, ...] = ()) -> t.Iterator[tuple[str, ...]]:
    for name, value in change.items():
        held = found.get(name) if isinstance(found, Mapping) else None
        if isinstance(value, Mapping) and isinstance(held, Mapping):
            yield from _changed(held, value, (*path, name))
        elif value != held:
            yield (*path, name)


def _owns(fields: Object, path: tuple[str, ...]) -> bool:
    """Whether a manager owns the field at ``path``, a part of it, or a whole in which it has no fields of its own."""
    for depth, step in enumerate(path):
        if depth and not fields:
            return True
        if f"f:{step}" not in fields:
            return False
        fields = fields[f"f:{step}"]
    return True
