# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Whatever is killed before or after whichever command, running the same again comes to the same end.

A shim before bootc, rpm-ostree, ostree and skopeo counts their calls and kills who called: the module, its job, or
bootc itself in the middle of a pull.
"""

from __future__ import annotations

import json
import time
import typing as t

import pytest

from ansible_collections.fieldops.openshift.tests.integration.os_images.image_host import ImageHost, copy_tree
from ansible_collections.fieldops.openshift.tests.integration.os_images.images import OsImage

Boot = t.Callable[..., t.Any]

SHIM = """\
#!/bin/sh
name=${0##*/}
number=$(($(cat /var/kill/count) + 1))
echo $number > /var/kill/count
at=$(cat /var/kill/at)
if [ "$at" = "$number before" ]; then kill -9 $PPID; exit 137; fi
if [ "$at" = "$number cut" ]; then touch /run/lab/cut; exec sleep 600; fi
real=/usr/bin/$name
[ $name = ostree ] && real=/usr/local/bin/ostree
$real "$@"
ended=$?
if [ "$at" = "$number after" ]; then kill -9 $PPID; fi
exit $ended
"""
CANARY = "Y2FuYXJ5OmNhbmFyeQ=="
AUTH = json.dumps({"auths": {"quay.io": {"auth": CANARY}}})
POINTS = 10


def arm(host: ImageHost, at: str) -> None:
    """Have the shim do its deed at the call ``at``, such as "3 before"."""
    for name in ("bootc", "rpm-ostree", "ostree", "skopeo"):
        host.write(f"/usr/local/sbin/{name}", SHIM, mode=0o755)
    host.write("/var/kill/count", "0")
    host.write("/var/kill/at", at)


def kill_and_repeat(host: ImageHost, at: str, **request: t.Any) -> t.Any:
    """Be killed once, and return what the same comes to afterwards."""
    arm(host, at)
    host.run("python3", host.inside, stdin=host.order(**request), check=False)
    calls = int(host.read("/var/kill/count") or 0)
    assert calls >= int(at.split()[0]), "the call that was to be hit never came"
    return host.ask(**request)


@pytest.fixture(scope="session")
def calls(registry: t.Any, installed: t.Any, second: OsImage) -> dict[str, int]:
    """How many commands it takes to stage, and to download."""
    found = {}
    for state in ("staged", "downloaded"):
        with ImageHost(registry) as host:
            copy_tree(installed, host.folder / "sysroot")
            host.first_boot()
            arm(host, "0 never")
            host.ask(image=second.pinned, state=state, registry_auth=AUTH)
            found[state] = int(host.read("/var/kill/count") or 0)
    return found


def spread(count: int, point: int, points: int) -> int:
    """Return one of ``points`` calls that are spread evenly over ``count``, the first and the last among them."""
    return 1 + point * (count - 1) // (points - 1)


def points(count: int) -> list[t.Any]:
    """Return the points of a way at which it is killed; all but the one in the middle are for the long run."""
    return [point if point == count // 2 else pytest.param(point, marks=pytest.mark.long) for point in range(count)]


@pytest.mark.parametrize("when", [pytest.param("before", marks=pytest.mark.long), "after"])
@pytest.mark.parametrize("point", points(POINTS))
def test_staging_converges(host: ImageHost, second: OsImage, calls: dict[str, int], point: int, when: str) -> None:
    at = f"{spread(calls['staged'], point, POINTS)} {when}"
    ended = kill_and_repeat(host, at, image=second.pinned, registry_auth=AUTH)
    assert (ended.done, ended.image["staged"]["digest"], ended.image["next_boot"]) == (True, second.digest, "staged")
    assert CANARY not in host.run("sh", "-c", "cat /run/ostree/auth.json* 2>/dev/null; true")
    assert not host.ask(image=second.pinned).changed


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("point", points(3))
def test_downloading_converges(host: ImageHost, second: OsImage, calls: dict[str, int], point: int, when: str) -> None:
    at = f"{spread(calls['downloaded'], point, 3)} {when}"
    ended = kill_and_repeat(host, at, image=second.pinned, state="downloaded", registry_auth=AUTH)
    assert (ended.done, ended.image["next_boot"]) == (True, "booted")


@pytest.mark.parametrize("point", points(3))
def test_a_power_cut_is_survived(host: ImageHost, second: OsImage, calls: dict[str, int], point: int) -> None:
    arm(host, f"{spread(calls['staged'], point, 3)} cut")
    process = host.started("python3", host.inside)
    assert process.stdin is not None
    process.stdin.write(host.order(image=second.pinned))
    process.stdin.close()
    deadline = time.monotonic() + 60
    while not (host.folder / "shared/cut").exists():
        assert time.monotonic() < deadline, "the call that was to be hit never came"
        time.sleep(0.02)
    host.power_cut()
    for stream in (process.stdout, process.stderr):
        assert stream is not None
        stream.close()
    process.wait(timeout=30)
    assert host.ask(image=second.pinned).image["staged"]["digest"] == second.digest
