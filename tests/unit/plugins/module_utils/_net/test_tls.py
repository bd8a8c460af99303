# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Trust, tested with real handshakes against real certificates."""

from __future__ import annotations

import socket
import ssl
import threading
import typing as t
from collections.abc import Callable
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._net.http_client import HttpClient
from ansible_collections.fieldops.openshift.plugins.module_utils._net.tls import TlsSettings
from ansible_collections.fieldops.openshift.plugins.module_utils._net.transfer_errors import TlsError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._net.certificates import (
    CertificateAuthority,
    Identity,
    encrypt_key,
    server_context,
)
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._net.scripted_server import (
    Answer,
    ScriptedServer,
    hang_up,
    raw,
    reply,
)

Serve = Callable[..., ScriptedServer]
Connect = Callable[..., HttpClient]


@pytest.fixture(scope="module")
def site(authority: CertificateAuthority) -> Identity:
    return authority.issue("site")


@pytest.fixture(scope="module")
def person(authority: CertificateAuthority) -> Identity:
    return authority.issue("person")


def test_old_protocols_and_unverified_servers_are_off_by_default() -> None:
    context = TlsSettings().context()
    assert context.minimum_version == ssl.TLSVersion.TLSv1_2
    assert context.verify_mode == ssl.CERT_REQUIRED
    assert context.check_hostname


def ca_as_file(authority: CertificateAuthority) -> TlsSettings:
    return TlsSettings(ca_file=authority.certificate)


def ca_as_text(authority: CertificateAuthority) -> TlsSettings:
    pem = Path(authority.certificate).read_text(encoding="ascii")
    return TlsSettings(ca_pem=f"# Zertifizierungsstelle für den Standort\n{pem}\n")


def no_verification(_authority: CertificateAuthority) -> TlsSettings:
    return TlsSettings(verify=False)


@pytest.mark.parametrize("settings", [ca_as_file, ca_as_text, no_verification])
def test_a_trusted_server_is_talked_to(
    settings: Callable[[CertificateAuthority], TlsSettings],
    serve: Serve,
    connect: Connect,
    deadline: Deadline,
    authority: CertificateAuthority,
    site: Identity,
) -> None:
    server = serve(reply(200, b"safe"), tls=server_context(site))
    client = connect(tls=settings(authority))
    assert [client.request("GET", server.url(), deadline=deadline).body for _again in range(3)] == [b"safe"] * 3
    assert server.connections == 1


