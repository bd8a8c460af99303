# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Changes that an administrator has to acknowledge before the next minor version."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

GATES_NAMESPACE, GATES_NAME = "openshift-config-managed", "admin-gates"
ACKS_NAMESPACE, ACKS_NAME = "openshift-config", "admin-acks"
_GATE = re.compile(r"ack-([4-5]\.[0-9]+)-[^-].*", re.ASCII)


@dataclass(frozen=True)
class AdminGate:
    """One such change: ``key`` is what is acknowledged, ``description`` what the release says about it."""

    key: str
    description: str


def open_gates(gates: Mapping[str, str], acks: Mapping[str, str], minor_name: str) -> tuple[AdminGate, ...]:
    """Return the gates of the present minor version, such as ``4.21``, that are not acknowledged.

    ``gates`` and ``acks`` are the data of the two ConfigMaps. Source: cluster-version-operator,
    pkg/cvo/upgradeable.go, checkAdminGate.
    """
    return tuple(
        AdminGate(key, description)
        for key, description in sorted(gates.items())
        if _of_minor(key, minor_name) and acks.get(key) != "true"
    )


def acknowledgement(wanted: Sequence[str], gates: Mapping[str, str]) -> dict[str, str]:
    """Return the data that acknowledges ``wanted``; raise InvalidInputError for what is no gate of this cluster."""
    unknown = sorted(set(wanted) - set(gates))
    if unknown:
        raise InvalidInputError(
            "acknowledge changes",
            on=", ".join(unknown),
            seen="the release does not have these gates: " + (", ".join(sorted(gates)) or "it has none"),
            advice="Choose from the admin_gates that cluster_update_info returns.",
        )
    return dict.fromkeys(wanted, "true")


def _of_minor(key: str, minor_name: str) -> bool:
    found = _GATE.fullmatch(key)
    return found is not None and found[1] == minor_name
