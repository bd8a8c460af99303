# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""The guard pods of the control plane, by which budgets see whether the static pods of each node serve."""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.conditions import conditions_of

if t.TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

GUARD_LABEL = "app=guard"


def missing_guards(node: str, guards: Sequence[Mapping[str, t.Any]]) -> list[str]:
    """Return a sentence for each guard that other nodes have and ``node`` has not, or that is not ready there.

    ``guards`` are the guard pods of the whole cluster, named ``OPERAND-guard-NODE``. A guard comes back only once its
    node is schedulable. Source: library-go, pkg/operator/staticpod/controller/guard.
    """
    operands: set[str] = set()
    ready: set[str] = set()
    for pod in guards:
        place = (pod.get("spec") or {}).get("nodeName") or ""
        name = pod["metadata"]["name"]
        operand = name.removesuffix(f"-guard-{place}")
        if not place or operand == name:
            continue
        operands.add(operand)
        condition = conditions_of(pod).get("Ready")
        if place == node and condition and condition.is_true:
            ready.add(operand)
    return [f"the guard of its {operand} is not ready" for operand in sorted(operands - ready)]
