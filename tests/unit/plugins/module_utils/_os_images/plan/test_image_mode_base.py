# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Whether the operator has rendered the image that a pool is asked to have."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.image_mode_base import (
    base_verdict,
    stream_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.machine_os_config import config_name

OURS = config_name("worker")
IMAGE = "registry.site.example/os/worker@sha256:" + "1f" * 32
RELEASE = "quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:" + "0a" * 32


def verdict(sources: list[str], url: str | None, wanted: str) -> tuple[bool, bool]:
    source = [{"name": name} for name in sources]
    pool = {"metadata": {"name": "worker"}, "spec": {"configuration": {"name": "rendered-worker-1", "source": source}}}
    rendered: dict[str, t.Any] | None = None if url is None else {"spec": {"osImageURL": url}}
    found = base_verdict(pool, rendered, wanted)
    assert bool(found.sentence) is not found.ready
    return found.ready, found.overridden


@pytest.mark.parametrize(
    ("sources", "url", "wanted", "expected"),
    [
        (["00-worker"], RELEASE, "", (True, False)),
        (["00-worker"], RELEASE, IMAGE, (False, False)),
        (["00-worker", OURS], None, IMAGE, (False, False)),
        (["00-worker", OURS], IMAGE, IMAGE, (True, False)),
        (["00-worker", OURS], RELEASE, IMAGE, (False, False)),
        (["00-worker", OURS, "99-worker-zz"], RELEASE, IMAGE, (False, True)),
        (["00-worker", OURS, "99-worker-zz"], IMAGE, IMAGE, (True, False)),
        (["00-worker", OURS], IMAGE, "", (False, False)),
    ],
    ids=[
        "the release's own",
        "not rendered with ours yet",
        "rendered, but gone",
        "ours",
        "ours with an earlier image",
        "another has the last word",
        "another, which asks for nothing",
        "ours is on its way out",
    ],
)
def test_the_base(sources: list[str], url: str | None, wanted: str, expected: tuple[bool, bool]) -> None:
    assert verdict(sources, url, wanted) == expected


def test_the_machine_configs_that_may_have_the_last_word_are_named() -> None:
    source = [{"name": name} for name in ("00-worker", OURS, "99-worker-zz")]
    pool: dict[str, t.Any] = {
        "metadata": {"name": "worker"},
        "spec": {"configuration": {"source": source}, "osImageStream": {"name": "rhel-10"}},
    }
    found = base_verdict(pool, {"spec": {"osImageURL": RELEASE}}, IMAGE)
    assert found.overriding == ("99-worker-zz",)
    assert "stream rhel-10" in found.sentence
    assert stream_of(pool) == "rhel-10"


def test_a_pool_without_a_stream_has_that_of_the_cluster() -> None:
    assert stream_of({"metadata": {"name": "worker"}, "spec": {}}) == ""
