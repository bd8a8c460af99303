# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The guard pods of the control plane, by which budgets see whether the static pods of each node serve."""

from __future__ import annotations

import typing as t
from collections.abc import Iterator, Mapping, Sequence

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.conditions import conditions_of


def missing_guards(node: str, guards: Sequence[Mapping[str, t.Any]]) -> list[str]:
    """Return a sentence for each guard that other nodes have and ``node`` has not, or that is not ready there.

    ``guards`` are the guard pods of the whole cluster, named ``OPERAND-guard-NODE``. A guard comes back only once its
    node is schedulable. Source: library-go, pkg/operator/staticpod/controller/guard.
    """
    known = list(_placed(guards))
    ready = {operand for operand, place, is_ready in known if place == node and is_ready}
    operands = {operand for operand, _place, _is_ready in known}
    return [f"the guard of its {operand} is not ready" for operand in sorted(operands - ready)]


def silent_members(guards: Sequence[Mapping[str, t.Any]]) -> set[str]:
    """Return the nodes whose member of etcd does not serve, as the guards there see it; the nodes may be ready.

    A guard is ready while etcd on its node answers. Source: library-go, as above; cluster-etcd-operator, whose guards
    ask ``/readyz``.
    """
    return {place for operand, place, is_ready in _placed(guards) if operand == "etcd" and not is_ready}


def _placed(guards: Sequence[Mapping[str, t.Any]]) -> Iterator[tuple[str, str, bool]]:
    """Yield what each guard that runs somewhere guards, on which node, and whether that serves."""
    for pod in guards:
        place = (pod.get("spec") or {}).get("nodeName") or ""
        name = pod["metadata"]["name"]
        operand = name.removesuffix(f"-guard-{place}")
        if place and operand != name:
            condition = conditions_of(pod).get("Ready")
            yield operand, place, condition is not None and condition.is_true
