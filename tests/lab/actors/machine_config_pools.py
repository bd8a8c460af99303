# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which nodes a machine-config pool has, which pools a node has, and what labels a selector matches."""

from __future__ import annotations

import typing as t

if t.TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ansible_collections.fieldops.openshift.tests.lab.rest import Json

POOLS = "/apis/machineconfiguration.openshift.io/v1/machineconfigpools"


def pools_of(node: Json, pools: Iterable[Json]) -> list[Json]:
    """Return the pools of a node, the one that it follows first: the control plane's, else its own, then the workers'.

    Source: machine-config-operator, pkg/helpers, GetPoolsForNode.
    """
    labels = node["metadata"].get("labels", {})
    ours = {pool["metadata"]["name"]: pool for pool in pools if matches(pool["spec"]["nodeSelector"], labels)}
    if "master" in ours:
        return [ours["master"]]
    return [ours[name] for name in sorted(ours, key=lambda name: (name == "worker", name))]


def matches(selector: Mapping[str, t.Any], labels: Mapping[str, str]) -> bool:
    """Whether a label selector matches; an empty one matches nothing, as in the operator."""
    pairs = selector.get("matchLabels") or {}
    expressions = selector.get("matchExpressions") or []
    if not pairs and not expressions:
        return False
    return all(labels.get(key) == value for key, value in pairs.items()) and all(
        _holds(one["key"], one["operator"], one.get("values") or [], labels) for one in expressions
    )


def _holds(key: str, operator: str, values: list[str], labels: Mapping[str, str]) -> bool:
    holds = {
        "In": labels.get(key) in values,
        "NotIn": labels.get(key) not in values,
        "Exists": key in labels,
        "DoesNotExist": key not in labels,
    }
    return holds[operator]