@pytest.mark.parametrize(
    "broken",
    [
        pytest.param(hang_up, id="before-the-answer"),
        pytest.param(raw(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", then="close"), id="in-the-body"),
        pytest.param(raw(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", then="reset"), id="by-a-reset"),
    ],
)
def test_a_connection_that_breaks_under_tls_is_a_transient_failure(
    broken: Answer,
    serve: Serve,
    connect: Connect,
    deadline: Deadline,
    authority: CertificateAuthority,
    site: Identity,
) -> None:
    server = serve(broken, reply(200, b"fine"), tls=server_context(site))
    client = connect(tls=ca_as_file(authority))
    assert client.request("GET", server.url(), deadline=deadline).body == b"fine"
    server.drop_connections()
    assert client.request("GET", server.url(), deadline=deadline).body == b"fine"
    assert len(server.asked) == 3


def test_only_the_given_authority_is_trusted(
    serve: Serve, connect: Connect, deadline: Deadline, other_authority: CertificateAuthority, site: Identity
) -> None:
    server = serve(reply(200), tls=server_context(site))
    client = connect(tls=TlsSettings(ca_file=other_authority.certificate))
    with pytest.raises(TlsError) as caught:
        client.request("GET", server.url("/x?q=geheim"), deadline=deadline)
    error = caught.value
    assert (error.kind, error.transient, error.on) == ("tls", False, server.url("/x"))
    assert "unable to get local issuer" in error.seen
    assert "CA file" in error.advice
    assert server.connections == 1, "an untrusted server is not asked again"


def test_an_expired_certificate_points_to_the_clock(
    serve: Serve, connect: Connect, deadline: Deadline, authority: CertificateAuthority
) -> None:
    server = serve(reply(200), tls=server_context(authority.issue("expired", days=-1)))
    with pytest.raises(TlsError, match="expired") as caught:
        connect(tls=ca_as_file(authority)).request("GET", server.url(), deadline=deadline)
    assert "clock of this machine" in caught.value.advice


@pytest.mark.parametrize("names", ["DNS:relay.test", "IP:192.0.2.1"])
def test_another_host_name_is_refused(
    names: str, serve: Serve, connect: Connect, deadline: Deadline, authority: CertificateAuthority
) -> None:
    server = serve(reply(200), tls=server_context(authority.issue("other-name", names=names)))
    with pytest.raises(TlsError, match="mismatch") as caught:
        connect(tls=ca_as_file(authority)).request("GET", server.url(), deadline=deadline)
    assert "host name of the certificate" in caught.value.advice


def test_a_node_reached_by_its_address_can_have_a_name_in_its_certificate(
    serve: Serve, connect: Connect, deadline: Deadline, authority: CertificateAuthority
) -> None:
    server = serve(reply(200), tls=server_context(authority.issue("node", names="DNS:relay.test")))
    client = connect(tls=TlsSettings(ca_file=authority.certificate, server_name="relay.test"))
    assert client.request("GET", server.url(), deadline=deadline).status == 200


def test_a_client_certificate_is_shown_and_a_missing_one_is_named(
    serve: Serve,
    connect: Connect,
    deadline: Deadline,
    authority: CertificateAuthority,
    site: Identity,
    person: Identity,
) -> None:
    server = serve(reply(200), tls=server_context(site, client_authority=authority.certificate))
    settings = TlsSettings(
        ca_file=authority.certificate, client_certificate=str(person.certificate), client_key=str(person.key)
    )
    assert connect(tls=settings).request("GET", server.url(), deadline=deadline).status == 200
    with pytest.raises(TlsError) as caught:
        connect(tls=ca_as_file(authority)).request("GET", server.url(), deadline=deadline)
    assert "client certificate" in caught.value.advice


def test_a_server_without_tls_is_recognised(connect: Connect, deadline: Deadline) -> None:
    def answer_once(listening: socket.socket) -> None:
        connected, _address = listening.accept()
        with connected:
            connected.recv(65536)
            connected.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=answer_once, args=(listening,), daemon=True)
        thread.start()
        with pytest.raises(TlsError) as caught:
            connect().request("GET", f"https://127.0.0.1:{listening.getsockname()[1]}/", deadline=deadline)
        thread.join(10)
    assert "must start with http://" in caught.value.advice


@pytest.mark.parametrize(
    "content",
    ["", "not a certificate", "-----BEGIN CERTIFICATE-----\ngeheim\n-----END CERTIFICATE-----\n"],
)
def test_a_ca_file_without_certificate_is_refused(content: str, tmp_path: Path) -> None:
    path = str(tmp_path / "broken.pem")
    Path(path).write_text(content, encoding="ascii")
    with pytest.raises(TlsError, match="no usable PEM certificate") as caught:
        TlsSettings(ca_file=path).context()
    assert path in caught.value.on
    assert "geheim" not in str(caught.value)


@pytest.mark.parametrize("option", ["ca_file", "client_certificate"])
def test_a_missing_file_is_named(option: str, tmp_path: Path) -> None:
    path = str(tmp_path / "absent.pem")
    option_and_value: dict[str, t.Any] = {option: path}
    with pytest.raises(TlsError, match="No such file") as caught:
        TlsSettings(**option_and_value).context()
    assert path in caught.value.on


def test_a_directory_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(TlsError, match="Is a directory"):
        TlsSettings(ca_file=str(tmp_path)).context()


def test_a_key_of_another_certificate_is_refused(site: Identity, person: Identity) -> None:
    settings = TlsSettings(client_certificate=str(site.certificate), client_key=str(person.key))
    with pytest.raises(TlsError, match="does not belong"):
        settings.context()


def test_a_file_that_holds_no_key_is_refused(site: Identity) -> None:
    settings = TlsSettings(client_certificate=str(site.certificate))
    with pytest.raises(TlsError, match="not a PEM certificate and key"):
        settings.context()


def test_an_encrypted_key_is_refused_instead_of_asking_for_a_passphrase(site: Identity, tmp_path: Path) -> None:
    encrypt_key(site.key, tmp_path / "encrypted.key")
    settings = TlsSettings(client_certificate=str(site.certificate), client_key=str(tmp_path / "encrypted.key"))
    with pytest.raises(TlsError, match="encrypted with a passphrase"):
        settings.context()


def test_a_key_without_certificate_is_refused(site: Identity) -> None:
    with pytest.raises(TlsError, match="without a client certificate"):
        TlsSettings(client_key=str(site.key)).context()


@pytest.mark.parametrize("name", ["", ".relay.test", "relay.test:443", "https://relay.test", "bücher.test"])
def test_a_server_name_must_be_a_name(name: str) -> None:
    with pytest.raises(TlsError, match="not a host name"):
        TlsSettings(server_name=name).context()
