# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a certificate signing request asks for: subject and alternative names of a PKCS #10 request, RFC 2986.

Read with as much of DER (X.690) as that takes, since the standard library has no reader and a user who has to grant
a request has to look into it.
"""

from __future__ import annotations

import base64
import binascii
import ipaddress
import re
from collections.abc import Iterator
from dataclasses import dataclass

_PEM = re.compile(
    rb"\s*-----BEGIN (?:NEW )?CERTIFICATE REQUEST-----([A-Za-z0-9+/=\s]+)-----END (?:NEW )?CERTIFICATE REQUEST-----\s*"
)
_SEQUENCE, _SET, _OCTETS, _OID, _ATTRIBUTES = 0x30, 0x31, 0x04, 0x06, 0xA0
_COMMON_NAME, _ORGANIZATION = bytes.fromhex("550403"), bytes.fromhex("55040a")
_EXTENSION_REQUEST, _ALTERNATIVE_NAMES = bytes.fromhex("2a864886f70d01090e"), bytes.fromhex("551d11")
_TEXTS = (0x0C, 0x13, 0x14, 0x16)
_DNS, _IP = 0x82, 0x87
_LARGEST = 65536


class DamagedRequestError(ValueError):
    """The bytes are no request that we can read; nothing is known of what they ask for."""


@dataclass(frozen=True)
class CertificateRequest:
    """The parts that decide; ``names`` are DNS names and addresses, ``other_names`` whether there are any others."""

    common_name: str
    organizations: tuple[str, ...]
    names: tuple[str, ...]
    other_names: bool


def read_certificate_request(pem: bytes) -> CertificateRequest:
    """Return what a request in PEM asks for; raise DamagedRequestError."""
    match = _PEM.fullmatch(pem) if len(pem) <= _LARGEST else None
    if not match:
        raise DamagedRequestError("it is not a single PEM block of a certificate request")
    try:
        der = base64.b64decode(b"".join(match[1].split()), validate=True)
        return _read(der)
    except (binascii.Error, UnicodeDecodeError, IndexError, ValueError) as error:
        raise DamagedRequestError(str(error) or "its structure is damaged") from error


def _read(der: bytes) -> CertificateRequest:
    (whole,) = _items(der)
    info, *_signature = _items(_content(whole, _SEQUENCE))
    parts = [*_items(_content(info, _SEQUENCE))]
    subject = [*_subject(_content(parts[1], _SEQUENCE))]
    attributes = [content for tag, content in parts[3:] if tag == _ATTRIBUTES]
    names: list[str] = []
    others = False
    for tag, value in (name for attribute in attributes for name in _alternative_names(attribute)):
        if tag == _DNS:
            names.append(value.decode("ascii"))
        elif tag == _IP:
            names.append(str(ipaddress.ip_address(value)))
        else:
            others = True
    common = [value for oid, value in subject if oid == _COMMON_NAME]
    organizations = tuple(value for oid, value in subject if oid == _ORGANIZATION)
    if len(common) > 1:
        raise DamagedRequestError("its subject has several common names")
    return CertificateRequest(common[0] if common else "", organizations, tuple(names), others)


def _subject(content: bytes) -> Iterator[tuple[bytes, str]]:
    for relative in _items(content):
        for pair in _items(_content(relative, _SET)):
            (kind, oid), (text, value) = _items(_content(pair, _SEQUENCE))
            if kind == _OID and text in _TEXTS:
                yield oid, value.decode("utf-8")
            else:
                raise DamagedRequestError("its subject has a component of an unknown type")


def _alternative_names(attributes: bytes) -> Iterator[tuple[int, bytes]]:
    for attribute in _items(attributes):
        (_oid_tag, oid), values = _items(_content(attribute, _SEQUENCE))
        if oid != _EXTENSION_REQUEST:
            continue
        for extensions in _items(_content(values, _SET)):
            for extension in _items(_content(extensions, _SEQUENCE)):
                parts = [*_items(_content(extension, _SEQUENCE))]
                if parts[0] == (_OID, _ALTERNATIVE_NAMES):
                    (names,) = _items(_content(parts[-1], _OCTETS))
                    yield from _items(_content(names, _SEQUENCE))


def _content(item: tuple[int, bytes], tag: int) -> bytes:
    if item[0] != tag:
        raise DamagedRequestError(f"it has tag {item[0]:#x} instead of {tag:#x}")
    return item[1]


def _items(content: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield tag and content of each element, X.690 8.1; lengths have to be definite and to fit."""
    place = 0
    while place < len(content):
        tag, length, place = content[place], content[place + 1], place + 2
        if length & 0x80:
            count = length & 0x7F
            if not 1 <= count <= 3:
                raise DamagedRequestError("one of its lengths is indefinite or too long")
            length, place = int.from_bytes(content[place : place + count], "big"), place + count
        if place + length > len(content):
            raise DamagedRequestError("one of its parts is truncated")
        yield tag, content[place : place + length]
        place += length
