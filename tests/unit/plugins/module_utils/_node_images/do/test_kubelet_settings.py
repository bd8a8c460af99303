# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The kubelet's own threshold, from the files of a host."""

from __future__ import annotations

import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.kubelet_settings import (
    DROP_INS,
    KUBELET_CONFIG,
    kubelet_settings,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.node_storage import judge_space
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.forecast import Need
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.image_gc import ImageGc
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import MIB

HEAD = "kind: KubeletConfiguration\n"


def write(host: Host, path: str, content: str | bytes) -> Path:
    file = host.root / path.lstrip("/")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    return file


def setting(threshold: t.Any) -> str:
    return f"{HEAD}imageGCHighThresholdPercent: {threshold}\n"


FIRST, LATER, BELOW = f"{DROP_INS}/20-a.conf", f"{DROP_INS}/90-b.conf", f"{DROP_INS}/50-c/10.conf"


@pytest.mark.parametrize(
    ("files", "found"),
    [
        pytest.param({}, ImageGc(), id="no file"),
        pytest.param({KUBELET_CONFIG: HEAD}, ImageGc(), id="not set"),
        pytest.param({KUBELET_CONFIG: setting(70)}, ImageGc(70, KUBELET_CONFIG), id="set"),
        pytest.param({KUBELET_CONFIG: setting(70), FIRST: HEAD}, ImageGc(70, KUBELET_CONFIG), id="drop-in, not set"),
        pytest.param({KUBELET_CONFIG: setting(70), FIRST: setting(60)}, ImageGc(60, FIRST), id="drop-in"),
        pytest.param({LATER: setting(50), FIRST: setting(60)}, ImageGc(50, LATER), id="the last drop-in"),
        pytest.param({BELOW: setting(50), FIRST: setting(60)}, ImageGc(50, BELOW), id="a folder among them"),
        pytest.param({BELOW: setting(50), LATER: setting(60)}, ImageGc(60, LATER), id="a folder before the last"),
        pytest.param({f"{DROP_INS}/99.conf.bak": setting(5)}, ImageGc(), id="not for the kubelet"),
    ],
)
def test_the_last_file_that_sets_it_counts(host: Host, files: dict[str, str], found: ImageGc) -> None:
    for path, content in files.items():
        write(host, path, content)
    assert kubelet_settings(host).gc == found


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        pytest.param(b"\x00\x01\x02", "it is not text", id="binary"),
        pytest.param(b"#" * (MIB + 1), f"it is larger than {MIB} bytes", id="huge"),
        pytest.param(setting(0).encode(), "is 0, not a whole number from 1 to 100", id="out of range"),
        pytest.param(setting("most").encode(), "is most, not a whole number from 1 to 100", id="no number"),
    ],
)
@pytest.mark.parametrize("path", [KUBELET_CONFIG, LATER])
def test_what_cannot_be_understood_does_not_count_and_is_told(
    host: Host, path: str, content: bytes, problem: str
) -> None:
    write(host, FIRST, setting(60))
    write(host, path, content)
    found = kubelet_settings(host).gc
    assert (found.threshold, found.read_from) == (60, FIRST)
    assert found.problem.startswith(f"{path}: ")
    assert found.problem.endswith(problem)


def test_what_is_no_file_does_not_count_and_is_told(host: Host) -> None:
    (host.root / KUBELET_CONFIG.lstrip("/")).mkdir(parents=True)
    write(host, DROP_INS, "no directory")
    problem = f"{DROP_INS}: a component of the path is not a directory; {KUBELET_CONFIG}: it is a directory"
    assert kubelet_settings(host).gc == ImageGc(problem=problem)


def test_a_link_out_of_the_host_is_not_followed(host: Host) -> None:
    file = write(host, KUBELET_CONFIG, "")
    file.unlink()
    file.symlink_to("/etc/passwd")
    found = kubelet_settings(host).gc
    assert found.threshold == 85
    assert "symbolic link" in found.problem


def evicting(**signals: str) -> str:
    lines = "".join(f"  {name}.available: {value}\n" for name, value in signals.items())
    return f"{HEAD}evictionHard:\n{lines}"


@pytest.mark.parametrize(
    ("files", "found"),
    [
        pytest.param({}, {}, id="no file"),
        pytest.param({KUBELET_CONFIG: evicting(imagefs="20%")}, {"imagefs": ("20%", KUBELET_CONFIG)}, id="one file"),
        pytest.param(
            {KUBELET_CONFIG: evicting(imagefs="20%", nodefs="5%"), FIRST: evicting(nodefs="10Gi")},
            {"imagefs": ("20%", KUBELET_CONFIG), "nodefs": ("10Gi", FIRST)},
            id="a drop-in changes one of two",
        ),
        pytest.param(
            {KUBELET_CONFIG: evicting(imagefs="20%"), FIRST: evicting(imagefs="most")},
            {"imagefs": ("20%", KUBELET_CONFIG)},
            id="what is no threshold does not count",
        ),
    ],
)
def test_each_threshold_of_eviction_is_that_of_the_last_file_that_sets_it(
    host: Host, files: dict[str, str], found: dict[str, tuple[str, str]]
) -> None:
    for path, content in files.items():
        write(host, path, content)
    seen = {one.signal.split(".")[0]: (one.value, one.read_from) for one in kubelet_settings(host).evictions}
    assert seen == found


def test_one_value_that_is_wrong_leaves_the_other_of_its_file(host: Host) -> None:
    write(host, KUBELET_CONFIG, evicting(imagefs="most") + "imageGCHighThresholdPercent: 60\n")
    found = kubelet_settings(host)
    assert (found.gc.threshold, found.evictions) == (60, ())
    assert found.gc.problem.startswith(f"{KUBELET_CONFIG}: evictionHard, imagefs.available is most, not a percentage")


def test_both_directories_of_the_kubelet_keep_what_it_asks_for(host: Host) -> None:
    write(host, KUBELET_CONFIG, evicting(imagefs="40%", nodefs="50%"))
    (verdict,) = judge_space(host, [Need("images", "/var/lib/containers/storage", 1)], None)
    # Both lie on the one file system of this host; a half is exact as a float32, too.
    assert [one.value for one in verdict.evictions] == ["40%", "50%"]
    assert verdict.reserve == verdict.file_system.total // 2


@pytest.mark.parametrize("threshold", [70, 90])
def test_the_images_file_system_keeps_what_the_kubelet_asks_for(host: Host, threshold: int) -> None:
    write(host, KUBELET_CONFIG, setting(threshold))
    (verdict,) = judge_space(host, [Need("images", "/var/lib/containers/storage", 1)], None)
    total = verdict.file_system.total
    assert verdict.image_gc == ImageGc(threshold, KUBELET_CONFIG)
    assert verdict.reserve == max(ImageGc(threshold).reserve(total), total * 15 // 100)
