# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A ConfigMap that others change at the same time is read and written again, and not forever."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.answers import Answer
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.api_error import ApiError
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.calls import Call
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.own_config_map import change_config_map
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import CONFIG_MAP

Json = dict[str, t.Any]
KEPT: Json = {"metadata": {"resourceVersion": "7"}, "data": {"number": "1"}}


class Server:
    """A cluster with one ConfigMap or none, which answers writes with these statuses and then takes them."""

    def __init__(self, found: Json | None, statuses: list[int]) -> None:
        self._found, self._statuses = found, statuses
        self.written: list[tuple[str, str]] = []

    def get(self, *_name: t.Any) -> Json | None:
        return self._found

    def create(self, _kind: t.Any, _body: Json) -> Json:
        return self._write("create", "")

    def patch(self, *_named: t.Any, resource_version: str) -> Json:
        return self._write("patch", resource_version)

    def _write(self, verb: str, version: str) -> Json:
        self.written.append((verb, version))
        if self._statuses:
            answer = Answer(status=self._statuses.pop(0), reason="", message="")
            raise ApiError(Call(verb, CONFIG_MAP, "site-runs"), answer, server="https://api.example")
        return {}


def changed(server: Server, body: Json | None) -> str:
    client: t.Any = server
    return change_config_map(
        client, "site-runs", lambda _found: (body, "told"), attempted="record it", error=FieldOpsError
    )


CASES: dict[str, tuple[Json | None, list[int], Json | None, list[tuple[str, str]]]] = {
    "nothing to change": (KEPT, [], None, []),
    "the first of its name": (None, [], KEPT, [("create", "")]),
    "one that is there": (KEPT, [], KEPT, [("patch", "7")]),
    "others were faster": (KEPT, [409, 409], KEPT, [("patch", "7")] * 3),
    "others created it": (None, [409], KEPT, [("create", "")] * 2),
}


@pytest.mark.parametrize(("found", "statuses", "body", "written"), CASES.values(), ids=CASES)
def test_a_change(found: Json | None, statuses: list[int], body: Json | None, written: list[tuple[str, str]]) -> None:
    server = Server(found, statuses)
    assert changed(server, body) == "told"
    assert server.written == written


def test_others_that_never_stop_are_an_error() -> None:
    with pytest.raises(FieldOpsError, match="Could not record it") as refused:
        changed(Server(KEPT, [409] * 100), KEPT)
    assert refused.value.seen == "another client changed it 8 times in a row"
    assert refused.value.transient


def test_a_refusal_is_not_tried_again() -> None:
    server = Server(KEPT, [403])
    with pytest.raises(ApiError):
        changed(server, KEPT)
    assert len(server.written) == 1
