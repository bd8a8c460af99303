# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which strings inside a kubeconfig are credentials."""

from __future__ import annotations

import base64
import binascii
import re
import typing as t
from collections.abc import Mapping, Sequence
from urllib.parse import unquote, urlsplit

_CREDENTIAL_NAME = re.compile(
    r"token|passw|passphrase|secret|credential|api[-_]?key|access[-_]?key|key-data|private", re.IGNORECASE
)
_NAMES_A_PLACE = re.compile(r"(^|[-_])(file|path|url|uri|issuer|endpoint)$|^token-?key$|^tokenFile$", re.IGNORECASE)
_PLAINLY_HARMLESS = re.compile(r"[a-z0-9.-]{0,19}|[A-Z]{0,12}|\d+|[~/.][\w./~+-]*|https?://[^@\s]*")


def nested_secrets(value: object) -> set[str]:
    """Return every credential found in ``value``, the content of a kubeconfig or any part of one.

    Found are the values of names that mean a credential at any depth (``token``, ``password``, ``client-key-data``,
    ``id-token``, ``refresh-token``, ``client-secret`` ...), the environment and the ``--name=value`` arguments of
    ``exec`` plugins as far as they may be credentials, and passwords in URLs; base64 data also in its decoded form.
    Plain words of an ``exec`` environment are left out, because registering "default" as a secret would blank it in
    every result. Source of the fields: https://kubernetes.io/docs/reference/config-api/kubeconfig.v1/
    """
    found: set[str] = set()
    _collect(value, found)
    return found | {decoded for secret in found for decoded in _decoded(secret)}


def url_password(url: str) -> str:
    """Return the password of the first URL within ``url``, or an empty string."""
    match = re.search(r"[a-z0-9+]+://[^/?#@]*?:([^/?#]*)@", url, re.IGNORECASE)
    return match.group(1) if match else ""


def url_login(url: str) -> str:
    """Return the ``user:password`` of an HTTP or HTTPS URL as basic authentication wants it, or an empty string."""
    parts = urlsplit(url)
    login, at_sign, _host = parts.netloc.rpartition("@")
    user, colon, password = login.partition(":")
    return f"{unquote(user)}:{unquote(password)}" if at_sign and colon and parts.scheme in ("http", "https") else ""


def url_secrets(url: str) -> set[str]:
    """Return the password of ``url`` in every form in which it may show: as written, decoded, as a header's value."""
    login = url_login(url)
    return {url_password(url), login.partition(":")[2], basic_credentials(login)} - {""}


def basic_credentials(login: str) -> str:
    """Return ``user:password`` as an Authorization header carries it (RFC 7617), nothing for nothing."""
    return base64.b64encode(login.encode()).decode() if login else ""


def _collect(value: object, found: set[str]) -> None:
    if isinstance(value, Mapping):
        for name, inner in value.items():
            if name == "exec" and isinstance(inner, Mapping):
                _collect_exec(inner, found)
            elif isinstance(inner, str) and _is_credential_name(str(name)):
                found.update(filter(None, [inner]))
            else:
                _collect(inner, found)
    elif isinstance(value, str):
        found.update(filter(None, [url_password(value)]))
    elif isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray)):
        for inner in value:
            _collect(inner, found)


def _collect_exec(plugin: Mapping[t.Any, t.Any], found: set[str]) -> None:
    for variable in plugin.get("env") or []:
        if isinstance(variable, Mapping):
            name, value = str(variable.get("name", "")), variable.get("value")
            if isinstance(value, str) and (_is_credential_name(name) or not _PLAINLY_HARMLESS.fullmatch(value)):
                found.update(filter(None, [value]))
    arguments = [argument for argument in plugin.get("args") or [] if isinstance(argument, str)]
    for argument, following in zip(arguments, [*arguments[1:], ""]):
        name, equals, value = argument.partition("=")
        if name.startswith("-") and _is_credential_name(name):
            found.update(filter(None, [value if equals else following]))
        _collect(argument, found)


def _is_credential_name(name: str) -> bool:
    return bool(_CREDENTIAL_NAME.search(name)) and not _NAMES_A_PLACE.search(name)


def _decoded(secret: str) -> list[str]:
    # Keys arrive as base64 of PEM; printing the key prints the PEM.
    try:
        text = base64.b64decode(secret, validate=True).decode()
    except (binascii.Error, UnicodeDecodeError, ValueError):
        return []
    return [text] if len(text) >= 8 and text.isascii() else []
