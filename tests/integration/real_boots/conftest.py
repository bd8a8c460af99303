# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""One virtual machine with the real bootc, as a node of a cluster that is there as its API alone."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from ansible_collections.fieldops.openshift.tests.lab.virtual import bootc_program
from ansible_collections.fieldops.openshift.tests.lab.virtual.lab import VirtualLab


@pytest.fixture(scope="session")
def lab() -> Iterator[VirtualLab]:
    """The lab; needs root, because its parts have namespaces."""
    lacking = bootc_program.lacking()
    if lacking:
        pytest.skip(lacking)
    if os.geteuid():
        pytest.skip("the lab's network needs root")
    with VirtualLab(arguments="ostree.prepare-root.composefs=1") as made:
        yield made
