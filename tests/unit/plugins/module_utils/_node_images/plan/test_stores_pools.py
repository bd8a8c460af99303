# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""By which objects a pool's nodes come to list the slots, and whose storage.conf would win over that."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.errors import ImageStoreError
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.stores_pools import (
    MACHINE,
    RUNTIME,
    has_image_stores,
    is_rendered,
    plan_slots,
    require_at_rest,
    rivals,
)

CONF = '[storage]\ndriver = "overlay"\n'
ROLE = "machineconfiguration.openshift.io/role"
POOL_LABEL = "pools.operator.machineconfiguration.openshift.io"
Object = dict[str, t.Any]


def pool(name: str = "worker", *, labelled: bool = True, **spec: t.Any) -> Object:
    labels = {f"{POOL_LABEL}/{name}": ""} if labelled else {}
    selector = {"matchExpressions": [{"key": ROLE, "operator": "In", "values": ["worker", name]}]}
    return {"metadata": {"name": name, "labels": labels}, "spec": {"machineConfigSelector": selector, **spec}}


def runtime_config(name: str, pool_name: str = "worker", **settings: t.Any) -> Object:
    selector = {"matchLabels": {f"{POOL_LABEL}/{pool_name}": ""}}
    spec = {"machineConfigPoolSelector": selector, "containerRuntimeConfig": settings}
    return {"metadata": {"name": name}, "spec": spec}


def machine_config(name: str, role: str = "worker", path: str = "/etc/containers/storage.conf") -> Object:
    files = {"config": {"storage": {"files": [{"path": path}]}}}
    return {"metadata": {"name": name, "labels": {ROLE: role}}, "spec": files}


def definition(**properties: t.Any) -> Object:
    settings = {"properties": {"containerRuntimeConfig": {"properties": properties}}}
    schema = {"openAPIV3Schema": {"properties": {"spec": settings}}}
    return {"spec": {"versions": [{"name": "v1", "schema": schema}]}}


@pytest.mark.parametrize(
    ("found", "has"),
    [
        pytest.param(definition(additionalImageStores={"type": "array"}), True, id="a release that has it"),
        pytest.param(definition(overlaySize={}), False, id="a release before"),
        pytest.param({}, False, id="no such definition"),
    ],
)
def test_whether_the_api_has_image_stores(found: Object, has: bool) -> None:
    assert has_image_stores(found) is has


@pytest.mark.parametrize(
    ("asked", "labelled", "has_field", "method", "kinds"),
    [
        pytest.param("auto", True, True, RUNTIME, ["MachineConfig", "ContainerRuntimeConfig"], id="the API's own way"),
        pytest.param("auto", True, False, MACHINE, ["MachineConfig"], id="an older release"),
        pytest.param("auto", False, True, MACHINE, ["MachineConfig"], id="a pool without the label"),
        pytest.param(MACHINE, True, True, MACHINE, ["MachineConfig"], id="as asked"),
        pytest.param(RUNTIME, True, True, RUNTIME, ["MachineConfig", "ContainerRuntimeConfig"], id="as asked, too"),
    ],
)
def test_which_way_a_pool_goes(asked: str, labelled: bool, has_field: bool, method: str, kinds: list[str]) -> None:
    slots = plan_slots(pool(labelled=labelled), asked, CONF, has_field=has_field)
    assert (slots.method, [one["kind"] for one in slots.documents]) == (method, kinds)


@pytest.mark.parametrize(
    ("asked", "labelled", "has_field", "text", "seen"),
    [
        pytest.param(RUNTIME, True, False, CONF, "has no additionalImageStores", id="not in this release"),
        pytest.param(RUNTIME, False, True, CONF, "does not have its label", id="would select nothing"),
        pytest.param("auto", True, False, "", "storage_conf is not set", id="the whole file is unknown"),
    ],
)
def test_what_cannot_be_is_refused(asked: str, labelled: bool, has_field: bool, text: str, seen: str) -> None:
    with pytest.raises(ImageStoreError, match=seen):
        plan_slots(pool(labelled=labelled), asked, text, has_field=has_field)


@pytest.mark.parametrize(
    ("asked", "others", "settings", "found"),
    [
        pytest.param(MACHINE, [machine_config("50-worker-storage")], [], [], id="ours comes after it"),
        pytest.param(MACHINE, [machine_config("99-worker-zz")], [], ["MachineConfig 99-worker-zz"], id="after ours"),
        pytest.param(MACHINE, [machine_config("99-master-zz", "master")], [], [], id="of another pool"),
        pytest.param(MACHINE, [machine_config("99-worker-zz", path="/etc/motd")], [], [], id="another file"),
        pytest.param(
            MACHINE, [], [runtime_config("big", overlaySize="8G")], ["ContainerRuntimeConfig big"], id="overlay size"
        ),
        pytest.param(MACHINE, [], [runtime_config("pids", pidsLimit=9)], [], id="nothing about storage"),
        pytest.param(
            RUNTIME,
            [machine_config("99-worker-zz"), machine_config("99-worker-generated-containerruntime-1")],
            [
                runtime_config("own", additionalImageStores=[{"path": "/x"}]),
                runtime_config("m", "master", overlaySize="8G"),
            ],
            ["ContainerRuntimeConfig own", "MachineConfig 99-worker-zz"],
            id="the operator's own are no rivals",
        ),
    ],
)
def test_who_else_writes_the_file(asked: str, others: list[Object], settings: list[Object], found: list[str]) -> None:
    slots = plan_slots(pool(), asked, CONF, has_field=True)
    assert list(rivals(slots, pool(), [*others, *slots.documents], settings)) == found


def test_a_pool_that_is_open_would_reboot_for_it() -> None:
    slots = plan_slots(pool(), "auto", CONF, has_field=True)
    require_at_rest(slots, pool(paused=True))
    with pytest.raises(ImageStoreError, match="the pool is not paused"):
        require_at_rest(slots, pool())


def test_how_far_the_operator_is() -> None:
    slots = plan_slots(pool(), "auto", CONF, has_field=True)
    rendered = pool(configuration={"source": [{"name": "00-worker"}, {"name": "99-worker-fieldops-image-stores"}]})
    assert (is_rendered(slots, rendered, "spec"), is_rendered(slots, rendered, "status")) == (True, False)
