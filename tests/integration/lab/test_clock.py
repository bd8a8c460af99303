# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The clock of the API, of hosts and of plays moves together, and nothing else does."""

from __future__ import annotations

import email.utils
import json
import os
import ssl
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.lab.waiting import wait_for
from ansible_collections.fieldops.openshift.tests.lab.errors import LabApiError
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
from ansible_collections.fieldops.openshift.tests.lab.node.images import pause_image
from ansible_collections.fieldops.openshift.tests.lab.rest import RestClient
from ansible_collections.fieldops.openshift.tests.lab.seed import workloads

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="node hosts need root")
ANSIBLE = Path(sys.executable).with_name("ansible")
LEASES = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases"
MOMENTS = [
    pytest.param("2027-03-14T01:59:00Z", id="next year"),
    pytest.param("2055-07-01T12:00:00+02:00", id="decades ahead"),
    pytest.param("1999-12-31T23:59:58Z", id="decades back"),
]
TOLERANCE = timedelta(seconds=2)  # Date and creationTimestamp have whole seconds


@pytest.fixture(scope="module")
def own_lab() -> Iterator[Lab]:
    with Lab(control_plane=1, workers=0) as lab:
        yield lab


@pytest.fixture
def moving(own_lab: Lab) -> Iterator[Lab]:
    yield own_lab
    own_lab.clock.reset()


def test_until_it_is_moved_it_is_the_machines_clock(own_lab: Lab) -> None:
    assert own_lab.clock.offset == 0
    assert abs(api_date(own_lab).timestamp() - time.time()) < TOLERANCE.total_seconds()
    if not own_lab.clock.is_moved:
        assert own_lab.hosts["master-0"].run("ls", "/etc/ld.so.preload", check=False) == ""


@pytest.mark.parametrize("moment", MOMENTS)
def test_api_objects_hosts_and_plays_agree_before_and_after_a_move(moving: Lab, moment: str) -> None:
    agree(moving)
    moving.clock.set(moment)
    assert abs(moving.clock.now() - instant(moment)) < TOLERANCE
    agree(moving)


def test_a_kubelets_lease_is_renewed_at_the_labs_time(moving: Lab) -> None:
    moving.clock.set("2031-05-05T05:05:05Z")
    limit = moving.clock.now() - TOLERANCE
    moving.hosts["master-0"].run("systemctl", "restart", "kubelet")  # which renews at its start, else every ten seconds
    wait_for(lambda: instant(moving.api.rest.get(f"{LEASES}/master-0")["spec"]["renewTime"]) > limit)


def test_monotonic_time_does_not_move(moving: Lab) -> None:
    script = "import time; print(time.monotonic(), flush=True); input(); print(time.monotonic(), time.time())"
    environment = {**os.environ, **moving.clock.environment}
    play = subprocess.Popen(
        [sys.executable, "-c", script], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert play.stdout
    before = float(play.stdout.readline())
    moving.clock.advance(86400)
    answer, _errors = play.communicate("\n", timeout=10)
    after, wall = map(float, answer.split())
    assert 0 < after - before < 10
    assert wall - time.time() > 86400 - 10


def test_a_token_expires_by_the_labs_clock_and_a_new_one_is_given(moving: Lab) -> None:
    first, second = (moving.api.token_of_service_account("default", "default") for _again in range(2))
    assert who_is(moving, first) == "system:serviceaccount:default:default"
    moving.clock.advance(7200)
    assert who_is(moving, second) == ""  # the API server remembers one that it has seen for ten seconds
    assert who_is(moving, moving.api.token_of_service_account("default", "default"))


@pytest.mark.parametrize("days", [400, -400])
def test_controllers_and_kubelet_go_on_over_a_jump(moving: Lab, days: int) -> None:
    rest, name = moving.api.rest, f"jump{days}"
    moving.clock.advance(days * 86400)
    rest.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
    wait_for(lambda: rest.exists(f"/api/v1/namespaces/{name}/serviceaccounts/default"))
    wait_for(lambda: rest.exists(f"/api/v1/namespaces/{name}/configmaps/kube-root-ca.crt"))
    rest.apply(workloads.pod("jumper", pause_image().name, namespace=name, node="master-0"))
    wait_for(lambda: rest.get(f"/api/v1/namespaces/{name}/pods/jumper")["status"]["phase"] == "Running", 30)
    moving.wait_ready(["master-0"])


def test_an_api_server_that_starts_at_another_time_outlives_the_way_back(moving: Lab) -> None:
    moving.clock.set("2049-01-01T00:00:00Z")
    with moving.faults.stopped_api():
        pass
    moving.clock.reset()
    agree(moving)


def agree(lab: Lab) -> None:
    """Require one time of the API's answers, of its objects, of a play, and of a program on a host."""
    earliest = lab.clock.now() - TOLERANCE
    body = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"generateName": "agree-"}}
    created = lab.api.rest.create("/api/v1/namespaces", body)["metadata"]["creationTimestamp"]
    seen = {
        "Date": api_date(lab),
        "creationTimestamp": instant(created),
        "host": instant(lab.hosts["master-0"].run("date", "--utc", "+%FT%TZ").strip()),
        "play": play_date(lab),
    }
    latest = lab.clock.now() + TOLERANCE
    assert {name: moment for name, moment in seen.items() if not earliest < moment < latest} == {}


def api_date(lab: Lab) -> datetime:
    tls = ssl.create_default_context(cafile=str(lab.api.ca_file))
    with urllib.request.urlopen(f"{lab.api.url}/version", context=tls, timeout=10) as answer:  # noqa: S310
        return email.utils.parsedate_to_datetime(answer.headers["Date"])


def play_date(lab: Lab) -> datetime:
    """Return the fact ``ansible_date_time`` of localhost."""
    command = [str(ANSIBLE), "localhost", "-m", "ansible.builtin.setup", "-a", "gather_subset=!all,!min,date_time"]
    environment = {**os.environ, **lab.clock.environment, "ANSIBLE_PYTHON_INTERPRETER": sys.executable}
    environment |= {"ANSIBLE_CALLBACK_RESULT_FORMAT": "json", "ANSIBLE_LOCALHOST_WARNING": "false"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=60)
    facts = json.loads(done.stdout[done.stdout.index("{") :])["ansible_facts"]
    return instant(facts["ansible_date_time"]["iso8601"])


def who_is(lab: Lab, token: str) -> str:
    """Return the user that the API takes the bearer of a token for; nothing if it refuses it."""
    body = {"apiVersion": "authentication.k8s.io/v1", "kind": "SelfSubjectReview"}
    try:
        with RestClient(lab.api.url, lab.api.ca_file, token) as client:
            review = client.create("/apis/authentication.k8s.io/v1/selfsubjectreviews", body)
    except LabApiError as error:
        if error.status != 401:
            raise
        return ""
    return str(review["status"]["userInfo"]["username"])


def instant(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00"))
