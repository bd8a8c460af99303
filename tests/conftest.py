# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The lab as fixtures: one API server per run (per worker of pytest-xdist), a fresh namespace per test."""

from __future__ import annotations

import sys
import typing as t
import uuid

import pytest

if t.TYPE_CHECKING:
    from collections.abc import Iterator

    from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer

if sys.version_info < (3, 10):  # the lab is the controller's side
    collect_ignore = ["lab", "unit/lab"]


@pytest.fixture(scope="session")
def api_server() -> Iterator[ApiServer]:
    """A real API server with OpenShift's definitions and two users besides the administrator, without rights."""
    from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer

    users = {"technician": ["fieldops:technicians"], "observer": ["fieldops:observers"]}
    with ApiServer.start_openshift(users=users) as server:
        yield server


@pytest.fixture
def namespace(api_server: ApiServer) -> Iterator[str]:
    """The name of a fresh namespace; deleted afterwards, without waiting."""
    name = f"test-{uuid.uuid4().hex[:8]}"
    account = {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "default", "namespace": name}}
    api_server.rest.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
    api_server.rest.apply(account)
    yield name
    api_server.rest.delete(f"/api/v1/namespaces/{name}")
