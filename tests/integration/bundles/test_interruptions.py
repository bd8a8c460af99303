# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Power cuts, kills and registries that vanish: what was fetched is not fetched again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.build_job import build
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.jobs import Jobs
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.request import FunctionWork
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import MIB
from ansible_collections.fieldops.openshift.tests.integration.bundles.builder import Builder
from ansible_collections.fieldops.openshift.tests.lab.registry.release import PartnerSpec, ReleaseFactory
from ansible_collections.fieldops.openshift.tests.lab.registry.server import Registry

LARGE = "registry.partner.example/edge/large:1"

# The registry is asked for little at a time, so that there is a middle to be killed in.
BUILD = """
import json, sys, time
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.build_job import build
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.bundle_objects import NoProgress
from ansible_collections.fieldops.openshift.plugins.module_utils._host.partial_file import PartialFile

write = PartialFile.write

def slowly(self, chunk):
    time.sleep(0.01)
    write(self, chunk)

PartialFile.write = slowly
build(json.loads(sys.argv[1]), sys.argv[2], NoProgress())
"""


@pytest.fixture
def large(builder: Builder, factory: ReleaseFactory, registry: Registry) -> Builder:
    image = factory.partner_image(PartnerSpec(LARGE, layers=(40 * MIB, 24 * MIB), compressible=0.0))
    registry.storage.publish(factory.pool, [image])
    builder.settings["extra_images"] = [LARGE]
    return builder


def start(builder: Builder) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", BUILD, json.dumps(builder.document()), str(builder.path)])


def there(builder: Builder) -> int:
    """Return the bytes of blobs, complete or not, that lie in the folder."""
    return sum(path.stat().st_size for path in builder.path.rglob("*") if path.is_file() and len(path.stem) == 64)


def wait_for_bytes(builder: Builder, amount: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        try:
            if there(builder) >= amount:
                return
        except FileNotFoundError:  # a file got its name just now
            continue
        time.sleep(0.005)
    raise AssertionError(f"{there(builder)} bytes after a minute, exit status {process.poll()}")


def test_kills_at_any_point_cost_hardly_a_byte_twice(large: Builder) -> None:
    kept = 0
    for share in (5, 20, 35, 50):
        process = start(large)
        wait_for_bytes(large, share * MIB, process)
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert there(large) >= kept
        kept = there(large)
        assert not large.folder.index_path.exists()
    fetched = large.build()["fetched"]
    assert not large.damages()
    assert fetched <= large.index.size - kept + large.index.size // 50


def test_a_tag_that_moves_during_a_build_does_not_mix_two_images(
    large: Builder, registry: Registry, factory: ReleaseFactory
) -> None:
    digest = factory.partner_image(PartnerSpec(LARGE, layers=(40 * MIB, 24 * MIB), compressible=0.0)).image.digest
    process = start(large)
    wait_for_bytes(large, 20 * MIB, process)
    process.send_signal(signal.SIGKILL)
    process.wait()
    other = factory.partner_image(PartnerSpec(LARGE, layers=(4096,), seed=1))
    registry.storage.publish(factory.pool, [other])
    large.build()
    assert large.index.images[-1].name.digest == digest


def test_a_registry_that_vanishes_and_comes_back_is_waited_for(large: Builder, registry: Registry) -> None:
    process = start(large)
    wait_for_bytes(large, 10 * MIB, process)
    registry.stop()
    registry.start()
    assert process.wait(60) == 0
    assert not large.damages()


def test_a_beginning_that_a_power_cut_spoilt_is_fetched_again(large: Builder) -> None:
    process = start(large)
    wait_for_bytes(large, 20 * MIB, process)
    process.send_signal(signal.SIGKILL)
    process.wait()
    parts = [path for path in large.folder.blobs.glob("*.part") if path.stat().st_size > MIB]
    assert parts
    for path in parts:
        # ext4 and XFS may show zeros where data had not reached the disk.
        os.truncate(path, path.stat().st_size - 4096)
        with path.open("ab") as stream:
            stream.write(bytes(4096))
    large.build()
    assert not large.damages()


def test_leftovers_of_a_request_that_changed_are_removed(large: Builder) -> None:
    process = start(large)
    wait_for_bytes(large, 20 * MIB, process)
    process.send_signal(signal.SIGKILL)
    process.wait()
    large.settings["extra_images"] = []
    large.build()
    assert large.files() == {"index.json", "SHA256SUMS", *(blob.path for blob in large.index.blobs.values())}


def test_a_job_that_is_told_to_end_ends_at_once(large: Builder, tmp_path: Path) -> None:
    clock = SystemClock()
    jobs = Jobs(Host(clock), tmp_path / "jobs", systemd=False)
    deadline = Deadline(60, clock)
    jobs.start("build", FunctionWork.of(build, request=large.document(), path=str(large.path)), deadline=deadline)
    status = jobs.cancel("build", deadline=deadline)
    assert status is not None
    assert status.state.value in ("cancelled", "succeeded")
    large.build()
    assert not large.damages()
