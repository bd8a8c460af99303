# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""One file with logins: a pull secret, containers-auth.json(5), Docker's config.json or the older .dockercfg.

An entry is read when its registry is needed: one that cannot be used harms no other registry.
"""

from __future__ import annotations

import base64
import binascii
import json
import typing as t
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.login import Login
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.registry_errors import LoginRefusedError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

_DOCKER_HUB = {"index.docker.io": "docker.io", "registry-1.docker.io": "docker.io"}
_API_ROOTS = ("v1", "v2")
ADVICE = "Download the file from console.redhat.com, or create one with 'podman login --authfile FILE REGISTRY'."


@dataclass(frozen=True)
class AuthFile:
    """The file ``on``: entries by registry or namespace, credential helpers by registry, a helper for all others.

    ``problem`` is why the whole file cannot be used; it is reported when a login is looked up in it.
    """

    on: str
    entries: Mapping[str, object] = field(default_factory=dict, repr=False)
    helpers: Mapping[str, object] = field(default_factory=dict)
    store: object = None
    problem: str = ""

    @classmethod
    def parse(cls, text: str, *, on: str, legacy: bool = False) -> AuthFile:
        """Return the file with the content ``text``, in the form of .dockercfg if ``legacy``.

        Raise InvalidInputError, which shows nothing of it, for a document of another form.
        """
        try:
            document = json.loads(text.removeprefix("\ufeff"))
        except (ValueError, RecursionError):
            raise _unreadable(on, "it is not JSON") from None
        if legacy and isinstance(document, dict) and "auths" not in document:
            document = {"auths": document}
        if not isinstance(document, dict) or not {"auths", "credHelpers", "credsStore"} & document.keys():
            raise _unreadable(on, "it has no mapping 'auths'")
        return cls(
            on=on,
            entries=_by_key(_mapping(document, "auths", on)),
            helpers=_by_key(_mapping(document, "credHelpers", on)),
            store=document.get("credsStore"),
        )

    def helper_for(self, host: str) -> str | None:
        """Return the credential helper for this ``host`` alone; raise LoginRefusedError if that is no name."""
        return self._helper(host, self.helpers.get(host))

    def helper_for_others(self, host: str) -> str | None:
        """Return the credential helper that is queried for ``host`` if no entry has a login."""
        return self._helper(host, self.store)

    def _helper(self, host: str, name: object) -> str | None:
        if name and not isinstance(name, str):
            raise LoginRefusedError(
                "log in",
                on=host,
                seen=f"the credential helper that {self.on} has for {host[:100]!r} is not a name",
                advice="Set it to the part of the program's name that follows 'docker-credential-'.",
                statuses=(401,),
            )
        return name if isinstance(name, str) and name else None

    def login_for(self, name: str) -> Login | None:
        """Return the login of the entry with the longest prefix of ``name`` at a path boundary, None without one.

        ``name`` is what ``normal_name`` returns. Raises LoginRefusedError for an entry that cannot be used.
        """
        for prefix in _prefixes(name):
            if prefix in self.entries:
                login = self._read(prefix)
                if login is not None:
                    return login
        return None

    def _read(self, key: str) -> Login | None:
        entry = self.entries[key]
        if not isinstance(entry, dict):
            raise self._unusable(key, "is not a mapping")
        token, identity = (_text(entry.get(name)) for name in ("registrytoken", "identitytoken"))
        if token:
            if not (token.isascii() and token.isprintable()) or " " in token:
                raise self._unusable(key, "has a registrytoken that no header can carry")
            return Login(registry_token=token)
        pair = self._pair(key, entry)
        if pair is None:
            return Login(identity_token=identity) if identity else None
        return Login(pair[0], pair[1], identity)

    def _pair(self, key: str, entry: Mapping[str, object]) -> tuple[str, str] | None:
        encoded, user, password = (entry.get(name) for name in ("auth", "username", "password"))
        if isinstance(user, str) and isinstance(password, str) and user and password:
            return user, password
        if not encoded:
            # podman and Docker leave entries without a login behind: empty ones, or with an address only.
            return None
        if not isinstance(encoded, str):
            raise self._unusable(key, "has no usable 'auth'")
        compact = "".join(encoded.split())
        try:
            plain = base64.b64decode(compact + "=" * (-len(compact) % 4), validate=True).decode()
        except (binascii.Error, ValueError):
            raise self._unusable(key, "is not base64 of name:password") from None
        name, colon, word = plain.partition(":")
        if not colon:
            raise self._unusable(key, "is not base64 of name:password")
        return name, word.rstrip("\0")

    def _unusable(self, key: str, seen: str) -> LoginRefusedError:
        return LoginRefusedError(
            "log in",
            on=key[:100],
            seen=f"the entry {key[:100]!r} of {self.on} {seen}",
            advice=ADVICE,
            statuses=(401,),
        )


def normal_name(name: str) -> str:
    """Return ``registry/repository`` with the registry as it is compared: in lower case and without port 443."""
    host, slash, path = name.partition("/")
    return f"{_normal_host(host)}{slash}{path}"


def _normal_host(host: str) -> str:
    host = host.lower().removesuffix(":443")
    return _DOCKER_HUB.get(host, host)


def _key(text: str) -> str:
    """Return a key without what old Docker versions put around it: a scheme and a version of the API."""
    scheme, separator, rest = text.strip().partition("://")
    host, slash, path = (rest if separator else scheme).rstrip("/").partition("/")
    return _normal_host(host) if path in _API_ROOTS else f"{_normal_host(host)}{slash}{path}"


def _by_key(entries: Mapping[str, t.Any]) -> dict[str, t.Any]:
    """Return ``entries`` by their normal keys; one that is written in the normal form counts before others."""
    found: dict[str, t.Any] = {}
    for text, entry in entries.items():
        key = _key(text)
        if not found.get(key) or (text == key and entry):
            found[key] = entry
    return found


def _prefixes(name: str) -> Iterator[str]:
    parts = name.split("/")
    return ("/".join(parts[:count]) for count in range(len(parts), 0, -1))


def _mapping(document: Mapping[str, t.Any], key: str, on: str) -> dict[str, t.Any]:
    value = document.get(key)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise _unreadable(on, f"it has no mapping {key!r}")
    return value


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def _unreadable(on: str, seen: str) -> InvalidInputError:
    return InvalidInputError("read the pull secret", on=on, seen=seen, advice=ADVICE)
