# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which configurations concern a MachineConfigPool, so that admission can judge one from any client.

A pool takes MachineConfigs by its ``machineConfigSelector``, which nearly always asks for values of the role label. A
KubeletConfig or ContainerRuntimeConfig names pools by their labels, nearly always by one that the machine-config
operator's documentation gives each pool of its own.
"""

from __future__ import annotations

import typing as t
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

Stretch = tuple[int, int]

ROLE = "machineconfiguration.openshift.io/role"
OF_POOL = "pools.operator.machineconfiguration.openshift.io/"
ANY_ROLE, ANY = "config-any-role", "config"
"""Keys of windows: of MachineConfigs of every role, and of what may concern any pool."""


@dataclass(frozen=True)
class ConfigTargets:
    """``roles`` are the values of the role label that a pool takes, None for those that are unknown.

    ``labels`` are names in labels of the pool that KubeletConfigs select it by.
    """

    roles: frozenset[str] | None = frozenset()
    labels: frozenset[str] = frozenset()

    @classmethod
    def of(cls, pool: Mapping[str, t.Any]) -> ConfigTargets:
        """Return what concerns a MachineConfigPool as it was read."""
        labels = pool["metadata"].get("labels") or {}
        named = frozenset(label[len(OF_POOL) :] for label in labels if label.startswith(OF_POOL))
        return cls(_roles((pool.get("spec") or {}).get("machineConfigSelector")), named)

    def keys(self, roles: Iterable[str]) -> list[str]:
        """Return the keys of windows that the pool has a say in, where pools take ``roles`` altogether."""
        taken = roles if self.roles is None else self.roles
        any_role = [ANY_ROLE] if self.roles is None else []
        return [
            ANY,
            *any_role,
            *(f"config-role.{role}" for role in taken),
            *(f"config-pool.{name}" for name in self.labels),
        ]


def _roles(selector: object) -> frozenset[str] | None:
    if not isinstance(selector, Mapping):
        return frozenset()  # a selector that is absent takes nothing
    labels, expressions = selector.get("matchLabels") or {}, selector.get("matchExpressions") or []
    if set(labels) == {ROLE} and not expressions:
        return frozenset([str(labels[ROLE])])
    if not labels and len(expressions) == 1:
        (one,) = expressions
        if one.get("key") == ROLE and one.get("operator") == "In":
            return frozenset(map(str, one.get("values") or ()))
    return None


def common_windows(pools: Iterable[tuple[ConfigTargets, Sequence[Stretch]]]) -> dict[str, list[Stretch]]:
    """Return when configurations may be changed, by key: when all governed ``pools`` that they concern are open."""
    known = list(pools)
    roles = sorted({role for targets, _windows in known for role in targets.roles or ()})
    found: dict[str, list[Stretch]] = {}
    for targets, windows in known:
        for key in targets.keys(roles):
            found[key] = list(windows) if key not in found else _both(found[key], windows)
    return found


def _both(some: Sequence[Stretch], others: Sequence[Stretch]) -> list[Stretch]:
    pairs = [(max(one[0], other[0]), min(one[1], other[1])) for one in some for other in others]
    return sorted((start, end) for start, end in pairs if start < end)
