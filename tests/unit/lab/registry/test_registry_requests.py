# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.tests.lab.registry.access_log import RegistryRequest

START = '198.51.100.11 - - [21/Nov/2026:04:24:57 +0000] "'
DIGEST = "sha256:" + "0" * 64


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        pytest.param(
            f'{START}GET /v2/a/b/blobs/{DIGEST} HTTP/1.1" 206 17 "" "skopeo/1.9.3"',
            ("GET", 206, 17, "a/b", "blobs", DIGEST),
            id="part of a blob",
        ),
        pytest.param(
            f'{START}HEAD /v2/blobs/manifests/manifests/4.21.3-x86_64 HTTP/2.0" 200 0 "" "x"',
            ("HEAD", 200, 0, "blobs/manifests", "manifests", "4.21.3-x86_64"),
            id="repository named like an endpoint",
        ),
        pytest.param(
            f'{START}GET /v2/a/tags/list?n=50 HTTP/1.1" 404 111 "" "x"',
            ("GET", 404, 111, "a", "tags", "list"),
            id="list of tags",
        ),
        pytest.param(
            f'{START}GET /v2/a/b/blobs/{DIGEST} HTTP/1.1" 302 45 "" "x"',
            ("GET", 302, 45, "a/b", "redirects", DIGEST),
            id="blob that is elsewhere",
        ),
        pytest.param(
            f'{START}GET /storage/sha256/00/{DIGEST[7:]}?x=9&namespace=a&repo_name=b%2Fc HTTP/1.1" 200 7 "" "x"',
            ("GET", 200, 7, "a/b/c", "blobs", DIGEST),
            id="blob from elsewhere",
        ),
        pytest.param(
            f'{START}GET /v2/auth?service=h&scope=repository:a/b:pull HTTP/1.1" 200 900 "" "x"',
            ("GET", 200, 900, "", "tokens", ""),
            id="token",
        ),
        pytest.param(
            f'{START}GET /v2/a/referrers/{DIGEST}?artifactType=x HTTP/1.1" 200 80 "" "x"',
            ("GET", 200, 80, "a", "referrers", DIGEST),
            id="referrers",
        ),
        pytest.param(f'{START}GET /v2/ HTTP/1.1" 401 87 "" ""', ("GET", 401, 87, "", "", ""), id="no resource"),
    ],
)
def test_lines_of_the_access_log_are_read(line: str, expected: tuple[str, int, int, str, str, str]) -> None:
    request = RegistryRequest.parse(line)
    assert request
    assert request.client == "198.51.100.11"
    found = (request.method, request.status, request.size, request.repository, request.kind, request.name)
    assert found == expected


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("", id="empty"),
        pytest.param('time="2026-11-21T04:24:57Z" level=error msg="GET /v2/ HTTP/1.1"', id="line of the program"),
        pytest.param(f'{START}GET /v2/ HTTP/1.1" 200', id="half a line"),
    ],
)
def test_other_lines_are_passed_over(line: str) -> None:
    assert RegistryRequest.parse(line) is None
