# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Alerts over a real connection to a server that answers as the monitoring does, or does not."""

from __future__ import annotations

import contextlib
import http.server
import json
import threading
import typing as t
from collections.abc import Iterator

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.do.read_alerts import (
    fetch_alert_findings,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.finding import Finding
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._net.http_client import HttpClient
from ansible_collections.fieldops.openshift.plugins.module_utils._net.retry import RetryPolicy
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline

TOKEN = "Bearer sha256~monitoring"
FIRING = {"labels": {"alertname": "etcdNoLeader", "severity": "critical"}, "state": "firing"}


@contextlib.contextmanager
def monitoring(status: int, body: bytes) -> Iterator[str]:
    """Serve one answer to whoever has the token."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            known = self.headers["Authorization"] == TOKEN and self.path == "/api/v1/alerts"
            self.send_response(status if known else 403)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_words: t.Any) -> None:
            """Say nothing."""

    with http.server.HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def fetch(base: str, token: str = TOKEN) -> Finding:
    clock = SystemClock()
    with HttpClient(clock, retry=RetryPolicy(attempts=1)) as client:
        (found,) = fetch_alert_findings(client, base, token, Deadline(20, clock))
    return found


def test_alerts_that_fire_are_findings() -> None:
    with monitoring(200, json.dumps({"status": "success", "data": {"alerts": [FIRING]}}).encode()) as base:
        found = fetch(base)
    assert (found.severity, found.name) == ("fault", "etcdNoLeader")


@pytest.mark.parametrize(
    ("status", "body", "seen"),
    [
        (503, b"", "answered with status 503"),
        (200, b"<html>", "not a list of alerts"),
        (200, b"[]", "not a list of alerts"),
        (200, b'{"data": {"alerts": "all"}}', "not a list of alerts"),
        (200, b'{"data": {"alerts": [7]}}', "not a list of alerts"),
    ],
)
def test_a_monitoring_that_is_not_well_is_told_and_no_fault(status: int, body: bytes, seen: str) -> None:
    with monitoring(status, body) as base:
        found = fetch(base)
    assert (found.severity, found.code) == ("notice", "alerts_unread")
    assert seen in found.seen


def test_a_token_without_rights_is_told() -> None:
    with monitoring(200, b"{}") as base:
        assert "status 403" in fetch(base, "Bearer other").seen


def test_a_monitoring_that_is_away_is_told() -> None:
    with monitoring(200, b"{}") as base:
        gone = base
    assert fetch(gone).code == "alerts_unread"
