# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Releases for all scenarios, and one cluster for each."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.cluster_update.updates import NEXT
from ansible_collections.fieldops.openshift.tests.integration.site_scenarios.operated_site import (
    OperatedSite,
    Stock,
    operated_site,
)
from ansible_collections.fieldops.openshift.tests.lab.registry.release_signer import ReleaseSigner

Operate = Callable[..., OperatedSite]


@pytest.fixture(scope="session")
def stock(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stock]:
    folder = tmp_path_factory.mktemp("stock")
    with ReleaseSigner(folder / "signatures") as signer:
        yield Stock(folder, signer)


@pytest.fixture
def operate(stock: Stock, tmp_path: Path) -> Iterator[Operate]:
    """Start a site of so many nodes of the control plane and so many workers."""
    with contextlib.ExitStack() as running:

        def start(control_plane: int, workers: int, version: str = NEXT, **options: bool) -> OperatedSite:
            return running.enter_context(operated_site(stock, tmp_path, control_plane, workers, version, **options))

        yield start
