# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The units that serve other machines let in whom they are for, and have their secrets from systemd."""

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.source.plan.source_units import (
    SITE_SERVICE,
    SITE_SOCKET,
    site_units,
    units,
)

MADE = site_units(
    python="/usr/bin/python3",
    program="/p.zip",
    bundles="/bundles",
    credentials="/c.json",
    port=9701,
    networks=("192.0.2.0/24", "2001:db8::/64"),
)


@pytest.mark.parametrize("name", [SITE_SOCKET, SITE_SERVICE])
def test_addresses_are_denied_but_those_of_the_site(name: str) -> None:
    lines = MADE[name].splitlines()
    assert [line for line in lines if line.startswith("IPAddress")] == [
        "IPAddressDeny=any",
        "IPAddressAllow=localhost",
        "IPAddressAllow=192.0.2.0/24",
        "IPAddressAllow=2001:db8::/64",
    ]


def test_the_port_is_open_on_every_address() -> None:
    assert "ListenStream=9701" in MADE[SITE_SOCKET].splitlines()


def test_the_server_has_no_rights_and_its_secrets_by_systemd() -> None:
    lines = MADE[SITE_SERVICE].splitlines()
    for line in ("DynamicUser=yes", "CapabilityBoundingSet=", "LoadCredential=other-machines:/c.json"):
        assert line in lines
    here = "/run/fieldops-image-source"
    assert f'ExecStart="/usr/bin/python3" -IS {here}/program serve-other-machines {here}/bundles' in lines


def test_the_servers_are_shown_what_lies_in_a_folder_that_they_may_not_enter() -> None:
    own = units(python="/usr/bin/python3", program="/p.zip", bundles="/bundles", port=9700)
    shown = "BindReadOnlyPaths=/p.zip:/run/fieldops-image-source/program /bundles:/run/fieldops-image-source/bundles"
    for text in (own["fieldops-image-source.service"], MADE[SITE_SERVICE]):
        assert shown in text.splitlines()


def test_the_node_itself_is_served_by_units_of_its_own() -> None:
    own = units(python="/usr/bin/python3", program="/p.zip", bundles="/bundles", port=9700)
    assert not set(own) & set(MADE)
    assert "IPAddressAllow=localhost" in own["fieldops-image-source.service"].splitlines()
