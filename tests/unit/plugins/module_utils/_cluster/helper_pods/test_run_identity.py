# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Names of runs, and which namespaces nobody needs any more."""

from __future__ import annotations

import typing as t
from datetime import datetime, timezone

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.helper_pods.manifests import (
    namespace_manifest,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.helper_pods.run_identity import (
    RunIdentity,
    expiry,
    holder_of,
    is_abandoned,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

NOW = datetime(2026, 11, 21, 22, 0, tzinfo=timezone.utc)


def namespace(seconds: int = 60, run: str = "night", **metadata: t.Any) -> dict[str, t.Any]:
    made = namespace_manifest(RunIdentity(run), expiry(NOW, seconds))
    made["metadata"].update(metadata)
    return made


@pytest.mark.parametrize("name", ["a", "staging-0412", "0", "a" * 40])
def test_names_of_runs(name: str) -> None:
    assert RunIdentity(name).namespace == f"fieldops-reach-{name}"


@pytest.mark.parametrize("name", ["", "-a", "a-", "A", "a.b", "a_b", "a" * 41, "a\n", "../x"])
def test_what_is_no_name(name: str) -> None:
    with pytest.raises(InvalidInputError, match="letters"):
        RunIdentity(name)


def test_a_run_without_a_name_has_that_of_its_process() -> None:
    first, other = RunIdentity.held_by("laptop boot 17 4"), RunIdentity.held_by("laptop boot 17 5")
    assert first == RunIdentity.held_by("laptop boot 17 4")
    assert first.namespace != other.namespace
    assert holder_of(namespace_manifest(first, expiry(NOW, 60))) == "laptop boot 17 4"


@pytest.mark.parametrize(
    ("found", "abandoned"),
    [
        pytest.param(namespace(60), False, id="its time has not come"),
        pytest.param(namespace(0), True, id="its time has just come"),
        pytest.param(namespace(-3600), True, id="long ago"),
        pytest.param(namespace(60, annotations={}), True, id="it does not tell its time"),
        pytest.param(namespace(60, annotations={"fieldops.openshift/expires": "soon"}), True, id="no instant"),
        pytest.param(namespace(-60, name="openshift-etcd"), False, id="another name"),
        pytest.param(namespace(-60, labels={}), False, id="somebody else's, of our name"),
    ],
)
def test_who_is_abandoned(found: dict[str, t.Any], abandoned: bool) -> None:
    assert is_abandoned(found, NOW) is abandoned
