# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import base64
import typing as t
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import dsa, ec, ed25519, rsa

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.signatures.cosign import CosignKeys
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.signatures.trusted_keys import TrustedKeys
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

PACKET = b"\x98\x26\x04\0\0\0\0\x1b" + bytes(range(32))  # an Ed25519 key of version 4
BODY = base64.encodebytes(PACKET).decode()
ARMOUR = f"-----BEGIN PGP PUBLIC KEY BLOCK-----\nVersion: x\n\n{BODY}=abcd\n-----END PGP PUBLIC KEY BLOCK-----\n"
FEW_BITS = 1024
PEM = "-----BEGIN PUBLIC KEY-----\nMAo=\n-----END PUBLIC KEY-----\n"


@pytest.mark.parametrize(
    ("content", "ring", "pem"),
    [
        pytest.param(ARMOUR, PACKET, 0, id="armoured"),
        pytest.param(ARMOUR.replace("\n", "\r\n"), PACKET, 0, id="armoured elsewhere"),
        pytest.param(f"the release key:\n{ARMOUR}\n{ARMOUR}", PACKET * 2, 0, id="two, with words around them"),
        pytest.param(ARMOUR.replace("Version: x\n", ""), PACKET, 0, id="without headers"),
        pytest.param(ARMOUR.replace("=abcd\n", ""), PACKET, 0, id="without a checksum"),
        pytest.param(PEM, b"", 1, id="for cosign"),
        pytest.param(ARMOUR + PEM, PACKET, 1, id="both"),
    ],
)
def test_keys_are_found_in_text(content: str, ring: bytes, pem: int) -> None:
    keys = TrustedKeys.parse(content.encode(), on="x")
    assert (keys.ring, len(keys.pem)) == (ring, pem)


def test_a_binary_key_is_taken_as_it_is() -> None:
    assert TrustedKeys.parse(PACKET, on="x").ring == PACKET


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"ask Mary",
        b"-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n????\n-----END PGP PUBLIC KEY BLOCK-----\n",
        b"-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nAAAA\n-----END PGP PRIVATE KEY BLOCK-----\n",
    ],
)
def test_other_files_are_refused(content: bytes) -> None:
    with pytest.raises(InvalidInputError):
        TrustedKeys.parse(content, on="x")


def test_files_are_joined_and_a_missing_one_is_told(tmp_path: Path) -> None:
    (tmp_path / "a").write_text(ARMOUR)
    (tmp_path / "b").write_text(PEM)
    keys = TrustedKeys.read([str(tmp_path / "a"), str(tmp_path / "b")])
    assert (keys.ring, len(keys.pem)) == (PACKET, 1)
    with pytest.raises(InvalidInputError, match="no such file"):
        TrustedKeys.read([str(tmp_path / "c")])


def test_a_weak_key_is_refused_when_it_is_read() -> None:
    weak = b"\x98\x88\x04\0\0\0\0\x01\x04\x00" + b"\xff" * 128
    with pytest.raises(InvalidInputError, match="RSA key of 1024 bits: at least 2048 are required"):
        TrustedKeys.parse(PACKET + weak, on="x")


def test_a_pem_key_that_is_none_is_told() -> None:
    with pytest.raises(InvalidInputError, match="PEM public key"):
        CosignKeys([PEM.encode()])


def pem_of(private: t.Any) -> bytes:
    form = serialization.PublicFormat.SubjectPublicKeyInfo
    written: bytes = private.public_key().public_bytes(serialization.Encoding.PEM, form)
    return written


@pytest.mark.parametrize(
    ("private", "said"),
    [
        pytest.param(
            lambda: rsa.generate_private_key(65537, FEW_BITS), "RSA with 1024 bits, fewer than", id="RSA-1024"
        ),
        pytest.param(lambda: dsa.generate_private_key(2048), "neither RSA nor ECDSA nor Ed25519", id="DSA"),
        pytest.param(lambda: ec.generate_private_key(ec.SECP256K1()), "on the curve secp256k1", id="secp256k1"),
        pytest.param(lambda: rsa.generate_private_key(65537, 2048), "", id="RSA-2048"),
        pytest.param(lambda: ec.generate_private_key(ec.SECP256R1()), "", id="P-256"),
        pytest.param(lambda: ec.generate_private_key(ec.SECP384R1()), "", id="P-384"),
        pytest.param(lambda: ec.generate_private_key(ec.SECP521R1()), "", id="P-521"),
        pytest.param(ed25519.Ed25519PrivateKey.generate, "", id="Ed25519"),
    ],
)
def test_pem_keys_have_to_be_strong(private: Callable[[], t.Any], said: str) -> None:
    pem = pem_of(private())
    if not said:
        CosignKeys([pem])
        return
    with pytest.raises(InvalidInputError, match=said):
        CosignKeys([pem])
