# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""When a bundle is older than a cluster, and what the cluster remembers."""

from __future__ import annotations

import json
import typing as t
from dataclasses import replace

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import AcceptedBundlesError
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.trust.accepted_document import (
    accepted_bundles,
    accepted_config_map,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.trust.freshness import (
    MOST_BUNDLES,
    AcceptedBundle,
    RunningRelease,
    highest_serial,
    reasons_against,
    with_bundle,
)


def bundle(version: str, serial: int | None, digest: str = "a", **more: t.Any) -> AcceptedBundle:
    return replace(AcceptedBundle(f"sha256:{digest * 64}", version, "x86_64", serial, None), **more)


LAST = bundle("4.20.1", 200, "b", accepted="2026-11-21T22:01:07Z")
ALLOWED = bundle("4.19.9", 100, "c", older=True)
AT = RunningRelease("4.20.1", "4.20.1")
ON_THE_WAY = RunningRelease("4.20.1", "4.21.0")
SEEN = f"the cluster accepted {LAST.index_digest} with the serial 200 at {LAST.accepted}"


@pytest.mark.parametrize(
    ("wanted", "known", "running", "reasons"),
    [
        pytest.param(bundle("4.20.1", 200), [], RunningRelease(), [], id="the first, of a cluster unknown"),
        pytest.param(bundle("4.21.0", 201), [LAST], AT, [], id="newer"),
        pytest.param(bundle("4.20.1", 201), [LAST], AT, [], id="newer, of the running release"),
        pytest.param(bundle("4.20.1", 200), [LAST], AT, [], id="as old as the last one"),
        pytest.param(LAST, [LAST], AT, [], id="the last one again"),
        pytest.param(bundle("4.21.0", 201), [LAST], ON_THE_WAY, [], id="that to which the cluster is on its way"),
        pytest.param(
            bundle("4.19.9", 201),
            [LAST],
            AT,
            ["it is of version 4.19.9 and the cluster runs 4.20.1"],
            id="older release",
        ),
        pytest.param(
            bundle("4.20.1-rc.2", 201),
            [LAST],
            AT,
            ["it is of version 4.20.1-rc.2 and the cluster runs 4.20.1"],
            id="candidate of the running release",
        ),
        pytest.param(
            bundle("4.20.5", 201),
            [LAST],
            ON_THE_WAY,
            ["it is of version 4.20.5 and the cluster is being updated to 4.21.0"],
            id="between the running release and the desired one",
        ),
        pytest.param(bundle("4.20.2", 199), [LAST], AT, [f"its serial is 199 and {SEEN}"], id="lower serial"),
        pytest.param(bundle("4.20.2", None), [LAST], AT, [f"it has no serial and {SEEN}"], id="no serial any more"),
        pytest.param(bundle("4.20.2", None), [], AT, [], id="no serial, and none was seen"),
        pytest.param(
            bundle("4.20.2", 199),
            [replace(LAST, architecture="aarch64")],
            AT,
            [],
            id="lower than the serial of another architecture",
        ),
        pytest.param(
            bundle("4.19.9", 199),
            [LAST],
            AT,
            ["it is of version 4.19.9 and the cluster runs 4.20.1", f"its serial is 199 and {SEEN}"],
            id="older in both",
        ),
        pytest.param(ALLOWED, [LAST, ALLOWED], AT, [], id="older, and allowed the last time"),
        pytest.param(
            replace(ALLOWED, older=False),
            [ALLOWED, LAST],
            AT,
            ["it is of version 4.19.9 and the cluster runs 4.20.1", f"its serial is 100 and {SEEN}"],
            id="older, and allowed before another was accepted",
        ),
        pytest.param(
            bundle("4..", 201),
            [LAST],
            AT,
            ["its version '4..' cannot be compared with '4.20.1' of the cluster"],
            id="noise",
        ),
    ],
)
def test_older_is_what_the_cluster_has_left_behind(
    wanted: AcceptedBundle, known: list[AcceptedBundle], running: RunningRelease, reasons: list[str]
) -> None:
    assert list(reasons_against(wanted, known, running)) == reasons


def test_the_newest_completed_release_and_the_desired_one_are_compared_with() -> None:
    history = [
        {"state": "Partial", "version": "4.21.0"},
        {"state": "Completed", "version": "4.20.1"},
        {"state": "Completed", "version": "4.19.9"},
    ]
    cluster = {"status": {"history": history, "desired": {"version": "4.21.0"}}}
    assert RunningRelease.of(cluster) == ON_THE_WAY
    assert RunningRelease.of(None) == RunningRelease()
    assert RunningRelease.of({"status": {"history": None, "desired": None}}) == RunningRelease()


def test_the_record_is_short_and_forgets_no_highest_serial() -> None:
    known: tuple[AcceptedBundle, ...] = (replace(LAST, architecture="aarch64"), LAST)
    for number in range(3 * MOST_BUNDLES):
        known = with_bundle(known, bundle("4.20.1", number, older=True))
    assert len(known) == MOST_BUNDLES + 2
    assert highest_serial(known, "x86_64") == LAST
    assert highest_serial(known, "aarch64") == replace(LAST, architecture="aarch64")
    assert [one.serial for one in known[2:]] == list(range(2 * MOST_BUNDLES, 3 * MOST_BUNDLES))


def test_what_is_stored_is_read_again() -> None:
    assert accepted_bundles(accepted_config_map([LAST, ALLOWED])) == (LAST, ALLOWED)
    assert accepted_bundles(None) == ()


@pytest.mark.parametrize(
    ("data", "said"),
    [
        pytest.param(None, "schemaVersion is 'None'", id="no data"),
        pytest.param({"schemaVersion": "2", "bundles": "[]"}, "schemaVersion is '2'", id="another format"),
        pytest.param({"schemaVersion": "1"}, "is not JSON", id="no list"),
        pytest.param({"schemaVersion": "1", "bundles": "{}"}, "is not a list", id="another shape"),
        pytest.param({"schemaVersion": "1", "bundles": "[" * 100000}, "is not JSON", id="too deep"),
        pytest.param(
            {"schemaVersion": "1", "bundles": "[{}]"}, "entry 0 does not have exactly the fields", id="no fields"
        ),
        pytest.param({"serial": "9"}, "serial of entry 0 is '9'", id="serial as text"),
        pytest.param({"serial": True}, "serial of entry 0 is 'True'", id="serial as truth"),
        pytest.param({"older": 1}, "older of entry 0 is '1'", id="number as truth"),
        pytest.param({"index_digest": "sha256:00"}, "entry 0:", id="no digest"),
        pytest.param({"architecture": "vax"}, "entry 0:", id="no architecture"),
        pytest.param({"more": 1}, "entry 0 does not have exactly the fields", id="unknown field"),
    ],
)
def test_a_damaged_record_is_refused(data: dict[str, t.Any] | None, said: str) -> None:
    is_entry = data is not None and "schemaVersion" not in data
    text = json.dumps([{**LAST.as_data(), **(data or {})}])
    stored = {"data": {"schemaVersion": "1", "bundles": text} if is_entry else data}
    with pytest.raises(AcceptedBundlesError, match="accepted-bundles") as caught:
        accepted_bundles(stored)
    assert said in caught.value.seen
