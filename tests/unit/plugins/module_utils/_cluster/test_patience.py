# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A look of several requests waits for an API that is away for as long as its client does: ``api_patience``."""

from __future__ import annotations

import typing as t
from collections.abc import Callable

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.asker import who_asks
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.read_site import GuardCheck, read_site
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.answers import Answer
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.api_error import ApiError
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.outages import REFUSED
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.do.read_health import read_health
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.do.read_update import read_observation

PATIENCE, LAST_PAUSE = 180, 5
AWAY = Answer(None, reason=REFUSED, transient=True)


class _Away:
    """Answers nothing."""

    def send(self, _call: t.Any, *, at_most: float) -> Answer:
        assert at_most > 0
        return AWAY


@pytest.mark.parametrize(
    "look",
    [
        pytest.param(read_observation, id="update"),
        pytest.param(lambda client: read_health(client, {}), id="health"),
        pytest.param(lambda client: read_site(client, GuardCheck()), id="change management"),
        pytest.param(who_asks, id="who asks"),
    ],
)
def test_a_look_is_as_patient_as_its_client(look: Callable[[ClusterClient], object], clock: t.Any) -> None:
    client = ClusterClient(_Access(), clock, patience=PATIENCE)  # type: ignore[arg-type]
    client.transport = _Away()  # type: ignore[assignment]
    with pytest.raises(ApiError, match=REFUSED):
        look(client)
    assert PATIENCE - LAST_PAUSE <= clock.elapsed <= PATIENCE


class _Access:
    server = "https://api.site.example:6443"
