# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The public keys inside binary OpenPGP keys, and which of them are too weak to be trusted.

Source: RFC 9580, 4.2 (packet headers), 5.5.2 (public-key packets of versions 4 and 6), 9.1 (algorithms). Version 5 is
that of GnuPG 2.4 and has the layout of version 6.
"""

from __future__ import annotations

from collections.abc import Iterator

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.trust.gpg_verdict import WEAK_ALGORITHMS

LEAST_RSA_BITS = 2048
_PUBLIC_KEY, _PUBLIC_SUBKEY = 6, 14
_RSA = (1, 2, 3)
_BEFORE_MATERIAL = {4: 6, 5: 10, 6: 10}
"""Bytes of a key packet before its key material, by version: version, time, algorithm, from 5 on a length."""


def key_problem(ring: bytes) -> str:
    """Return what keeps the keys in ``ring`` from being trusted, subkeys included; empty if nothing does."""
    try:
        packets = list(_packets(ring))
        problems = [_weakness(body) for tag, body in packets if tag in (_PUBLIC_KEY, _PUBLIC_SUBKEY)]
    except (ValueError, IndexError):
        return "its OpenPGP packets are damaged"
    if not packets or packets[0][0] != _PUBLIC_KEY:
        return "it does not start with an OpenPGP public key"
    return next((problem for problem in problems if problem), "")


def _weakness(body: bytes) -> str:
    version, algorithm = body[0], body[5]
    if version not in _BEFORE_MATERIAL:
        return f"it has an OpenPGP key of version {version}: version 4 or later is required"
    if str(algorithm) in WEAK_ALGORITHMS:
        return f"it has a key of the algorithm {WEAK_ALGORITHMS[str(algorithm)]}, which is too weak"
    if algorithm in _RSA:
        bits = _modulus_bits(body[_BEFORE_MATERIAL[version] :])
        if bits < LEAST_RSA_BITS:
            return f"it has an RSA key of {bits} bits: at least {LEAST_RSA_BITS} are required"
    return ""


def _modulus_bits(material: bytes) -> int:
    """Return the size of the modulus, the first number of an RSA key: two bytes with its bits, then its bytes."""
    length = (int.from_bytes(material[:2], "big") + 7) // 8
    if length == 0 or len(material) < 2 + length:
        raise ValueError("the modulus is truncated")
    return int.from_bytes(material[2 : 2 + length], "big").bit_length()


def _packets(ring: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the tag and the body of each packet; raise ValueError or IndexError for other bytes."""
    position = 0
    while position < len(ring):
        head = ring[position]
        if not head & 0x80:
            raise ValueError("this is not a packet")
        is_new = bool(head & 0x40)
        tag = head & 0x3F if is_new else (head >> 2) & 0x0F
        read = _new_length if is_new else _old_length
        start, length = read(ring, position)
        if start + length > len(ring):
            raise ValueError("the packet is truncated")
        yield tag, ring[start : start + length]
        position = start + length


def _new_length(ring: bytes, position: int) -> tuple[int, int]:
    first = ring[position + 1]
    if first < 192:
        return position + 2, first
    if first < 224:
        return position + 3, ((first - 192) << 8) + ring[position + 2] + 192
    if first == 255:
        return position + 6, int.from_bytes(ring[position + 2 : position + 6], "big")
    raise ValueError("keys have no partial lengths")


def _old_length(ring: bytes, position: int) -> tuple[int, int]:
    size = 1 << (ring[position] & 0x03)
    if size == 8:
        raise ValueError("keys have no indeterminate lengths")
    start = position + 1 + size
    return start, int.from_bytes(ring[position + 1 : start], "big")
