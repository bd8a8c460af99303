# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a pool may be asked for, and what the objects in the cluster ask for."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.machine_os_config import (
    BuildOrder,
    ContainerfilePart,
    PoolImage,
    asked_image,
    config_name,
    image_in_cluster,
    machine_config_document,
    machine_os_config_document,
    pool_image_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

DIGEST = "sha256:" + "1f" * 32
IMAGE = f"registry.site.example/os/worker@{DIGEST}"
PUSH = "registry.site.example/os/worker:latest"
PART = ContainerfilePart("NoArch", "FROM configs AS final\nRUN true\n")
ORDER = BuildOrder(PUSH, "push", "pull", (PART, ContainerfilePart("ARM64", "FROM configs AS final\n")))


def options(**given: t.Any) -> dict[str, t.Any]:
    names = ("os_image_url", "push_spec", "push_secret", "pull_secret")
    return {**dict.fromkeys(names), "containerfiles": [], **given}


def part(content: str, architecture: str = "NoArch") -> dict[str, str]:
    return {"architecture": architecture, "content": content}


@pytest.mark.parametrize("wanted", [PoolImage(), PoolImage(IMAGE), PoolImage("", ORDER), PoolImage(IMAGE, ORDER)])
def test_what_is_kept_is_read_again(wanted: PoolImage) -> None:
    assert pool_image_of(wanted.as_document()) == wanted


@pytest.mark.parametrize("wanted", [PoolImage(), PoolImage(IMAGE), PoolImage("", ORDER), PoolImage(IMAGE, ORDER)])
def test_what_is_applied_asks_for_the_same(wanted: PoolImage) -> None:
    config = machine_config_document("worker", wanted.os_image_url) if wanted.os_image_url else None
    built = machine_os_config_document("worker", wanted.build, "") if wanted.build else None
    assert image_in_cluster(built, config) == wanted


def test_a_part_without_architecture_is_for_all() -> None:
    built = machine_os_config_document("worker", ORDER, "")
    del built["spec"]["containerFile"][0]["containerfileArch"]
    assert image_in_cluster(built, None).build == ORDER


def test_our_config_sorts_behind_those_of_the_release() -> None:
    assert config_name("worker") > max("00-worker", "01-worker-kubelet")


def test_an_image_and_a_build_are_read_from_the_options() -> None:
    given = options(
        os_image_url=IMAGE, push_spec=PUSH, push_secret="push", containerfiles=[part(PART.content), part("x", "S390X")]
    )
    order = BuildOrder(PUSH, "push", "", (PART, ContainerfilePart("S390X", "x")))
    assert asked_image(given) == PoolImage(IMAGE, order)


@pytest.mark.parametrize(
    "push_spec",
    [
        PUSH,
        "registry.site.example:5000/worker:1",
        "image-registry.openshift-image-registry.svc:5000/openshift-machine-config-operator/os:latest",
    ],
)
def test_where_an_image_may_go(push_spec: str) -> None:
    assert asked_image(options(push_spec=push_spec, push_secret="push")).build == BuildOrder(push_spec, "push")


@pytest.mark.parametrize(
    ("given", "seen"),
    [
        ({}, "both are empty"),
        ({"containerfiles": [part("x")]}, "there is no push_spec"),
        ({"os_image_url": "registry.site.example/os/worker:latest"}, "it has no digest"),
        ({"push_spec": "registry.site.example/os/worker"}, "not a name with a tag"),
        ({"push_spec": IMAGE}, "not a name with a tag"),
        ({"push_spec": PUSH, "containerfiles": [part("x"), part("y")]}, "2 parts for NoArch"),
        ({"push_spec": PUSH, "containerfiles": [part("x" * 4097)]}, "1 too many"),
        ({"push_spec": PUSH, "containerfiles": [part(" \n")]}, "it is empty"),
    ],
)
def test_what_the_api_would_not_take_is_refused_before(given: dict[str, t.Any], seen: str) -> None:
    with pytest.raises(InvalidInputError, match=seen):
        asked_image(options(**{"push_secret": "push", **given}))


@pytest.mark.parametrize("name", ["", "UPPER/x:y", "a b", "x" * 9000, "registry.example/x@sha256:12"])
def test_names_that_are_none(name: str) -> None:
    with pytest.raises(InvalidInputError):
        asked_image(options(push_spec=name or " ", push_secret="push"))
