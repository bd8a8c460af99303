# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Relays that outlive the process that starts them, kept as jobs; tests/integration/relay has them as services."""

from __future__ import annotations

import json
import os
import ssl
import typing as t
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._net.download import fetch
from ansible_collections.fieldops.openshift.plugins.module_utils._net.download_request import Download
from ansible_collections.fieldops.openshift.plugins.module_utils._net.http_client import HttpClient
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.errors import RelayError
from ansible_collections.fieldops.openshift.plugins.module_utils._net.tls import TlsSettings
from ansible_collections.fieldops.openshift.plugins.module_utils._net.urls import Url
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.relay.ensure_relay import (
    ensure_relay,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.relay.relay_identity import new_identity
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.relay.relay_presence import (
    is_relaying,
    private_base,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.relay.relays import find_relay, keeper_for
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Result
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._net.conftest import MemorySink
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._net.relay.sample_bundle import (
    LAYER,
    digest_of,
    write_bundle,
)

Ensure = Callable[..., Result]

TOKEN = "fedcba9876543210" * 4
CLOCK = SystemClock()


@pytest.fixture
def bundle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    write_bundle(tmp_path / "bundle")
    return tmp_path / "bundle"


@pytest.fixture
def ensure(bundle: Path) -> Iterator[Ensure]:
    """Call ``ensure_relay`` with the options of a usual relay and those given; stop it after the test."""
    identity = new_identity(Host(CLOCK), bundle.parent / "openssl", "127.0.0.1", 60, Deadline(20, CLOCK))
    usual = {
        "certificate": identity.certificate,
        "private_key": identity.key,
        "state": "started",
        "index_digest": str(digest_of((bundle / "index.json").read_bytes())),
        "path": str(bundle),
        "filling": False,
        "parts": [],
        "address": "127.0.0.1",
        "ports": "9700-9799",
        "allowed_addresses": ["127.0.0.1"],
        "lifetime": 60,
        "token": TOKEN,
        "kept_by": "job",
        "host_root": "/",
    }

    def _ensure(check_mode: bool = False, **options: t.Any) -> Result:
        return ensure_relay({**usual, **options}, CLOCK, check_mode=check_mode)

    yield _ensure
    _ensure(state="stopped")


def get_layer(relay: dict[str, t.Any] | None, token: str = TOKEN) -> bytes:
    assert relay is not None
    sink = MemorySink()
    url = Url.parse(f"{relay['url']}/blobs/sha256/{digest_of(LAYER).hex}")
    wanted = Download(url, size=len(LAYER), digest=digest_of(LAYER), headers={"Authorization": f"Bearer {token}"})
    with HttpClient(CLOCK, tls=TlsSettings(ca_pem=relay["ca"])) as client:
        fetch(client, wanted, sink, deadline=Deadline(20, CLOCK))
    return bytes(sink.content)


def files_below(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_what_is_started_serves(ensure: Ensure) -> None:
    outcome = ensure()
    assert outcome.changed
    assert get_layer(outcome.objects["relay"]) == LAYER


def test_the_same_request_finds_it_running(ensure: Ensure, tmp_path: Path) -> None:
    first = ensure()
    other = new_identity(Host(CLOCK), tmp_path / "openssl", "127.0.0.1", 60, Deadline(20, CLOCK))
    again = ensure(certificate=other.certificate, private_key=other.key)
    assert (again.changed, again.actions) == (False, ())
    assert again.objects["relay"] == first.objects["relay"]


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"allowed_addresses": ["127.0.0.1", "127.0.0.2"]}, id="other addresses"),
        pytest.param({"lifetime": 90}, id="another lifetime"),
        pytest.param({"token": "0" * 64}, id="another token"),
    ],
)
def test_another_request_takes_its_place(ensure: Ensure, change: dict[str, t.Any]) -> None:
    first = ensure()
    second = ensure(**change)
    assert first.changed
    assert second.changed
    assert get_layer(second.objects["relay"], change.get("token", TOKEN)) == LAYER


def test_neither_token_nor_key_lies_in_a_file(ensure: Ensure, tmp_path: Path) -> None:
    outcome = ensure()
    assert get_layer(outcome.objects["relay"]) == LAYER
    written = [path.read_bytes() for path in files_below(tmp_path / "cache")]
    assert written
    assert not [content for content in written if TOKEN.encode() in content or b"PRIVATE KEY" in content]
    assert TOKEN not in json.dumps(outcome.objects["relay"])


def test_neither_token_nor_key_stands_in_a_command(ensure: Ensure) -> None:
    ensure()
    commands = b"".join(path.read_bytes() for path in _readable("cmdline"))
    assert b"relay" in commands
    assert TOKEN.encode() not in commands


def test_stopped_leaves_nothing(ensure: Ensure, tmp_path: Path) -> None:
    relay = ensure().objects["relay"]
    assert ensure(state="stopped").changed
    assert files_below(tmp_path / "cache") == []
    assert not ensure(state="stopped").changed
    assert relay is not None
    with HttpClient(CLOCK) as client, pytest.raises(Exception, match="refused"):
        client.request("GET", f"{relay['url']}/index.json", deadline=Deadline(1, CLOCK))


def test_one_that_runs_and_what_is_left_of_one_are_seen(ensure: Ensure, bundle: Path) -> None:
    digest = digest_of((bundle / "index.json").read_bytes())

    def is_seen() -> bool:
        return is_relaying(Host(CLOCK), digest, Deadline(20, CLOCK), "job")

    assert not is_seen()
    ensure()
    assert is_seen()
    ensure(state="stopped")
    assert not is_seen()
    (private_base() / f"relay-{digest.short}").mkdir(parents=True)
    assert is_seen()


