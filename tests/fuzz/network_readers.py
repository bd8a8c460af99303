# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What registries, proxies, update services and clients of relays send."""

from __future__ import annotations

import contextlib
import typing as t
from datetime import datetime, timezone

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.update_graph import parse_graph
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.answers import answer_of_response
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.helper_pods.exec_channel import exit_status
from ansible_collections.fieldops.openshift.plugins.module_utils._net.byte_ranges import (
    ByteRange,
    ContentRange,
    RangeMismatchError,
    plan_partial,
    unsatisfied_size,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._net.headers import Headers
from ansible_collections.fieldops.openshift.plugins.module_utils._net.no_proxy import parse_no_proxy
from ansible_collections.fieldops.openshift.plugins.module_utils._net.proxies import Proxy
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.auth_file import AuthFile
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.challenge import parse_challenges
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.token_answer import TokenAnswer
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.answers import Entity, plan_answer
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.image_paths import parse_image_path
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.request_head import (
    RefusedRequestError,
    parse_request_head,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._net.retry import parse_retry_after
from ansible_collections.fieldops.openshift.plugins.module_utils._net.urls import Url
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.registries_conf import RegistriesConf
from ansible_collections.fieldops.openshift.plugins.plugin_utils._site_contract import site_contract
from ansible_collections.fieldops.openshift.plugins.plugin_utils._site_values import ValueRefusalError, converted
from ansible_collections.fieldops.openshift.tests.fuzz.reader import Reader, as_text, seed

NOW = datetime(2026, 11, 21, 22, tzinfo=timezone.utc)
DIGEST = "sha256:" + "d" * 64
TOKEN = {"token": "a.e30.c", "expires_in": 300, "issued_at": "2026-11-21T22:00:00Z", "refresh_token": "r"}
GRAPH = {
    "version": 1,
    "nodes": [{"version": v, "payload": f"quay.io/a/b@{DIGEST}", "metadata": {}} for v in ("4.21.3", "4.21.5")],
    "edges": [[0, 1]],
    "conditionalEdges": [],
}
HEAD = b"GET /v2/a/b/blobs/" + DIGEST.encode() + b" HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer t\r\nRange: bytes=5-9"
REGISTRIES = b"""unqualified-search-registries = ["quay.io"]
[[registry]]
prefix = "*.example.com"
location = "quay.io/a"
blocked = false
[[registry.mirror]]
location = "mirror.example.com:5000/a"
pull-from-mirror = "digest-only"
"""
STATUS = {"kind": "Status", "apiVersion": "v1", "status": "Failure", "message": "m", "reason": "Conflict", "code": 409}
STATUS["details"] = {"name": "n", "causes": [{"reason": "FieldValueInvalid", "message": "m", "field": "f"}]}


def _token(content: bytes) -> object:
    return TokenAnswer.read(content, NOW)


def _challenges(content: bytes) -> object:
    return parse_challenges([content.decode("latin-1")])


def _retry_after(content: bytes) -> object:
    return parse_retry_after(content.decode("latin-1"), NOW)


def _partial(content: bytes) -> object:
    headers = Headers([("Content-Range", content.decode("latin-1"))])
    return ContentRange.parse(headers["Content-Range"]), unsatisfied_size(headers), _plan(headers)


def _plan(headers: Headers) -> object:
    return plan_partial(ByteRange(5), headers, 5, None)


def _graph(content: bytes) -> object:
    return parse_graph(content, on="channel")


def _request(content: bytes) -> object:
    head = parse_request_head(content, most_fields=32)
    answer = plan_answer(head, Entity(DIGEST, 10, "application/octet-stream", ((0, 7),)), retry_seconds=1)
    return head.token, parse_image_path(head.path), answer


def _auth_file(content: bytes) -> object:
    return AuthFile.parse(as_text(content), on="auth.json")


def _url(content: bytes) -> object:
    return Url.parse(as_text(content))


def _proxy(content: bytes) -> object:
    return Proxy.parse(as_text(content)), parse_no_proxy(as_text(content))


def _reference(content: bytes) -> object:
    return ImageReference.parse(as_text(content))


def _registries(content: bytes) -> object:
    return RegistriesConf.parse(as_text(content))


def _exit_status(content: bytes) -> object:
    return exit_status(content)


def _survey(content: bytes) -> object:
    """Read a text as surveys send it for one variable of each type that is a list or a mapping."""
    read = []
    for variable in SURVEYED:
        with contextlib.suppress(ValueRefusalError):
            read.append(converted(variable, as_text(content)))
    return read


def _api_answer(content: bytes) -> t.Any:
    return answer_of_response(409, content, {"Retry-After": "1"})


LOGINS = {"auths": {"quay.io/a": {"auth": "dTpw"}}, "credHelpers": {"x.example.com": "helper"}}
COMPOUND = [one for one in site_contract().variables.values() if one.type in ("list", "dict")]
SURVEYED = {(one.type, one.elements): one for one in COMPOUND}.values()
EXIT = {"status": "Failure", "details": {"causes": [{"reason": "ExitCode", "message": "3"}]}}
READERS = (
    Reader("exit_status", _exit_status, (seed(EXIT), seed({"status": "Success"}))),
    Reader("survey_answer", _survey, (b"[a, {b: 2026-02-03}]", b"{name: worker, since: 2026-11-27}", b"a, b c")),
    Reader("token_answer", _token, (seed(TOKEN),)),
    Reader("www_authenticate", _challenges, (b'Bearer realm="https://quay.io/v2/auth",service="quay.io", Basic',)),
    Reader("retry_after", _retry_after, (b"120", b"Sat, 21 Nov 2026 22:00:09 GMT")),
    Reader("content_range", _partial, (b"bytes 5-9/10",), (RangeMismatchError,)),
    Reader("update_graph", _graph, (seed(GRAPH),)),
    Reader("relay_request", _request, (HEAD,), (RefusedRequestError,)),
    Reader("auth_file", _auth_file, (seed(LOGINS),)),
    Reader("url", _url, (b"https://[::1]:5000/a/b?c=d",)),
    Reader("proxy", _proxy, (b"socks5h://user:word@proxy.example.com:1080",)),
    Reader("image_reference", _reference, (b"quay.io:443/a/b:1@" + DIGEST.encode(),)),
    Reader("registries_conf", _registries, (REGISTRIES,)),
    Reader("api_answer", _api_answer, (seed(STATUS),)),
)
