# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import typing as t
from datetime import datetime, timezone

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.ending_certificates import (
    ending_certificates,
)

NOW = datetime(2026, 11, 21, 12, tzinfo=timezone.utc)


def config(*ends: str | None) -> dict[str, t.Any]:
    listed = [
        {"bundleFile": "KubeAPIServerServingCAData", "subject": f"CN=ca-{n}", "signer": "CN=signer", "notAfter": end}
        for n, end in enumerate(ends)
    ]
    return {"status": {"controllerCertificates": listed}}


@pytest.mark.parametrize(
    ("found", "days"),
    [
        pytest.param(config("2026-12-01T12:00:00Z"), [10.0], id="soon"),
        pytest.param(config("2026-12-21T12:00:00Z"), [30.0], id="just so soon"),
        pytest.param(config("2026-12-21T12:00:01Z"), [], id="later"),
        pytest.param(config("2026-12-01T12:00:00Z", "2026-11-20T12:00:00Z"), [-1.0, 10.0], id="one has ended"),
        pytest.param(config(None, "next year"), [], id="no times"),
        pytest.param({"status": {}}, [], id="a release that does not tell"),
        pytest.param(None, [], id="no operator"),
    ],
)
def test_what_ends_soon(found: dict[str, t.Any] | None, days: list[float]) -> None:
    assert [one.days for one in ending_certificates(found, NOW, 30)] == days
