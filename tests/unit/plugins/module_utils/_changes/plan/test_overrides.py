# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.overrides import Override

NOON = 43200


@pytest.mark.parametrize(
    ("start", "until", "holds"),
    [
        pytest.param(None, None, True, id="without start and end"),
        pytest.param(NOON, None, True, id="from now on"),
        pytest.param(NOON + 1, None, False, id="from the next second on"),
        pytest.param(None, NOON, False, id="until now"),
        pytest.param(None, NOON + 1, True, id="until the next second"),
        pytest.param(NOON + 1, NOON + 2, False, id="later"),
        pytest.param(NOON - 2, NOON - 1, False, id="earlier"),
    ],
)
def test_when_an_override_is_in_force(start: int | None, until: int | None, holds: bool) -> None:
    override = Override(permitted=False, until=until, by="me", reason="a storm", start=start)
    assert override.holds(NOON) is holds
