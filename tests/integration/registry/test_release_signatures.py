# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
import time
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.registry.skopeo import Skopeo
from ansible_collections.fieldops.openshift.tests.lab.registry.keyring import RSA2048, Keyring, SigningKey
from ansible_collections.fieldops.openshift.tests.lab.registry.release import Release
from ansible_collections.fieldops.openshift.tests.lab.registry.release_signatures import (
    SignatureStore,
    release_verification,
    signed_message,
)
from ansible_collections.fieldops.openshift.tests.lab.registry.server import Registry
from ansible_collections.fieldops.openshift.tests.lab.registry.static_server import StaticServer

OWNER = """
import os, signal
from ansible_collections.fieldops.openshift.tests.lab.registry.keyring import Keyring
keyring = Keyring()
keyring.create("left")
print(keyring.directory, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


class Verdict(t.NamedTuple):
    returncode: int
    status: frozenset[str]
    body: bytes


@pytest.fixture
def store(tmp_path: Path) -> SignatureStore:
    return SignatureStore(tmp_path / "signatures")


def gpgv(tmp_path: Path, signature: bytes, *public_keys: str) -> Verdict:
    """Let gpgv judge a signature by these keys alone; ``status`` are the keywords it says."""
    ring, message, body = tmp_path / "ring.gpg", tmp_path / "message", tmp_path / "body"
    dearmored = subprocess.run(
        ["gpg", "--homedir", tmp_path, "--dearmor"],
        input="\n".join(public_keys).encode(),
        capture_output=True,
        check=False,
    )
    ring.write_bytes(dearmored.stdout)
    message.write_bytes(signature)
    body.unlink(missing_ok=True)
    done = subprocess.run(
        ["gpgv", "--homedir", tmp_path, "--keyring", ring, "--status-fd", "1", "--output", body, message],
        capture_output=True,
        text=True,
        check=False,
    )
    words = frozenset(line.split()[1] for line in done.stdout.splitlines() if line.startswith("[GNUPG:] "))
    return Verdict(done.returncode, words, body.read_bytes() if body.exists() else b"")


@pytest.mark.parametrize("algorithm", ["ed25519", RSA2048])
def test_a_good_signature_is_accepted(tmp_path: Path, keyring: Keyring, release: Release, algorithm: str) -> None:
    key = keyring.create(f"good-{algorithm}", algorithm)
    message = signed_message(release.reference)
    verdict = gpgv(tmp_path, keyring.sign(key, message), key.public_key)
    assert verdict.returncode == 0
    assert {"GOODSIG", "VALIDSIG"} <= verdict.status
    assert verdict.body == message


def test_the_signature_of_a_multi_architecture_release_is_over_its_list(
    tmp_path: Path, keyring: Keyring, key: SigningKey, store: SignatureStore, multi: Release
) -> None:
    path = store.sign(keyring, key, multi.reference)
    assert path.parent.name == f"sha256={multi.image.digest.hex}"
    body = json.loads(gpgv(tmp_path, path.read_bytes(), key.public_key).body)
    assert body["critical"]["image"]["docker-manifest-digest"] == str(multi.image.digest)


def test_a_foreign_key_is_unknown(tmp_path: Path, keyring: Keyring, key: SigningKey, release: Release) -> None:
    foreign = keyring.create("foreign")
    verdict = gpgv(tmp_path, keyring.sign(foreign, signed_message(release.reference)), key.public_key)
    assert verdict.returncode != 0
    assert {"ERRSIG", "NO_PUBKEY"} <= verdict.status


def test_an_expired_key_is_told_by_the_status_alone(tmp_path: Path, keyring: Keyring, release: Release) -> None:
    expired = keyring.create_expired("expired")
    verdict = gpgv(tmp_path, keyring.sign(expired, signed_message(release.reference)), expired.public_key)
    assert "EXPKEYSIG" in verdict.status
    assert "GOODSIG" not in verdict.status


def test_a_revoked_key_is_told(tmp_path: Path, keyring: Keyring, release: Release) -> None:
    revoked = keyring.create_revoked("revoked")
    verdict = gpgv(tmp_path, keyring.sign(revoked, signed_message(release.reference)), revoked.public_key)
    assert "REVKEYSIG" in verdict.status
    assert "GOODSIG" not in verdict.status


def test_a_changed_message_is_bad(tmp_path: Path, keyring: Keyring, key: SigningKey, release: Release) -> None:
    signature = bytearray(keyring.sign(key, signed_message(release.reference)))
    signature[-20] ^= 0xFF
    verdict = gpgv(tmp_path, bytes(signature), key.public_key)
    assert verdict.returncode != 0
    assert "GOODSIG" not in verdict.status


def test_skopeo_verifies_the_signature_for_this_manifest_and_name_only(
    keyring: Keyring, key: SigningKey, store: SignatureStore, release: Release, skopeo: Skopeo
) -> None:
    path = store.sign(keyring, key, release.reference)
    name = f"{release.reference.name}:{release.reference.tag}"
    manifest = release.pool.path(release.image.digest)
    verify = ("standalone-verify", manifest, name, key.fingerprint, path)
    assert f"digest {release.image.digest}" in skopeo.ok(*verify, GNUPGHOME=str(keyring.directory))
    other = release.pool.path(release.components["etcd"].digest)
    arguments = ("standalone-verify", other, name, key.fingerprint, path)
    assert "does not match" in skopeo.failure(*arguments, GNUPGHOME=str(keyring.directory))


def test_a_node_with_a_policy_takes_signed_releases_only(
    tmp_path: Path,
    shared_registry: Registry,
    keyring: Keyring,
    key: SigningKey,
    store: SignatureStore,
    release: Release,
    skopeo: Skopeo,
) -> None:
    public = tmp_path / "key.asc"
    public.write_text(key.public_key)
    trusted = {"type": "signedBy", "keyType": "GPGKeys", "keyPath": str(public)}
    scope = {release.reference.name: [trusted]}
    skopeo.policy({"default": [{"type": "reject"}], "transports": {"docker": scope}})
    skopeo.rules(shared_registry.mirror_rules(["quay.io/openshift-release-dev"]))
    pull = ("copy", f"docker://{release.reference.by_digest()}", f"dir:{tmp_path}/x", "--remove-signatures")
    with StaticServer(store.directory) as server:
        # The mirror's name decides where signatures are looked for; "lookaside" was "sigstore" once.
        places = {"lookaside": server.url, "sigstore": server.url}
        (skopeo.directory / "registries.d/lab.yaml").write_text(json.dumps({"docker": {shared_registry.host: places}}))
        assert "A signature was required" in skopeo.failure(*pull)
        path = store.sign(keyring, key, release.reference)
        # A node looks below the repository's name, where the cluster's own verification looks below none.
        folder = store.directory / "openshift-release-dev"
        folder.mkdir()
        (folder / f"ocp-release@{path.parent.name}").symlink_to(path.parent)
        skopeo.ok(*pull)


def test_signatures_are_served_up_to_the_first_that_is_missing(
    keyring: Keyring, key: SigningKey, store: SignatureStore, release: Release
) -> None:
    path = store.sign(keyring, key, release.reference)
    with StaticServer(store.directory) as server:
        assert answer(server, f"/{path.parent.name}/signature-1") == (200, path.read_bytes())
        assert answer(server, f"/{path.parent.name}/signature-2")[0] == 404
        assert server.requests == [f"/{path.parent.name}/signature-{number}" for number in (1, 2)]


def test_the_config_map_carries_keys_that_gpgv_takes(
    tmp_path: Path, keyring: Keyring, key: SigningKey, release: Release
) -> None:
    other = keyring.create("second")
    data = release_verification({"lab": key.public_key, "second": other.public_key}, {})["data"]
    signature = keyring.sign(other, signed_message(release.reference))
    assert "GOODSIG" in gpgv(tmp_path, signature, data["verifier-public-key-second"]).status
    assert "NO_PUBKEY" in gpgv(tmp_path, signature, data["verifier-public-key-lab"]).status


@pytest.mark.parametrize("killed", [False, True], ids=["closed", "owner killed"])
def test_no_agent_and_no_key_is_left(killed: bool) -> None:
    if killed:
        done = subprocess.run([sys.executable, "-c", OWNER], capture_output=True, text=True, check=False)
        directory = Path(done.stdout.strip())
    else:
        with Keyring() as keyring:
            keyring.create("left")
            directory = keyring.directory
            assert agents_of(directory)
    deadline = time.monotonic() + 15
    while (directory.exists() or agents_of(directory)) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not directory.exists()
    assert not agents_of(directory)


def answer(server: StaticServer, path: str) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection(server.url.removeprefix("http://"), timeout=5)
    try:
        connection.request("GET", path)
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()


def agents_of(directory: Path) -> list[int]:
    found = []
    for process in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = process.read_bytes()
        except OSError:
            continue
        if b"gpg-agent" in command and os.fsencode(directory) in command:
            found.append(int(process.parent.name))
    return found
