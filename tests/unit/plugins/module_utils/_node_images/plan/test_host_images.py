# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The few images of a bundle that go into the PinnedImageSets of pools."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.host_images import host_images
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.media_types import (
    DOCKER_LIST,
    DOCKER_MANIFEST,
    OCI_INDEX,
    OCI_MANIFEST,
)

Image = dict[str, t.Any]
RELEASE = "quay.io/openshift-release-dev/ocp-v4.0-art-dev"


def image(
    component: str | None,
    reason: str = "component",
    *,
    media_type: str | None = DOCKER_MANIFEST,
    repository: str = RELEASE,
) -> Image:
    name = f"{repository}@sha256:{(component or reason).encode().hex():0<64.64}"
    return {"name": name, "component": component, "reason": reason, "media_type": media_type}


OS, EXTENSIONS = image("rhel-coreos", "os_image"), image("rhel-coreos-extensions", "os_image")
OPERATOR, NETWORK, POD = image("machine-config-operator"), image("baremetal-runtimecfg"), image("pod")
ETCD, CLI, PARTNER = image("etcd"), image("cli"), image(None, "extra")
BUNDLE = [image(None, "release"), OS, EXTENSIONS, OPERATOR, NETWORK, POD, ETCD, CLI, PARTNER]
HOST = [OS, EXTENSIONS, OPERATOR, NETWORK, POD]


def names(*images: Image) -> tuple[str, ...]:
    return tuple(one["name"] for one in images)


def test_sets_hold_what_hosts_take_outside_of_kubernetes() -> None:
    chosen = host_images(BUNDLE, ["worker", "master"], {})
    assert chosen.by_pool == {"master": names(*HOST), "worker": names(*HOST)}
    assert chosen.left_out == {}


def test_a_pool_whose_nodes_hold_few_images_has_no_others_in_its_set() -> None:
    chosen = host_images(BUNDLE, ["worker", "master"], {"worker": ["rhel-coreos", "etcd", "pod"], "edge": ["etcd"]})
    assert chosen.by_pool == {"master": names(*HOST), "worker": names(OS, POD)}


@pytest.mark.parametrize(
    ("by_pool", "worker", "infra"),
    [
        pytest.param({}, HOST, HOST, id="both have all"),
        pytest.param({"infra": ["rhel-coreos"]}, [OS], [OS], id="the custom pool has less"),
        pytest.param({"worker": ["rhel-coreos"]}, [OS], HOST, id="the workers have less"),
    ],
)
def test_the_set_of_workers_names_what_custom_pools_have_too(
    by_pool: dict[str, list[str]], worker: list[Image], infra: list[Image]
) -> None:
    chosen = host_images(BUNDLE, ["worker", "infra"], by_pool)
    assert chosen.by_pool == {"worker": names(*worker), "infra": names(*infra)}


@pytest.mark.parametrize(
    ("form", "reason"),
    [
        pytest.param({"media_type": OCI_MANIFEST}, f"a single one of type {OCI_MANIFEST}", id="a single OCI manifest"),
        pytest.param({"media_type": OCI_INDEX}, "", id="an OCI index"),
        pytest.param({"media_type": DOCKER_LIST}, "", id="a Docker list"),
        pytest.param({"media_type": None}, "", id="a form that only the base of a delta tells"),
        pytest.param({"repository": "mirror.example/a/b/c"}, "at most one namespace", id="a deep repository"),
    ],
)
def test_what_no_set_can_hold_is_left_out_with_the_reason(form: dict[str, t.Any], reason: str) -> None:
    odd = image("rhel-coreos", "os_image", **form)
    chosen = host_images([odd, POD], ["worker"], {})
    assert chosen.by_pool == {"worker": names(POD) if reason else names(odd, POD)}
    assert [*chosen.left_out] == ([odd["name"]] if reason else [])
    assert reason in "".join(chosen.left_out.values())


@pytest.mark.parametrize(
    ("images", "by_pool", "seen"),
    [
        pytest.param([ETCD], {}, "none of the images that hosts need is selected", id="none in the bundle"),
        pytest.param(BUNDLE, {"worker": ["etcd"]}, "none of the images that hosts need is selected", id="none chosen"),
        pytest.param([image("pod", media_type=OCI_MANIFEST)], {}, "which podman manifest inspect", id="none that fits"),
        pytest.param(BUNDLE, {"worker": ["ose-cli"]}, "no image of that name", id="an unknown component"),
    ],
)
def test_a_pool_that_could_have_no_set_is_refused(
    images: list[Image], by_pool: dict[str, list[str]], seen: str
) -> None:
    with pytest.raises(InvalidInputError, match=seen):
        host_images(images, ["worker"], by_pool)


def test_no_pool_at_all_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="no pool"):
        host_images(BUNDLE, [], {})
