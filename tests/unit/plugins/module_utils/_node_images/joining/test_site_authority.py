# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Keys and certificates by the real openssl, judged by a TLS client."""

from __future__ import annotations

import contextlib
import socket
import ssl
import typing as t
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.credentials import RelayCredentials
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.joining.site_authority import (
    KeyPair,
    new_authority,
    new_certificate,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline

PERMITTED = ("192.0.2.0/24", "fd00::/64", "api-int.site.example")
YEAR = timedelta(days=365)


@pytest.fixture(scope="module")
def host() -> Host:
    return Host(SystemClock())


@pytest.fixture(scope="module")
def authority(host: Host) -> KeyPair:
    return new_authority(host, PERMITTED, 20 * YEAR, within(host))


def within(host: Host) -> Deadline:
    return Deadline(60, host.clock)


def handshake(ca: str, pair: KeyPair, name: str) -> t.Any:
    """Return the certificate that a client which trusts ``ca`` accepts as that of ``name``."""
    serving = RelayCredentials(pair.certificate, pair.key, "t" * 64).server_context()
    client = ssl.create_default_context(cadata=ca)
    ours, theirs = socket.socketpair()
    with ThreadPoolExecutor(1) as pool, ours, theirs:
        served = pool.submit(_serve, serving, theirs)
        try:
            with client.wrap_socket(ours, server_hostname=name) as session:
                return session.getpeercert()
        finally:
            ours.close()
            served.result()


def _serve(context: ssl.SSLContext, connection: socket.socket) -> None:
    with contextlib.suppress(ssl.SSLError, OSError):
        context.wrap_socket(connection, server_side=True).close()


@pytest.mark.parametrize("name", ["192.0.2.5", "fd00::5", "api-int.site.example"])
def test_a_client_that_trusts_the_authority_accepts_the_certificate(host: Host, authority: KeyPair, name: str) -> None:
    pair = new_certificate(host, authority, ["192.0.2.5", "fd00::5", "api-int.site.example"], 3 * YEAR, within(host))
    assert handshake(authority.certificate, pair, name)["subjectAltName"]


def test_a_later_certificate_is_accepted_by_the_same_client(host: Host, authority: KeyPair) -> None:
    for _number in range(2):
        pair = new_certificate(host, authority, ["192.0.2.5"], YEAR, within(host))
        assert handshake(authority.certificate, pair, "192.0.2.5")


@pytest.mark.parametrize("name", ["203.0.113.9", "registry.example"])
def test_the_authority_cannot_sign_for_what_is_not_of_the_site(host: Host, authority: KeyPair, name: str) -> None:
    pair = new_certificate(host, authority, [name], YEAR, within(host))
    with pytest.raises(ssl.SSLCertVerificationError, match="permitted subtree"):
        handshake(authority.certificate, pair, name)


def test_a_client_that_does_not_trust_it_refuses(host: Host, authority: KeyPair) -> None:
    pair = new_certificate(host, authority, ["192.0.2.5"], YEAR, within(host))
    other = new_authority(host, PERMITTED, YEAR, within(host))
    with pytest.raises(ssl.SSLCertVerificationError):
        handshake(other.certificate, pair, "192.0.2.5")


def test_without_names_none_is_permitted(host: Host) -> None:
    authority = new_authority(host, ("192.0.2.0/24",), YEAR, within(host))
    pair = new_certificate(host, authority, ["registry.example"], YEAR, within(host))
    with pytest.raises(ssl.SSLCertVerificationError, match="permitted subtree"):
        handshake(authority.certificate, pair, "registry.example")
