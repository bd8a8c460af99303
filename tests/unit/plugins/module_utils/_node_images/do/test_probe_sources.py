# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which sources answer from here, asked as staging will ask them."""

from __future__ import annotations

import contextlib
import socket
import typing as t
from collections.abc import Iterator

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.blob_sources import (
    FolderSource,
    RelaySource,
    RelaySourceSpec,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.probe_sources import (
    answering_first,
    sources_report,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._bundle_files.blob_server import (
    BlobServer,
)
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._bundle_files.medium import Medium


@pytest.fixture
def silent() -> Iterator[str]:
    """A server that takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"


@pytest.fixture
def closed() -> str:
    """The URL of a port on which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return f"http://127.0.0.1:{listening.getsockname()[1]}"


def report(medium: Medium, *urls: str, digest: str = "", seconds: float = 0.6) -> list[dict[str, t.Any]]:
    sources = [{"url": url, "ca": "", "token": ""} for url in urls]
    params = {"index_digest": digest or str(medium.index.digest), "sources": sources}
    return sources_report(params, SystemClock(), seconds)


def test_those_that_answer_are_told_from_those_that_do_not(
    medium: Medium, server: BlobServer, silent: str, closed: str
) -> None:
    found = report(medium, closed, server.url, silent)
    assert [(one["url"], one["answers"]) for one in found] == [(closed, False), (server.url, True), (silent, False)]
    assert [bool(one["reason"]) for one in found] == [True, False, True]


def test_one_that_has_no_index_yet_is_reached_all_the_same(medium: Medium, server: BlobServer) -> None:
    server.status["index.json"] = 503
    assert report(medium, server.url)[0]["answers"] is True


@pytest.mark.parametrize("status", [401, 403, 404, 500])
def test_one_that_refuses_is_none(medium: Medium, server: BlobServer, status: int) -> None:
    server.status["index.json"] = status
    (found,) = report(medium, server.url)
    assert (found["answers"], str(status) in found["reason"]) == (False, True)


def test_one_with_another_bundle_is_none(medium: Medium, server: BlobServer) -> None:
    (found,) = report(medium, server.url, digest=f"sha256:{'0' * 64}")
    assert found["answers"] is False


def test_a_url_that_is_none_is_refused(medium: Medium) -> None:
    with pytest.raises(InvalidInputError):
        report(medium, "ftp://192.0.2.1/bundle")


def test_those_that_answer_are_asked_before_the_others(medium: Medium, server: BlobServer, closed: str) -> None:
    clock = SystemClock()
    absent = FolderSource(medium.folder / "elsewhere")
    unreached, reached = (RelaySource(RelaySourceSpec(url), clock) for url in (closed, server.url))
    local = FolderSource(medium.folder)
    with contextlib.closing(unreached), contextlib.closing(reached):
        found = answering_first([absent, unreached, reached, local], medium.index.digest, clock)
    assert found == [reached, local, absent, unreached]
