# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Versions of boot images, read and compared exactly as the machine-config operator reads them.

It fails open: what it cannot read is no violation. An equal computation must fail in the same places.
Source: k8s.io/apimachinery, pkg/util/version/version.go (ParseGeneric, LessThan); machine-config-operator,
pkg/operator/status.go (checkRHCOSVersionSkew).
"""

from __future__ import annotations

import re

_GENERIC = re.compile(r"[\t\n\f\r ]*v?([0-9]+(?:\.[0-9]+)*)[^\n]*\Z", re.ASCII)
_LARGEST = 2**64 - 1
_MOST_DIGITS = 20
_DATE, _DATE_AND_TIME = 8, 12


def parse_generic(text: str) -> tuple[int, ...] | None:
    """Return the numbers of a dotted version, None where ``ParseGeneric`` refuses it.

    A leading ``v`` and anything after the numbers are allowed; at least two numbers are needed, and only the first may
    not begin with a zero.
    """
    found = _GENERIC.match(text)
    if not found:
        return None
    parts = found.group(1).split(".")
    if len(parts) < 2 or (parts[0] != "0" and parts[0].startswith("0")):
        return None
    digits = [part.lstrip("0") or "0" for part in parts]
    if any(len(one) > _MOST_DIGITS for one in digits):
        return None
    numbers = tuple(int(one) for one in digits)
    return None if any(number > _LARGEST for number in numbers) else numbers


def less_than(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Return whether ``one`` is the older version; numbers that are missing count as zero."""
    length = max(len(one), len(other))
    return _filled(one, length) < _filled(other, length)


def three_numbers(text: str) -> str:
    """Return ``x.y.z`` of a release's version, the form that the API takes; empty where it cannot be read."""
    numbers = parse_generic(text)
    return "" if numbers is None else ".".join(str(number) for number in _filled(numbers, 3)[:3])


def rhel_version_of(rhcos: str) -> str:
    """Return the version of RHEL in that of an RHCOS image, empty where the operator finds none.

    Since RHCOS 9.6 the version begins with it (``9.6.20251023-0``). Before, it is the second number of a version with
    date and time (``48.84.202208021106-0`` is RHEL 8.4, ``418.94...`` is 9.4, ``810`` would be 8.10).
    """
    parts = rhcos.split(".")
    if len(parts) < 3:
        return ""
    major, minor, rest = parts[:3]
    # Go counts bytes, not characters.
    length = len(rest.partition("-")[0].encode())
    if length == _DATE:
        return f"{major}.{minor}"
    if length == _DATE_AND_TIME and len(minor) >= 2:
        return f"{minor[0]}.{minor[1:]}"
    return ""


def _filled(numbers: tuple[int, ...], length: int) -> tuple[int, ...]:
    return numbers + (0,) * (length - len(numbers))
