# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.config_targets import (
    ROLE,
    ConfigTargets,
    common_windows,
)

Json = dict[str, t.Any]
WORKER: Json = {"matchLabels": {ROLE: "worker"}}
CUSTOM: Json = {"matchExpressions": [{"key": ROLE, "operator": "In", "values": ["worker", "infra"]}]}


def targets(selector: Json | None, **labels: str) -> ConfigTargets:
    return ConfigTargets.of({"metadata": {"labels": labels}, "spec": {"machineConfigSelector": selector}})


@pytest.mark.parametrize(
    ("selector", "roles"),
    [
        pytest.param(WORKER, {"worker"}, id="a role"),
        pytest.param(CUSTOM, {"worker", "infra"}, id="a custom pool takes those of workers too"),
        pytest.param(None, set(), id="none takes nothing"),
        pytest.param({}, None, id="an empty one takes all"),
        pytest.param({"matchLabels": {"own": "label"}}, None, id="another label"),
        pytest.param({**WORKER, **CUSTOM}, None, id="both"),
        pytest.param({"matchExpressions": [{"key": ROLE, "operator": "Exists"}]}, None, id="any role"),
    ],
)
def test_roles_that_a_pool_takes(selector: Json | None, roles: set[str] | None) -> None:
    assert targets(selector).roles == (None if roles is None else frozenset(roles))


def test_a_configuration_is_permitted_while_all_pools_that_it_concerns_are() -> None:
    labels = {"pools.operator.machineconfiguration.openshift.io/infra": ""}
    windows = common_windows([(targets(WORKER), [(0, 10), (20, 30)]), (targets(CUSTOM, **labels), [(5, 25)])])
    assert windows == {
        "config": [(5, 10), (20, 25)],
        "config-role.worker": [(5, 10), (20, 25)],
        "config-role.infra": [(5, 25)],
        "config-pool.infra": [(5, 25)],
    }


def test_a_pool_whose_selector_cannot_be_told_has_a_say_in_every_role() -> None:
    windows = common_windows([(targets(WORKER), [(0, 10)]), (targets({}), [])])
    assert windows == {"config": [], "config-role.worker": [], "config-any-role": []}
