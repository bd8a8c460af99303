# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.admin_gates import (
    AdminGate,
    acknowledgement,
    open_gates,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

OWN = "ack-4.21-kube-1.35-api-removals-in-4.22"
GATES = {OWN: "Kubernetes 1.35 removes APIs."}


def test_a_gate_of_this_minor_version_is_open_until_it_is_acknowledged() -> None:
    assert open_gates(GATES, {}, "4.21") == (AdminGate(OWN, "Kubernetes 1.35 removes APIs."),)
    assert open_gates(GATES, {OWN: "true"}, "4.21") == ()


@pytest.mark.parametrize("word", ["True", "yes", "", "false"])
def test_only_the_word_true_acknowledges(word: str) -> None:
    assert open_gates(GATES, {OWN: word}, "4.21")


@pytest.mark.parametrize(
    "key",
    [
        pytest.param("ack-4.20-kube-1.34-api-removals-in-4.21", id="another minor version"),
        pytest.param("ack-4.2-something", id="no prefix of a number counts"),
        pytest.param("ack-4.21--something", id="no description"),
        pytest.param("ask-4.21-something", id="another word"),
    ],
)
def test_other_keys_are_no_gates_of_this_minor_version(key: str) -> None:
    assert open_gates({key: "x"}, {}, "4.21") == ()


def test_what_is_acknowledged_is_written_as_true() -> None:
    assert acknowledgement([OWN], GATES) == {OWN: "true"}


def test_nobody_acknowledges_what_the_release_does_not_ask() -> None:
    with pytest.raises(InvalidInputError, match=r"ack-4\.21-typo"):
        acknowledgement([OWN, "ack-4.21-typo"], GATES)