def test_no_relay_is_seen_where_none_can_be_kept(bundle: Path, tmp_path: Path) -> None:
    digest = digest_of((bundle / "index.json").read_bytes())
    assert not is_relaying(Host(CLOCK, tmp_path), digest, Deadline(20, CLOCK), "job")


def test_one_that_was_killed_is_started_anew(ensure: Ensure, bundle: Path, tmp_path: Path) -> None:
    ensure()
    keeper = keeper_for(Host(CLOCK), digest_of((bundle / "index.json").read_bytes()), "job")
    status = json.loads(next((tmp_path / "cache").rglob("status.json")).read_text())
    os.kill(status["pid"], 9)
    deadline = Deadline(10, CLOCK)
    while find_relay(keeper, deadline)[1]:
        deadline.pause(0.02)
    outcome = ensure()
    assert outcome.changed
    assert get_layer(outcome.objects["relay"]) == LAYER


def test_check_mode_only_tells(ensure: Ensure, tmp_path: Path) -> None:
    outcome = ensure(check_mode=True)
    assert (outcome.changed, outcome.objects) == (True, {})
    assert files_below(tmp_path / "cache") == []
    ensure()
    assert not ensure(check_mode=True).changed
    assert ensure(check_mode=True, state="stopped").changed
    assert not ensure().changed


def test_a_bundle_with_another_index_is_not_served(ensure: Ensure, tmp_path: Path) -> None:
    with pytest.raises(RelayError, match="its index has the digest"):
        ensure(index_digest=f"sha256:{'0' * 64}")
    assert files_below(tmp_path / "cache") == []


def test_a_place_without_a_bundle_is_named(ensure: Ensure, tmp_path: Path) -> None:
    with pytest.raises(RelayError, match="nothing-here"):
        ensure(path=str(tmp_path / "nothing-here"))


def test_an_address_of_another_machine_is_refused(ensure: Ensure) -> None:
    with pytest.raises(RelayError, match="Cannot assign"):
        ensure(address="192.0.2.1")


def test_a_key_of_another_certificate_is_refused(ensure: Ensure, tmp_path: Path) -> None:
    other = new_identity(Host(CLOCK), tmp_path / "openssl", "127.0.0.1", 60, Deadline(20, CLOCK))
    with pytest.raises(RelayError, match="KEY_VALUES_MISMATCH"):
        ensure(private_key=other.key)


def test_an_identity_is_valid_for_clocks_that_differ_and_not_for_long(tmp_path: Path) -> None:
    identity = new_identity(Host(CLOCK), tmp_path, "2001:db8::7", 3600, Deadline(20, CLOCK))
    (tmp_path / "certificate").write_text(identity.certificate)
    decoded = ssl._ssl._test_decode_cert(str(tmp_path / "certificate"))  # type: ignore[attr-defined]
    now = CLOCK.utcnow().timestamp()
    begins, ends = (ssl.cert_time_to_seconds(decoded[name]) for name in ("notBefore", "notAfter"))
    assert (round((now - begins) / 3600), round((ends - now) / 3600)) == (12, 13)
    assert decoded["subjectAltName"] == (("IP Address", "2001:DB8:0:0:0:0:0:7"),)
    assert [path.name for path in tmp_path.iterdir()] == ["certificate"]


@pytest.mark.parametrize(
    ("options", "named"),
    [
        pytest.param({"address": "relay.example"}, "relay.example", id="a name for an address"),
        pytest.param({"address": "0.0.0.0"}, "cannot|not an address", id="every address"),  # noqa: S104
        pytest.param({"allowed_addresses": ["0.0.0.0/0"]}, "every address", id="everybody"),
        pytest.param({"allowed_addresses": []}, "0 entries", id="nobody"),
        pytest.param({"allowed_addresses": ["192.0.2.1/24"]}, "host bits", id="a network with host bits"),
        pytest.param({"ports": "80"}, "80-80", id="a port of the system"),
        pytest.param({"ports": "9800-9700"}, "9800-9700", id="ports backwards"),
        pytest.param({"path": "bundle"}, "absolute", id="a relative path"),
        pytest.param({"path": "/bundle\n"}, "printable", id="a path that breaks the line"),
        pytest.param({"lifetime": 0}, "lifetime", id="no time"),
        pytest.param({"token": "short"}, "5 characters", id="a weak token"),
        pytest.param({"token": "a b" * 20}, "spaces", id="a token that cannot be sent"),
        pytest.param({"index_digest": "sha256:0"}, "digest", id="half a digest"),
    ],
)
def test_wrong_requests_are_refused(ensure: Ensure, options: dict[str, t.Any], named: str) -> None:
    with pytest.raises(InvalidInputError, match=named):
        ensure(**options)


def test_a_helper_pod_cannot_keep_a_job(bundle: Path, tmp_path: Path) -> None:
    (tmp_path / "host").mkdir()
    with pytest.raises(RelayError, match="end with it"):
        keeper_for(Host(CLOCK, tmp_path / "host"), digest_of(bundle.name.encode()), "job")


def _readable(name: str) -> Iterator[Path]:
    for entry in Path("/proc").iterdir():
        path = entry / name
        if entry.name.isdigit() and os.access(path, os.R_OK) and path.exists():
            yield path
