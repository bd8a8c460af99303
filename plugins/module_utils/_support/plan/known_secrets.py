# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The secrets that a file of credentials holds, so that they can be taken out wherever else they stand."""

from __future__ import annotations

import base64
import binascii
import typing as t
from collections.abc import Iterator, Mapping, Sequence

from ansible_collections.fieldops.openshift.plugins.module_utils._support.plan.secret_names import SECRET_NAME


def known_secrets(document: t.Any) -> frozenset[str]:
    """Return the secrets in a JSON document such as an auth.json, see containers-auth.json(5), decoded logins included.

    A document that is none, or is of another form, holds none that are known.
    """
    named = set(_named(document))
    logins = {login for secret in named for login in _decoded(secret)}
    return frozenset(named | logins | {login.partition(":")[2] for login in logins}) - {""}


def _named(document: t.Any) -> Iterator[str]:
    if isinstance(document, Mapping):
        for name, value in document.items():
            if isinstance(value, str) and SECRET_NAME.search(str(name)):
                yield value
            else:
                yield from _named(value)
    elif isinstance(document, Sequence) and not isinstance(document, str):
        for value in document:
            yield from _named(value)


def _decoded(secret: str) -> Iterator[str]:
    try:
        login = base64.b64decode(secret, validate=True).decode()
    except (binascii.Error, ValueError):
        return
    if ":" in login and login.isprintable():
        yield login
