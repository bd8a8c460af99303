# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What secrets look like in a text, whatever its format is and wherever they stand.

Rules rather remove too much than too little: what they take is at most a value, what they leave may be passed on.
"""

from __future__ import annotations

import re
import typing as t
from collections.abc import Callable

from ansible_collections.fieldops.openshift.plugins.module_utils._support.plan.secret_names import (
    SIGN,
    VALUE,
    WORDS,
    named_values,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.masking import MASK

Replacement = t.Union[str, Callable[[re.Match[str]], str]]

LONGEST_KEY = 20_000
"""Characters of a private key, with what a journal puts before each of its lines."""

LONGEST_AUTHS = 64 * 1024
"""Characters of a pull secret. What has not ended by then was cut."""

_BEGIN = re.compile(r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----")
_END = re.compile(r"-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----")
_AUTHS = re.compile(r"(?i)auths\\*[\"']?\s*[:=]\s*\{")

RULES: tuple[tuple[re.Pattern[str], Replacement], ...] = (
    # Base64 of "-----BEGIN", as kubeconfigs, Secrets and configurations carry keys.
    (re.compile(r"LS0tLS1CRUdJTi[A-Za-z0-9+/=]*"), MASK),
    (re.compile(r"\beyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*){1,4}"), MASK),
    (re.compile(r"\bsha256~[A-Za-z0-9_-]{20,}"), MASK),
    (re.compile(r"\b(?:AKIA|ASIA)[A-Z0-9]{12,}|\b(?:gh[pousr]|glpat|github_pat)[_-][A-Za-z0-9_-]{20,}"), MASK),
    (re.compile(r"\$(?:1|2[abxy]?|5|6|7|y|gy|argon2id?)\$[^\s:\"']{8,}"), MASK),
    (re.compile(r"(?i)\bdata:[\w/+.;=-]*,[^\s\"'\\]*"), f"data:,{MASK}"),
    # A colon may also stand before a port, an at sign before a digest.
    (
        re.compile(r"(?<=://)[^\s/@\"'<>]+@(?=[^\s/@]*(?:[\s/:\"']|\Z))|(?<=://)[^\s/:@]+:(?!\d+/)[^\s\"'<>]*@"),
        f"{MASK}@",
    ),
    (re.compile(r"(?i)([?&](?:x-amz|x-goog)-[a-z-]+=|[?&]sig(?:nature)?=)[^&\s\"']*"), rf"\1{MASK}"),
    (re.compile(r"(?i)\b(bearer\s+)[A-Za-z0-9._~+/=-]{16,}"), rf"\1{MASK}"),
    # Entries of an environment: name and value next to each other.
    (
        re.compile(rf"(?i)(name\\*[\"']?\s*:\s*\\*[\"']?[\w.-]*{WORDS}\\*[\"']?\s*,?\s*\\*[\"']?value{SIGN}){VALUE}"),
        rf"\1{MASK}",
    ),
    (re.compile(r"((?<!\S)(?:-u|--user)[ \t=]+)[^\s:]+:\S+"), rf"\1{MASK}"),
)


def without_keys(text: str) -> str:
    """Return ``text`` without private keys in PEM, also those of which a part was cut off."""
    found = []
    position = 0
    while (begin := _BEGIN.search(text, position)) is not None:
        end = _END.search(text, begin.end(), begin.end() + LONGEST_KEY)
        position = end.end() if end else min(len(text), begin.end() + LONGEST_KEY)
        found.append((begin.start(), position))
    text = _without(text, found)
    # What ends without a beginning was cut before.
    ends = [(max(0, end.start() - LONGEST_KEY), end.end()) for end in _END.finditer(text)]
    return _without(text, ends)


def without_auths(text: str) -> str:
    """Return ``text`` without the registries, and the logins to them, of pull secrets within it."""
    found = []
    position = 0
    while (auths := _AUTHS.search(text, position)) is not None:
        position = _closing(text, auths.end())
        found.append((auths.end() - 1, position))
    return _without(text, found)


def without_named_values(text: str) -> str:
    """Return ``text`` without the values that have the name of a secret."""
    return _without(text, named_values(text))


def _closing(text: str, start: int) -> int:
    depth = 1
    for brace in re.compile(r"[{}]").finditer(text, start):
        depth += 1 if brace.group() == "{" else -1
        if not depth:
            return brace.end()
        if brace.end() - start > LONGEST_AUTHS:
            break
    return min(len(text), start + LONGEST_AUTHS)


def _without(text: str, spans: list[tuple[int, int]]) -> str:
    kept, position = [], 0
    for start, end in spans:
        if end > position:
            kept += [text[position : max(start, position)], MASK]
            position = end
    return "".join([*kept, text[position:]])
