# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which public keys are too weak to be trusted; packets as RFC 9580 has them."""

from __future__ import annotations

import hashlib

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.signatures.trusted_keys import TrustedKeys
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.trust.openpgp_keys import key_problem

KEY, SUBKEY, USER = 6, 14, 13
RSA, ELGAMAL, DSA, ED25519 = 1, 16, 17, 27


def mpi(bits: int) -> bytes:
    return bits.to_bytes(2, "big") + (1 << (bits - 1)).to_bytes((bits + 7) // 8, "big")


def key(algorithm: int, material: bytes, version: int = 4) -> bytes:
    counted = len(material).to_bytes(4, "big") if version > 4 else b""
    return bytes([version, 0, 0, 0, 0, algorithm]) + counted + material


def packet(tag: int, body: bytes) -> bytes:
    return bytes([0xC0 | tag, 255]) + len(body).to_bytes(4, "big") + body


def old_packet(tag: int, body: bytes) -> bytes:
    return bytes([0x80 | tag << 2 | 1]) + len(body).to_bytes(2, "big") + body


def rsa(bits: int, version: int = 4) -> bytes:
    return key(RSA, mpi(bits) + mpi(17), version)


GOOD = packet(KEY, key(ED25519, b"\1" * 32))


@pytest.mark.parametrize(
    "ring",
    [
        pytest.param(GOOD, id="Ed25519"),
        pytest.param(packet(KEY, rsa(2048)), id="RSA-2048"),
        pytest.param(old_packet(KEY, rsa(4096)), id="RSA-4096 in the older packet format"),
        pytest.param(packet(KEY, rsa(3072, 6)), id="RSA-3072 of version 6"),
        pytest.param(GOOD + packet(USER, b"mary") + packet(SUBKEY, rsa(2048)), id="with a subkey"),
        pytest.param(GOOD + bytes([0xC0 | USER, 192, 8]) + b"m" * 200, id="with a length of two bytes"),
        pytest.param(packet(KEY, key(30, b"\1" * 99, 6)), id="an algorithm of the future"),
    ],
)
def test_strong_keys_have_no_problem(ring: bytes) -> None:
    assert key_problem(ring) == ""


@pytest.mark.parametrize(
    ("ring", "said"),
    [
        pytest.param(packet(KEY, rsa(1024)), "RSA key of 1024 bits: at least 2048", id="RSA-1024"),
        pytest.param(packet(KEY, rsa(2047)), "RSA key of 2047 bits", id="RSA-2047"),
        pytest.param(old_packet(KEY, rsa(512)), "RSA key of 512 bits", id="older packet format"),
        pytest.param(packet(KEY, rsa(1024, 6)), "RSA key of 1024 bits", id="version 6"),
        pytest.param(GOOD + packet(SUBKEY, rsa(1024)), "RSA key of 1024 bits", id="a subkey"),
        pytest.param(GOOD + packet(KEY, rsa(1024)), "RSA key of 1024 bits", id="the second of two"),
        pytest.param(packet(KEY, key(DSA, mpi(2048))), "algorithm DSA, which is too weak", id="DSA"),
        pytest.param(GOOD + packet(SUBKEY, key(ELGAMAL, mpi(4096))), "algorithm ElGamal", id="ElGamal"),
        pytest.param(packet(KEY, bytes([3, 0, 0, 0, 0, 0, 0, 1])), "of version 3", id="version 3"),
        pytest.param(packet(KEY, key(RSA, b"\x10\x00" + b"\0" * 512)), "RSA key of 0 bits", id="a modulus of zeros"),
        pytest.param(packet(USER, b"mary") + GOOD, "does not start with", id="no key in front"),
        pytest.param(b"", "does not start with", id="nothing"),
        pytest.param(GOOD[:-1], "damaged", id="cut"),
        pytest.param(GOOD + b"\x00", "damaged", id="noise behind"),
        pytest.param(packet(KEY, key(RSA, b"\x10\x00\x80")), "damaged", id="a cut modulus"),
        pytest.param(packet(KEY, b"\4"), "damaged", id="a cut key"),
        pytest.param(b"\xc6\xe1" + b"\4" * 20, "damaged", id="partial length"),
        pytest.param(b"\x9b" + b"\4" * 20, "damaged", id="indeterminate length"),
    ],
)
def test_weak_and_damaged_keys_are_named(ring: bytes, said: str) -> None:
    assert said in key_problem(ring)


def test_the_built_in_key_has_the_published_fingerprint() -> None:
    ring = TrustedKeys.of_release(None, "quay.io/openshift-release-dev/ocp-release").ring
    length = int.from_bytes(ring[1:3], "big")
    # RFC 9580, 5.5.4.2: the fingerprint of a key of version 4.
    fingerprint = hashlib.sha1(b"\x99" + ring[1:3] + ring[3 : 3 + length], usedforsecurity=False).hexdigest()
    assert fingerprint.upper() == "567E347AD0044ADE55BA8A5F199E2F91FD431D51"


@pytest.mark.parametrize(
    ("repository", "has_key"),
    [
        ("quay.io/openshift-release-dev/ocp-release", True),
        ("quay.io/openshift-release-dev/ocp-v4.0-art-dev", True),
        ("quay.io/openshift-release-development/ocp-release", False),
        ("quay.io/okd/scos-release", False),
        ("registry.example/quay.io/openshift-release-dev/ocp-release", False),
    ],
)
def test_the_built_in_key_is_for_its_repositories_alone(repository: str, has_key: bool) -> None:
    assert bool(TrustedKeys.of_release(None, repository)) is has_key
    assert not TrustedKeys.of_release([], repository), "an empty list is a decision"
