# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.installed_operator import (
    InstalledOperator,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.subscribed_channels import (
    channel_warnings,
)

REPORT = [{"package": "odf", "channel": "stable-4.19"}, {"package": "odf", "channel": "stable-4.20"}]


@pytest.mark.parametrize(
    ("package", "channel", "told"),
    [
        pytest.param("odf", "stable-4.20", [], id="included"),
        pytest.param("odf", "", [], id="not known"),
        pytest.param("acm", "release-2.1", [], id="a package that does not travel"),
        pytest.param(
            "odf",
            "stable-4.18",
            [
                "the site subscribes to the channel stable-4.18 of odf, which is not included: change the subscription "
                "to stable-4.19 or stable-4.20"
            ],
            id="not included",
        ),
    ],
)
def test_channels_of_subscriptions_that_do_not_travel_are_told(package: str, channel: str, told: list[str]) -> None:
    assert channel_warnings(REPORT, [InstalledOperator(package, "1.0.0", channel=channel)]) == told
