# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._net.own_address import (
    NoRouteError,
    own_address_towards,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError


@pytest.mark.parametrize(("peer", "own"), [("127.0.0.1", "127.0.0.1"), ("127.8.9.10", "127.0.0.1")])
def test_the_kernel_chooses_the_address(peer: str, own: str) -> None:
    assert own_address_towards(peer) == own


@pytest.mark.parametrize("peer", ["worker-0", "", "198.51.100.1/24", "127.0.0.1:80"])
def test_only_an_address_can_be_asked_for(peer: str) -> None:
    with pytest.raises(InvalidInputError, match="not a name"):
        own_address_towards(peer)


def test_a_machine_that_cannot_be_reached_is_named() -> None:
    with pytest.raises(NoRouteError, match=r"255\.255\.255\.255"):
        own_address_towards("255.255.255.255")
