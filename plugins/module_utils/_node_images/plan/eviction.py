# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Below which free space the kubelet evicts pods and removes images, as its configuration sets it.

Source: kubernetes ``pkg/kubelet/eviction/helpers.go`` (parseThresholdStatement: which values there are;
thresholdsMet: when one is met), ``pkg/kubelet/eviction/api/types.go`` (GetThresholdQuantity),
``apimachinery/pkg/api/resource`` (quantities).
"""

from __future__ import annotations

import re
import struct
import typing as t
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.kubelet_file import shown, unclear

IMAGEFS, NODEFS = "imagefs.available", "nodefs.available"
"""The signals: free space of the images, and of the kubelet's own directory."""

SETTINGS = ("evictionHard", "evictionSoft")

_OFF = frozenset({"0%", "100%"})
_PERCENT = re.compile(r"([0-9]{1,9}(?:\.[0-9]{0,9})?|\.[0-9]{1,9})%", re.ASCII)
_QUANTITY = re.compile(
    r"\+?([0-9]{1,30}(?:\.[0-9]{0,9})?|\.[0-9]{1,9})(Ki|Mi|Gi|Ti|Pi|Ei|n|u|m|k|M|G|T|P|E|[eE][+-]?[0-9]{1,2}|)",
    re.ASCII,
)
_BINARY = {f"{letter}i": Fraction(1024**power) for power, letter in enumerate("KMGTPE", 1)}
_DECIMAL = {letter: Fraction(10) ** power for letter, power in zip(("n", "u", "m", "", *"kMGTPE"), range(-9, 19, 3))}
_UNITS = {**_BINARY, **_DECIMAL}


@dataclass(frozen=True)
class EvictionThreshold:
    """The least free space that the ``value`` of one signal asks for, a quantity or a share in percent.

    ``read_from`` is the file that sets it, ``setting`` the mapping it is in, such as ``evictionHard``.
    """

    setting: str
    signal: str
    value: str
    read_from: str

    def reserve(self, total: int) -> int:
        """Return how many bytes of ``total`` must be free so that nothing is evicted; 0 when it is switched off.

        The kubelet keeps a share as a float32.
        """
        if self.value in _OFF:
            return 0
        if self.value.endswith("%"):
            return int(float(total) * _single(_single(float(self.value[:-1])) / 100))
        found = _quantity(self.value)
        return -(-found.numerator // found.denominator) if found else 0

    @property
    def sentence(self) -> str:
        """Return the free space below which pods are evicted, with its source, as part of a sentence."""
        return f"evicts pods below {self.value} free ({self.setting}, {self.signal} in {self.read_from})"


def evictions_of(settings: Mapping[str, t.Any], name: str) -> Iterator[EvictionThreshold]:
    """Yield the thresholds of both signals that the ``settings`` of the file ``name`` have.

    Raises InvalidInputError for a value that is no threshold.
    """
    for setting in SETTINGS:
        chosen = settings.get(setting)
        if chosen is None:
            continue
        if not isinstance(chosen, dict):
            raise unclear(name, f"{setting} is {shown(chosen)}, not signals with their thresholds")
        for signal in (IMAGEFS, NODEFS):
            value = chosen.get(signal)
            if value is not None:
                yield EvictionThreshold(setting, signal, _checked(value, f"{setting}, {signal}", name), name)


def _checked(value: t.Any, what: str, name: str) -> str:
    if isinstance(value, str):
        percent = _PERCENT.fullmatch(value)
        if float(percent[1]) <= 100 if percent else _quantity(value):
            return str(value)
    raise unclear(name, f"{what} is {shown(value)}, not a percentage from 0% to 100% or a quantity such as 10Gi")


def _quantity(value: str) -> Fraction | None:
    """Return the bytes of a quantity above 0, None for anything else."""
    found = _QUANTITY.fullmatch(value)
    if not found:
        return None
    number, unit = found.groups()
    factor = _UNITS.get(unit)
    return (
        Fraction(f"0{number}0" if "." in number else number)
        * (factor if factor is not None else Fraction(10) ** int(unit[1:]))
        or None
    )


def _single(number: float) -> float:
    return t.cast("float", struct.unpack("f", struct.pack("f", number))[0])
