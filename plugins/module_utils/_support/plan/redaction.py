# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Secrets taken out of what a site hands to its support: known ones in every form, unknown ones by how they look."""

from __future__ import annotations

import base64
import json
import typing as t
from collections.abc import Iterable, Mapping, Sequence
from urllib.parse import quote, quote_plus

from ansible_collections.fieldops.openshift.plugins.module_utils._support.plan.secret_forms import (
    RULES,
    without_auths,
    without_keys,
    without_named_values,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._support.plan.secret_names import (
    SECRET_NAME,
    SECRET_OPTION,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.masking import MASK, SHORTEST, Mask

_NAMING = frozenset({"name", "namespace", "key", "kind"})
"""What a reference to a secret consists of. It shows where the secret is, and not what it is."""


class Redaction:
    """Takes secrets out of texts and documents. ``known`` are those that must not appear wherever they stand."""

    def __init__(self, known: Iterable[str] = ()) -> None:
        self._known = Mask(form for secret in known if len(secret) >= SHORTEST for form in forms_of(secret))

    def text(self, text: str) -> str:
        """Return ``text`` without secrets; a text that is a JSON document remains one."""
        document = _document_in(text)
        if document is not None:
            return json.dumps(self.document(document))
        text = without_auths(without_keys(self._known.text(text)))
        for pattern, replacement in RULES:
            text = pattern.sub(replacement, text)
        return without_named_values(text)

    def known_only(self, text: str) -> str:
        """Return ``text``, out of which unknown secrets were taken already, without the known ones."""
        return self._known.text(text)

    def document(self, document: t.Any) -> t.Any:
        """Return a copy of the JSON-like ``document`` without secrets, in its keys as well."""
        if isinstance(document, str):
            return self.text(document)
        if isinstance(document, Mapping):
            return self._mapping(document)
        if isinstance(document, Sequence):
            return self._list(document)
        return document

    def _mapping(self, document: Mapping[t.Any, t.Any]) -> dict[str, t.Any]:
        # An entry of an environment, or a header, says in "name" what its "value" is.
        hidden = "value" if SECRET_NAME.search(str(document.get("name", ""))) else None
        return {
            self.text(str(name)): self._named(str(name), value, is_hidden=name == hidden)
            for name, value in document.items()
        }

    def _named(self, name: str, value: t.Any, *, is_hidden: bool) -> t.Any:
        if name.lower() == "auths" and isinstance(value, Mapping):
            return MASK
        return _masked(value) if is_hidden or SECRET_NAME.search(name) else self.document(value)

    def _list(self, document: Sequence[t.Any]) -> list[t.Any]:
        before: Sequence[t.Any] = ["", *document]
        return [
            MASK
            if isinstance(option, str) and isinstance(value, str) and SECRET_OPTION.match(option)
            else self.document(value)
            for option, value in zip(before, document)
        ]


def forms_of(secret: str) -> set[str]:
    """Return ``secret`` as URLs, JSON documents and headers carry it, and as it is."""
    return {
        secret,
        quote(secret),
        quote(secret, safe=""),
        quote_plus(secret),
        json.dumps(secret)[1:-1],
        json.dumps(secret, ensure_ascii=False)[1:-1],
        base64.b64encode(secret.encode()).decode(),
        base64.b64encode(secret.encode()).decode().rstrip("="),
        base64.urlsafe_b64encode(secret.encode()).decode(),
    }


def _masked(value: t.Any) -> t.Any:
    """Return ``value`` with all of its texts and numbers hidden, but for those by which a reference names."""
    if isinstance(value, Mapping):
        return {
            str(name): one if name in _NAMING and isinstance(one, str) else _masked(one) for name, one in value.items()
        }
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_masked(one) for one in value]
    return value if value is None or isinstance(value, bool) or value == "" else MASK


def _document_in(text: str) -> dict[str, t.Any] | list[t.Any] | None:
    stripped = text.strip()
    if stripped[:1] + stripped[-1:] not in ("{}", "[]"):
        return None
    try:
        found = json.loads(stripped)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, (dict, list)) else None
