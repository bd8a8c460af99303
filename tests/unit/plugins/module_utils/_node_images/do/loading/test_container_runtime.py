# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What is asked of CRI-O, and what its answers mean; crictl is a program that does what a test wrote down."""

from __future__ import annotations

import json
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.loading.container_runtime import (
    remove_images,
    used_images,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.errors import ContainerRuntimeError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline

CLOCK = SystemClock()
"""Programs take their time, which is not that of a test's clock."""

# As crictl 1.34 prints it, shortened: one container that runs, and one that has ended.
CONTAINERS = {
    "containers": [
        {
            "id": "1",
            "image": {"image": "quay.io/a/b:1"},
            "imageRef": "quay.io/a/b@sha256:1",
            "imageId": "c4c1",
            "state": "CONTAINER_RUNNING",
        },
        {"id": "2", "image": {"image": "d5d2"}, "imageRef": "", "state": "CONTAINER_EXITED"},
    ]
}


@pytest.fixture
def crictl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> t.Callable[[str], Path]:
    """Write the program; it notes what it is called with in the file that is returned."""
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")

    def write(script: str) -> Path:
        program, called = tmp_path / "crictl", tmp_path / "called"
        program.write_text(f'#!/bin/sh\necho "$@" >> {called}\n{script}\n')
        program.chmod(0o755)
        return called

    return write


def test_containers_that_have_ended_use_their_image(crictl: t.Callable[[str], Path]) -> None:
    called = crictl(f"cat <<'END'\n{json.dumps(CONTAINERS)}\nEND")
    used = used_images(Host(CLOCK, Path("/")), Deadline(60, CLOCK))
    assert used == {"quay.io/a/b:1", "quay.io/a/b@sha256:1", "c4c1", "d5d2"}
    assert called.read_text().endswith("ps --all --output json\n")


def test_without_an_answer_nothing_is_taken_for_unused(crictl: t.Callable[[str], Path]) -> None:
    crictl("echo connection refused >&2; exit 1")
    with pytest.raises(ContainerRuntimeError, match="list the containers of the container runtime"):
        used_images(Host(CLOCK, Path("/")), Deadline(60, CLOCK))


@pytest.mark.parametrize(
    ("script", "said"),
    [("exit 0", ""), ("echo image is in use by a container >&2; exit 1", "image is in use by a container")],
    ids=["removed", "refused"],
)
def test_a_refusal_to_remove_is_returned(crictl: t.Callable[[str], Path], script: str, said: str) -> None:
    called = crictl(script)
    assert remove_images(Host(CLOCK, Path("/")), ["a@sha256:1", "a@sha256:2"], Deadline(60, CLOCK)) == said
    assert called.read_text().endswith(" rmi a@sha256:1 a@sha256:2\n")
