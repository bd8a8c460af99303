# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Where the control plane runs on the hosts, the API lives and dies with them."""

from __future__ import annotations

import http.client
import os
import time
import typing as t

import pytest

from ansible_collections.fieldops.openshift.tests.lab.errors import LabApiError
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
from ansible_collections.fieldops.openshift.tests.lab.rest import RestClient

if t.TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="node hosts need root")
GONE = (OSError, http.client.HTTPException, LabApiError)


@pytest.fixture(scope="module")
def three() -> Iterator[Lab]:
    with Lab(control_plane=3, workers=0, hosted=True) as lab:
        yield lab


def test_the_api_of_a_single_node_goes_away_with_it_and_comes_back() -> None:
    with Lab(control_plane=1, workers=0, hosted=True) as lab:
        lab.reboot("master-0")
        assert not answers(lab.api.rest)
        lab.wait_ready(["master-0"])
        assert lab.api.rest.exists("/apis/config.openshift.io/v1/clusterversions/version")


def test_one_host_without_power_does_not_stop_writes(three: Lab) -> None:
    host = three.hosts["master-0"]
    host.lose_power()
    wait_for(lambda: is_written(three.api.rest, "during"))
    host.power_on()
    three.wait_ready(["master-0"])
    assert three.api.rest.exists("/api/v1/namespaces/during")


def test_without_a_quorum_nothing_is_written_until_it_is_back(three: Lab) -> None:
    for name in ("master-1", "master-2"):
        three.hosts[name].lose_power()
    with RestClient(three.api.url, three.api.ca_file, three.api.admin_token, timeout=3) as impatient:
        assert not is_written(impatient, "never")
    for name in ("master-1", "master-2"):
        three.hosts[name].power_on()
    three.wait_ready(three.hosts)
    wait_for(lambda: is_written(three.api.rest, "after"))


def answers(client: RestClient) -> bool:
    try:
        client.get("/readyz")
    except GONE:
        return False
    return True


def is_written(client: RestClient, name: str) -> bool:
    client.close()
    try:
        client.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
    except GONE:
        return False
    return True


def wait_for(true: Callable[[], bool], seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "it did not come true in time"
        time.sleep(0.1)
