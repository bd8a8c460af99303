# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which boot images a release lists: those of its default stream, or of the streams that are named."""

from __future__ import annotations

import json
import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import PayloadError
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.boot_artifacts import listed_artifacts
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.architecture import Architecture

MACHINE = Architecture.parse("amd64")


def stream(release: str, digit: str) -> dict[str, t.Any]:
    location = f"https://mirror.example/rhcos-{release}-vmware.x86_64.ova"
    ova = {"ova": {"disk": {"location": location, "sha256": digit * 64}}}
    return {"architectures": {"x86_64": {"artifacts": {"vmware": {"release": release, "formats": ova}}}}}


OLD, NEW = stream("9.8.20260428-0", "9"), stream("10.2.20260715-0", "a")
CONFIG_MAP = {"data": {"stream": json.dumps(OLD), "streams": json.dumps({"rhel-9": OLD, "rhel-10": NEW})}}


@pytest.mark.parametrize(
    ("streams", "releases"),
    [
        ((), ["9.8.20260428-0"]),
        (("rhel-10",), ["10.2.20260715-0"]),
        (("rhel-10", "rhel-9"), ["10.2.20260715-0", "9.8.20260428-0"]),
        (("rhel-9", "rhel-9"), ["9.8.20260428-0"]),
    ],
)
def test_what_is_listed(streams: tuple[str, ...], releases: list[str]) -> None:
    found = listed_artifacts(CONFIG_MAP, MACHINE, "vmware", streams, on="the release")
    assert [one.release for one in found] == releases


@pytest.mark.parametrize(
    ("config_map", "seen"),
    [
        (CONFIG_MAP, "rhel-11 is missing"),
        ({"data": {"stream": json.dumps(OLD)}}, "streams is missing"),
    ],
    ids=["another stream", "a release that lists none by name"],
)
def test_a_stream_that_is_not_listed_is_refused(config_map: object, seen: str) -> None:
    with pytest.raises(PayloadError, match=seen):
        listed_artifacts(config_map, MACHINE, "vmware", ("rhel-11",), on="the release")
