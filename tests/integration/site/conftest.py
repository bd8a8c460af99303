# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""One small site for all tests of the main job: they run in their order, each from where the one before ended."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ansible_collections.fieldops.openshift.tests.demo.stage import Stage


@pytest.fixture(scope="module")
def stage() -> Iterator[Stage]:
    with Stage(control_plane=1, workers=1) as stage:
        yield stage
