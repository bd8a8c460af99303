# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import json
import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.installed_operator import (
    InstalledOperator,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.site_inventory import (
    SiteInventory,
    read_inventory,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_errors import BundleError
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._terms.bundle_samples import digest

BLOBS = [digest(f"blob {number}") for number in range(900)]
SUBSCRIPTION = {
    "metadata": {"name": "local-storage", "namespace": "openshift-local-storage"},
    "spec": {
        "name": "local-storage-operator",
        "channel": "stable",
        "source": "redhat-operators",
        "sourceNamespace": "openshift-marketplace",
    },
    "status": {"installedCSV": "local-storage-operator.v4.18.0"},
}
INVENTORY = SiteInventory(
    written="2026-11-26T18:00:00Z",
    cluster="6f9d2a1c-5b0e-4c53-9d43-0a2f6f3c1b7e",
    version="4.18.20",
    operators=(
        InstalledOperator.of(SUBSCRIPTION),
        InstalledOperator.of({"metadata": {}, "spec": {"name": "not-installed-yet"}}),
    ),
    nodes={
        "master-0": frozenset(BLOBS),
        "worker-0": frozenset(BLOBS[:800]),
        "worker-1": frozenset(BLOBS[100:]),
    },
)


def test_what_was_written_is_read_again() -> None:
    assert read_inventory(INVENTORY.as_bytes(), on="inventory") == INVENTORY


def test_only_what_every_node_has_is_common() -> None:
    assert INVENTORY.common == frozenset(BLOBS[100:800])
    assert SiteInventory("", "", "", (), {}).common == frozenset()


def test_the_same_content_gives_the_same_bytes_in_whatever_order_nodes_answer() -> None:
    turned = SiteInventory(**{**vars(INVENTORY), "nodes": dict(reversed(list(INVENTORY.nodes.items())))})
    assert turned.as_bytes() == INVENTORY.as_bytes()


def test_a_release_that_all_of_many_nodes_hold_takes_less_than_100_kb() -> None:
    many = SiteInventory(**{**vars(INVENTORY), "nodes": {f"node-{n}": frozenset(BLOBS) for n in range(50)}})
    assert len(many.as_bytes()) < 100_000


def test_an_operator_is_what_its_subscription_has_installed() -> None:
    assert INVENTORY.operators[0].as_data() == {
        "package": "local-storage-operator",
        "namespace": "openshift-local-storage",
        "channel": "stable",
        "version": "4.18.0",
        "bundle": "local-storage-operator.v4.18.0",
        "catalog": "openshift-marketplace/redhat-operators",
    }


@pytest.mark.parametrize(
    ("change", "seen"),
    [
        pytest.param(lambda d: d.update(kind="FieldOpsBundle"), "it is not a FieldOpsSiteInventory", id="kind"),
        pytest.param(lambda d: d.update(schemaVersion=2), "it is not a FieldOpsSiteInventory", id="schema"),
        pytest.param(lambda d: d["groups"][0]["nodes"].append("worker-9"), "it is none of the nodes", id="node"),
        pytest.param(lambda d: d["groups"][0]["blobs"].append("../x"), "is not a digest", id="digest"),
        pytest.param(lambda d: d.pop("nodes"), "nodes is missing", id="no-nodes"),
    ],
)
def test_broken_inventory(change: t.Callable[[dict[str, t.Any]], object], seen: str) -> None:
    document = json.loads(INVENTORY.as_bytes())
    change(document)
    with pytest.raises(BundleError) as caught:
        read_inventory(json.dumps(document).encode(), on="inventory")
    assert seen in caught.value.seen
