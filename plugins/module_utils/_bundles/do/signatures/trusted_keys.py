# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The public keys that a site trusts, read from files: OpenPGP keys, and PEM keys for cosign."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.trust import red_hat_release_key
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.trust.openpgp_keys import key_problem
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import read_file
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

LARGEST_KEY_FILE = 1024 * 1024

BUILT_IN = {"quay.io/openshift-release-dev/": red_hat_release_key.ARMOURED}
"""Keys that sign what is in the repositories whose names begin like this."""

_ARMOUR = re.compile(
    rb"-----BEGIN PGP PUBLIC KEY BLOCK-----[ \t]*\r?\n(.*?)-----END PGP PUBLIC KEY BLOCK-----", re.DOTALL
)
_PEM = re.compile(rb"-----BEGIN (?:RSA )?PUBLIC KEY-----.*?-----END (?:RSA )?PUBLIC KEY-----", re.DOTALL)


@dataclass(frozen=True)
class TrustedKeys:
    """``ring`` holds OpenPGP keys in binary form, as gpgv reads them; ``pem`` are public keys for cosign."""

    ring: bytes = b""
    pem: tuple[bytes, ...] = ()

    @classmethod
    def read(cls, paths: Iterable[str]) -> TrustedKeys:
        """Return the keys in the files ``paths``; raise InvalidInputError for a file without any or with a weak one."""
        keys = cls()
        for path in paths:
            content = read_file(Path(path), limit=LARGEST_KEY_FILE)
            if content is None:
                raise _refusal(path, "there is no such file")
            found = cls.parse(content, on=path)
            keys = cls(keys.ring + found.ring, keys.pem + found.pem)
        return keys

    @classmethod
    def parse(cls, content: bytes, *, on: str) -> TrustedKeys:
        """Return the keys in ``content``: armoured or binary OpenPGP keys, or PEM."""
        ring = b"".join(_dearmoured(body, on) for body in _ARMOUR.findall(content))
        pem = tuple(_PEM.findall(content))
        # Tag 6 in either packet format (RFC 9580, 4.2 and 5.5.1.1) begins a key that is not armoured.
        if not ring and not pem and content[:1] in (b"\x98", b"\x99", b"\x9a", b"\xc6"):
            ring = content
        if not ring and not pem:
            raise _refusal(on, "it contains neither an OpenPGP public key nor a PEM public key")
        problem = key_problem(ring) if ring else ""
        if problem:
            raise _refusal(on, problem)
        return cls(ring, pem)

    @classmethod
    def of_release(cls, paths: Iterable[str] | None, repository: str) -> TrustedKeys:
        """Return the keys one of which must have signed a release in ``repository``.

        Those in the files ``paths`` and no others; where nothing is given (None) those that are built in for the
        repository, if there are any.
        """
        if paths is not None:
            return cls.read(paths)
        blocks = [block for start, block in BUILT_IN.items() if repository.startswith(start)]
        return cls(b"".join(cls.parse(block, on="the built-in key").ring for block in blocks))

    def __bool__(self) -> bool:
        """Whether there is any key."""
        return bool(self.ring or self.pem)


def _dearmoured(body: bytes, on: str) -> bytes:
    """Return the bytes in an ASCII armour (RFC 9580, 6.2): headers up to an empty line, base64, a checksum."""
    lines = [line.strip() for line in body.splitlines()]
    start = next((number + 1 for number, line in enumerate(lines) if not line), 0)
    encoded = b"".join(line for line in lines[start:] if not line.startswith(b"="))
    try:
        return base64.b64decode(encoded, validate=True)
    except binascii.Error as error:
        raise _refusal(on, "the armour of its OpenPGP key is damaged") from error


def _refusal(on: str, seen: str) -> InvalidInputError:
    return InvalidInputError(
        "read a trusted key",
        on=on,
        seen=seen,
        advice="Specify files with public keys in the format of 'gpg --armor --export' or cosign: RSA with 2048 bits "
        "or "
        "more, ECDSA or EdDSA.",
    )
