# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The credentials within an auth.json, so that no result shows them, see containers-auth.json(5)."""

from __future__ import annotations

import base64
import binascii
import json
import typing as t
from collections.abc import Iterator, Mapping

_TOKENS = ("auth", "password", "identitytoken", "registrytoken")


def registry_secrets(params: Mapping[str, t.Any]) -> set[str]:
    """Return every credential in the option ``registry_auth`` of ``params``, decoded passwords included."""
    try:
        document = json.loads(params.get("registry_auth") or "{}")
    except ValueError:
        return set()
    auths = document.get("auths") if isinstance(document, dict) else None
    entries = auths.values() if isinstance(auths, dict) else ()
    return {secret for entry in entries if isinstance(entry, dict) for secret in _within(entry) if secret}


def _within(entry: Mapping[str, t.Any]) -> Iterator[str]:
    for name in _TOKENS:
        if isinstance(entry.get(name), str):
            yield entry[name]
    try:
        decoded = base64.b64decode(str(entry.get("auth") or "")).decode()
    except (binascii.Error, UnicodeDecodeError):
        return
    yield decoded
    yield decoded.partition(":")[2]
