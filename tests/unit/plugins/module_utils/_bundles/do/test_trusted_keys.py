# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.cosign import CosignKeys
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.trusted_keys import TrustedKeys
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

PACKET = b"\x98\x33\x04" + bytes(range(48))
BODY = base64.encodebytes(PACKET).decode()
ARMOUR = f"-----BEGIN PGP PUBLIC KEY BLOCK-----\nVersion: x\n\n{BODY}=abcd\n-----END PGP PUBLIC KEY BLOCK-----\n"
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


def test_a_pem_key_that_is_none_is_told() -> None:
    with pytest.raises(InvalidInputError, match="PEM public key"):
        CosignKeys([PEM.encode()])
