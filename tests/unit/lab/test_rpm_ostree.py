# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The actor rpm-ostree: how it changes kernel arguments, as the machine-config daemon and our plays ask it to."""

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.tests.lab.actors.bootc_machine import ActorError
from ansible_collections.fieldops.openshift.tests.lab.actors.rpm_ostree import changed_arguments, parser

PRESENT = ["rw", "psi=0", "quiet"]


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        pytest.param(["--append=debug"], ["rw", "psi=0", "quiet", "debug"], id="append"),
        pytest.param(["--append=quiet"], ["rw", "psi=0", "quiet", "quiet"], id="append again"),
        pytest.param(["--append-if-missing=quiet"], ["rw", "psi=0", "quiet"], id="append what is there, if missing"),
        pytest.param(["--delete=psi=0"], ["rw", "quiet"], id="delete"),
        pytest.param(["--delete-if-present=debug"], ["rw", "psi=0", "quiet"], id="delete what is missing, if present"),
        pytest.param(["--delete=psi=0", "--append=psi=0"], ["rw", "quiet", "psi=0"], id="what goes, then what comes"),
    ],
)
def test_kernel_arguments_change(asked: list[str], expected: list[str]) -> None:
    assert changed_arguments(PRESENT, parser().parse_args(["kargs", *asked])) == expected


def test_an_argument_that_is_missing_cannot_be_deleted() -> None:
    with pytest.raises(ActorError, match="No karg 'debug' found"):
        changed_arguments(PRESENT, parser().parse_args(["kargs", "--delete=debug"]))
