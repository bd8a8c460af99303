# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Machines as the API has them; source: openshift/api, machine/v1beta1/types_machine.go."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.proof.machines import (
    MachineSeen,
    machines_of,
)

OWNER = [{"kind": "MachineSet", "name": "w"}]


def machine(name: str, status: t.Any = None, **metadata: t.Any) -> dict[str, t.Any]:
    """Return a Machine of MachineSet w."""
    return {"metadata": {"name": name, "ownerReferences": OWNER, **metadata}, "status": status}


SEEN: dict[str, tuple[dict[str, t.Any], MachineSeen]] = {
    "just made": (machine("m"), MachineSeen("m")),
    "running": (
        machine("m", {"phase": "Running", "nodeRef": {"name": "n"}}),
        MachineSeen("m", phase="Running", node="n"),
    ),
    "failed": (
        machine("m", {"phase": "Failed", "errorReason": "InvalidConfiguration", "errorMessage": "no such AMI"}),
        MachineSeen("m", phase="Failed", error="InvalidConfiguration: no such AMI"),
    ),
    "failed without a word": (
        machine("m", {"phase": "Failed"}),
        MachineSeen("m", phase="Failed", error="its phase is Failed"),
    ),
    "going": (machine("m", deletionTimestamp="2026-11-21T21:00:00Z"), MachineSeen("m", being_deleted=True)),
    "half written": (machine("m", {"nodeRef": None, "phase": None}), MachineSeen("m")),
}


@pytest.mark.parametrize(("found", "expected"), SEEN.values(), ids=SEEN)
def test_machine(found: dict[str, t.Any], expected: MachineSeen) -> None:
    assert machines_of([found], "w") == (expected,)


def test_only_those_of_the_machine_set_the_oldest_first() -> None:
    found = [
        machine("b", creationTimestamp="2026-02-01T00:00:00Z"),
        machine("a", creationTimestamp="2026-03-01T00:00:00Z"),
        machine("c", ownerReferences=[{"kind": "MachineSet", "name": "other"}]),
        machine("d", ownerReferences=None),
        machine("e", ownerReferences=["broken"]),
    ]
    assert [one.name for one in machines_of(found, "w")] == ["b", "a"]
