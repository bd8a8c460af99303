# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""One API server and one bundle for the phases of an update on a site without hosts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.node_images.bundles import WrittenBundle
from ansible_collections.fieldops.openshift.tests.integration.site_phases.phase_site import PhaseSite
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer

MakeSite = Callable[[int, int], PhaseSite]


@pytest.fixture(scope="session")
def server() -> Iterator[ApiServer]:
    with ApiServer.start_openshift() as started:
        yield started


@pytest.fixture
def make_site(server: ApiServer, bundle: WrittenBundle, tmp_path: Path) -> MakeSite:
    """Make a site of so many nodes of the control plane and so many workers, in place of the one before."""

    def make(control_plane: int, workers: int) -> PhaseSite:
        return PhaseSite(server, bundle, tmp_path, control_plane=control_plane, workers=workers)

    return make
