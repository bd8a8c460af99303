# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""Documents from outside, read strictly: every complaint names the document and the field."""

from __future__ import annotations

import json
import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import PayloadError

_Kind = t.TypeVar("_Kind")
_NAMES = {str: "a string", int: "a whole number", dict: "a mapping", list: "a list"}


class Document:
    """A JSON document or a part of it; ``on`` says which, for errors."""

    def __init__(self, value: t.Any, on: str, path: str = "") -> None:
        self.value = value
        self.on = on
        self.path = path

    @classmethod
    def parse(cls, content: bytes, *, on: str) -> Document:
        """Return the mapping in ``content``; raise PayloadError for anything else."""
        try:
            value = json.loads(content)
        except (ValueError, RecursionError) as error:
            raise cls(None, on).broken(f"it is not JSON: {error}") from error
        found = cls(value, on)
        found.as_a(dict)
        return found

    def broken(self, seen: str) -> PayloadError:
        """Return the error that says what is wrong with this part."""
        return PayloadError(
            "read it",
            on=f"{self.on}: {self.path}" if self.path else self.on,
            seen=seen,
            advice="Take it again from its source; if it is the same there, report it to whoever publishes it.",
        )

    def __getitem__(self, key: str) -> Document:
        found = self.get(key)
        if found is None:
            raise self.broken(f"{key} is missing")
        return found

    def get(self, key: str) -> Document | None:
        """Return the value of ``key``, None where it is absent or null."""
        value = self.as_a(dict).get(key)
        return None if value is None else Document(value, self.on, f"{self.path}.{key}" if self.path else key)

    def entries(self) -> list[Document]:
        """Return the entries of this list."""
        return [Document(value, self.on, f"{self.path}[{at}]") for at, value in enumerate(self.as_a(list))]

    def as_a(self, kind: type[_Kind]) -> _Kind:
        """Return the value if it is of ``kind``; raise PayloadError otherwise."""
        if not isinstance(self.value, kind) or (kind is int and isinstance(self.value, bool)):
            raise self.broken(f"{self.value!r:.60} is not {_NAMES[kind]}")
        return self.value

    def text(self, default: str | None = None, key: str | None = None) -> str:
        """Return this string, or that of ``key``, which may be absent if there is a ``default``."""
        if key is None:
            return self.as_a(str)
        found = self.get(key)
        if found is None and default is not None:
            return default
        return self[key].as_a(str)

    def texts(self, key: str) -> dict[str, str]:
        """Return the mapping of strings at ``key``, empty where it is absent."""
        found = self.get(key)
        return {} if found is None else {name: found[name].as_a(str) for name in found.as_a(dict)}
