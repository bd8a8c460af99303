# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a site serves machines that join with: when its parts are made anew, and how they are kept."""

from __future__ import annotations

import base64
import typing as t
from dataclasses import replace
from datetime import datetime, timedelta, timezone

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.errors import JoiningError
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.joining.plan.site_identity import (
    Serving,
    SiteIdentity,
    checked_networks,
    expiry,
    identity_body,
    identity_in,
)

NOW = datetime(2026, 11, 24, 20, tzinfo=timezone.utc)
NAMES = ("192.0.2.5", "192.0.2.10", "api-int.site.example")
SERVING = Serving("192.0.2.5", 9701, NAMES, ("192.0.2.0/24",))
KEPT = SiteIdentity(
    serving=SERVING,
    ca="the authority\n",
    certificate="the certificate\n",
    ca_expires=expiry(NOW, timedelta(days=7300)),
    expires=expiry(NOW, timedelta(days=1095)),
    permitted=SERVING.permitted,
    ca_key="authority-key",
    key="certificate-key",
    password="p" * 64,
    former_ca="",
)


def test_it_is_kept_as_it_is() -> None:
    body = identity_body(KEPT)
    assert (body["metadata"]["namespace"], body["metadata"]["name"]) == ("fieldops-openshift", "image-source")
    assert identity_in(body) == KEPT
    chosen = replace(KEPT, serving=replace(SERVING, given_address="lb.example", given_networks=("198.51.100.0/24",)))
    assert identity_in(identity_body(chosen)) == chosen
    assert identity_in(None) is None


@pytest.mark.parametrize("part", ["record.json", "ca.key", "password"])
def test_a_damaged_secret_is_an_error_that_shows_nothing_of_it(part: str) -> None:
    body = identity_body(KEPT)
    del body["data"][part]
    with pytest.raises(JoiningError) as refused:
        identity_in(body)
    body["data"][part] = base64.b64encode(b"\xff{").decode()
    with pytest.raises(JoiningError):
        identity_in(body)
    assert not any(secret in str(refused.value) for secret in ("authority-key", "certificate-key", "pppp"))


def test_secrets_are_not_in_what_is_printed() -> None:
    assert not any(secret in repr(KEPT) for secret in ("authority-key", "certificate-key", "pppp"))


def test_the_authority_may_sign_for_this_site_alone() -> None:
    outside = replace(SERVING, names=(*NAMES, "203.0.113.9"))
    assert outside.permitted == (
        "192.0.2.0/24",
        "192.0.2.10/32",
        "192.0.2.5/32",
        "203.0.113.9/32",
        "api-int.site.example",
    )


@pytest.mark.parametrize(
    ("names", "lacks"),
    [
        pytest.param(NAMES, False, id="the same"),
        pytest.param((*NAMES, "192.0.2.77"), False, id="a node of the same network"),
        pytest.param((*NAMES, "203.0.113.9"), True, id="an address elsewhere"),
        pytest.param((*NAMES, "lb.site.example"), True, id="another name"),
    ],
)
def test_another_authority_is_needed_only_for_what_it_may_not_sign(names: tuple[str, ...], *, lacks: bool) -> None:
    assert KEPT.lacks_authority(replace(SERVING, names=names)) is lacks


@pytest.mark.parametrize(
    ("names", "days", "lacks"),
    [
        pytest.param(NAMES, 0, False, id="new"),
        pytest.param(NAMES, 364, False, id="within a year"),
        pytest.param(NAMES, 366, True, id="after a year"),
        pytest.param(NAMES, 2000, True, id="over"),
        pytest.param(("192.0.2.5", "192.0.2.11", "api-int.site.example"), 0, True, id="another node"),
    ],
)
def test_a_certificate_is_replaced_long_before_its_end(names: tuple[str, ...], days: int, *, lacks: bool) -> None:
    assert KEPT.lacks_certificate(replace(SERVING, names=names), NOW + timedelta(days=days)) is lacks


def test_networks_in_order_and_each_once() -> None:
    assert checked_networks(["198.51.100.0/24", "192.0.2.0/24 ", "fd00::/64", "192.0.2.0/24", "192.0.2.7"]) == (
        "192.0.2.0/24",
        "192.0.2.7/32",
        "198.51.100.0/24",
        "fd00::/64",
    )


@pytest.mark.parametrize("networks", [[], ["0.0.0.0/0"], ["192.0.2.1/24"], ["site"]])
def test_networks_that_are_none(networks: list[str]) -> None:
    with pytest.raises(JoiningError):
        checked_networks(networks)


def test_a_node_gets_what_it_serves_with_and_not_the_key_of_the_authority() -> None:
    given: dict[str, t.Any] = KEPT.as_credentials()
    assert set(given) == {"port", "networks", "address", "ca", "certificate", "key", "password"}
    assert "authority-key" not in str(given)
