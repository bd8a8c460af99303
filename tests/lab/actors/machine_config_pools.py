# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which pools a node has, and what labels a selector matches.

``tests/integration/lab/test_pools_conformance.py`` holds it to upstream's function.
"""

from __future__ import annotations

import typing as t
from collections.abc import Iterable, Mapping

if t.TYPE_CHECKING:
    from ansible_collections.fieldops.openshift.tests.lab.rest import Json

POOLS = "/apis/machineconfiguration.openshift.io/v1/machineconfigpools"


WINDOWS = {"kubernetes.io/os": "windows"}


def pools_of(node: Json, pools: Iterable[Json]) -> list[Json]:
    """Return the pools of a node, the one that it follows first: the control plane's, else its own, then the workers'.

    A node has none where upstream refuses to choose: it has two pools of its own, or a selector of any pool is invalid.
    Source: machine-config-operator, pkg/helpers, GetPoolsForNode and ListPools.
    """
    labels = node["metadata"].get("labels", {})
    every = {pool["metadata"]["name"]: pool for pool in pools}
    if labels.items() >= WINDOWS.items() or not all(map(_is_valid, every.values())):
        return []
    ours = {name: pool for name, pool in every.items() if matches(pool["spec"].get("nodeSelector") or {}, labels)}
    own = [name for name in ours if name not in ("master", "worker")]
    if len(own) > 1:
        return []
    first = ["master"] if "master" in ours else own
    # The workers' counts beside one of the node's own, also on the control plane; else only by itself.
    second = ["worker"] if "worker" in ours and (own or not first) else []
    return [ours[name] for name in (*first, *second)]


def matches(selector: Mapping[str, t.Any], labels: Mapping[str, str]) -> bool:
    """Whether a label selector matches; an empty one matches nothing, as in the operator."""
    pairs = selector.get("matchLabels") or {}
    expressions = selector.get("matchExpressions") or []
    if not pairs and not expressions:
        return False
    return all(labels.get(key) == value for key, value in pairs.items()) and all(
        _holds(one["key"], one["operator"], one.get("values") or [], labels) for one in expressions
    )


def _is_valid(pool: Json) -> bool:
    """Whether the API's rules for expressions are kept, which nothing holds a pool to when it is written."""
    expressions = (pool["spec"].get("nodeSelector") or {}).get("matchExpressions") or []
    return all((one["operator"] in ("In", "NotIn")) == bool(one.get("values")) for one in expressions)


def _holds(key: str, operator: str, values: list[str], labels: Mapping[str, str]) -> bool:
    holds = {
        "In": labels.get(key) in values,
        "NotIn": labels.get(key) not in values,
        "Exists": key in labels,
        "DoesNotExist": key not in labels,
    }
    return holds[operator]
