# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Pins on a host whose other pins belong to others."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ansible_collections.fieldops.openshift.tests.integration.node_images.bundles import WrittenBundle
from ansible_collections.fieldops.openshift.tests.integration.node_images.nodes import (
    DROP_INS,
    OURS,
    Controller,
    listed,
    plug_in,
)
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
from ansible_collections.fieldops.openshift.tests.lab.node.host import NodeHost
from ansible_collections.fieldops.openshift.tests.lab.node.images import pause_image

COMPONENTS = ["etcd", "cli"]


@pytest.fixture
def names(lab: Lab, bundle: WrittenBundle, controller: Controller, host: NodeHost) -> list[str]:
    """Two images of the bundle that are loaded on the host."""
    chosen = {"index_digest": str(bundle.index.digest), "images": COMPONENTS, "keep_free_percent": 1, "wait": True}
    staged = controller.task(host.name, "node_bundle", **chosen, src=plug_in(lab, host.name, bundle))
    assert staged.rc == 0, staged.output
    served = controller.task(host.name, "image_source", block_registries="always")
    assert served.rc == 0, served.output
    loaded = controller.task(host.name, "node_images", **chosen)
    assert loaded.rc == 0, loaded.output
    return [image["name"] for image in loaded.result["images"]]


@pytest.fixture
def machine_config_operator(host: NodeHost, names: list[str]) -> Iterator[str]:
    """One of them, which the machine-config operator pins as well."""
    path = f"{DROP_INS}/50-pinned-images"
    host.write(path, f'[crio]\n  [crio.image]\n    pinned_images = ["{names[0]}"]\n')
    host.run("systemctl", "reload", "crio")
    yield names[0]
    host.run("rm", path)


def pinned(host: NodeHost) -> set[str]:
    return {name for name, is_pinned in listed(host).items() if is_pinned} - {pause_image().name}


def test_what_others_pin_stays_pinned_before_and_after(
    controller: Controller, host: NodeHost, names: list[str], machine_config_operator: str
) -> None:
    foreign, mine = names
    assert foreign == machine_config_operator
    done = controller.task(host.name, "crio_pinned_images", images=[mine])
    assert done.rc == 0, done.output
    assert (done.result["pins"]["own"], done.result["pins"]["hidden"]) == ([mine], [])
    assert pinned(host) == {foreign, mine}
    gone = controller.task(host.name, "crio_pinned_images", state="absent")
    assert gone.rc == 0, gone.output
    assert pinned(host) == {foreign}


def test_an_image_that_is_not_there_is_refused_before_anything_is_written(
    controller: Controller, host: NodeHost, names: list[str]
) -> None:
    absent = f"quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:{'0' * 64}"
    refused = controller.task(host.name, "crio_pinned_images", images=[absent, *names])
    assert (refused.rc, refused.result["lacking"]) == (2, [absent])
    assert host.run("sh", "-c", f"ls {OURS} 2>/dev/null || true") == ""


@pytest.mark.parametrize(
    "name",
    ["quay.io/a/b@sha256:" + "0" * 64 + '"]\n[crio.runtime]\nconmon="/tmp/x', "quay.io/a/b:latest", "busybox", "*"],
    ids=["escaping", "by tag", "unqualified", "pattern"],
)
def test_only_references_by_digest_become_part_of_the_file(controller: Controller, host: NodeHost, name: str) -> None:
    refused = controller.task(host.name, "crio_pinned_images", images=[name])
    assert refused.rc == 2
    assert refused.result["error"]["kind"] == "invalid_input"
    assert host.run("sh", "-c", f"ls {OURS} 2>/dev/null || true") == ""
