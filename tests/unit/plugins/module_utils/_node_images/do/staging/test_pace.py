# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""How much of a disk a job may take, by the options of its module."""

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.io_limits import IoLimits
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staging.pace import STORAGE, Pace
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError


@pytest.mark.parametrize(
    ("params", "pace"),
    [
        ({}, Pace(0.0, IoLimits(STORAGE))),
        ({"etcd_fsync_limit": 50}, Pace(0.05, IoLimits(STORAGE))),
        ({"etcd_fsync_limit": 0, "read_bandwidth": 3, "write_bandwidth": 4}, Pace(0.0, IoLimits(STORAGE, 3, 4))),
    ],
    ids=str,
)
def test_options_are_a_pace(params: dict[str, int], pace: Pace) -> None:
    assert Pace.of(params) == pace


@pytest.mark.parametrize("name", ["etcd_fsync_limit", "read_bandwidth", "write_bandwidth"])
def test_a_limit_below_zero_is_refused(name: str) -> None:
    with pytest.raises(InvalidInputError, match=f"{name}: it is -1"):
        Pace.of({name: -1})
